//! The parameters to tune: `NAME=LO..HI`, optionally followed by `:START` and `:STEP`.

use coinche_bots::BotSpec;
use coinche_inference::SpsaParam;
use coinche_selfplay::{Freeze, ModuleError, Result};

/// The default width at the last iteration, as a share of the range.
const STEP: f64 = 1.0 / 20.0;
/// The minimum default width of an integer: at half a unit every other match still differs.
const LEAST_STEP: f64 = 0.5;
/// The maximum number of decimal places.
const MOST_DIGITS: u32 = 9;

/// A tuned parameter of a bot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Param {
    pub(super) name: String,
    pub(super) spsa: SpsaParam,
}

/// A number as written.
#[derive(Debug, Clone, Copy)]
struct Number {
    value: f64,
    /// Number of decimal places.
    digits: u32,
}

/// A parameter that cannot be tuned as given.
#[derive(Debug, thiserror::Error)]
#[error("--param {param}: {why}")]
struct ParamError {
    param: String,
    why: ParamFault,
}

impl ModuleError for ParamError {}

/// What is wrong with a parameter.
#[derive(Debug, thiserror::Error)]
enum ParamFault {
    #[error(
        "expected NAME=LO..HI, NAME=LO..HI:START or NAME=LO..HI:START:STEP, such as `caution=-20..20:0:2`"
    )]
    Form,
    #[error("expected a number, not `{0}`")]
    NoNumber(String),
    #[error("the range {range} is {}: expected the lower end first", if *reversed { "reversed" } else { "empty" })]
    Range { range: String, reversed: bool },
    #[error("{}: give a start, as {param}:START", unset(bot, now.as_deref()))]
    NoStart { bot: String, param: String, now: Option<String> },
    #[error(
        "the start {start} is not in {range}: widen the range, or add another start, as \
             {name}={range}:START"
    )]
    Start { start: f64, name: String, range: String },
    #[error("the step {step} is not above 0 and up to half the range, {half}")]
    Step { step: f64, half: f64 },
    #[error("values would have {0} decimal places: at most {MOST_DIGITS}")]
    Digits(u32),
    #[error("given twice")]
    Twice,
    #[error(
        "it has no effect with --freeze {freeze}, which {what}: leave out --freeze, or tune a parameter of the \
             {other}"
    )]
    Frozen { freeze: String, what: &'static str, other: &'static str },
}

/// Explains why a bot gives no start.
fn unset(bot: &str, now: Option<&str>) -> String {
    now.map_or_else(
        || format!("`{bot}` does not set it"),
        |now| format!("it is `{now}` in `{bot}`, which is not a number"),
    )
}

impl Number {
    fn parse(text: &str) -> Option<Self> {
        let value = text.parse().ok().filter(|value: &f64| value.is_finite())?;
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        Some(Self { value, digits: u32::try_from(digits).ok()? })
    }
}

impl Param {
    /// Formats a value for the bot.
    pub(super) fn text(&self, value: f64) -> String {
        let text = format!("{value:.*}", self.spsa.digits as usize);
        let text =
            if self.spsa.digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    }

    /// Formats its range, start and step, as they are given.
    pub(super) fn range(&self) -> String {
        let [low, high, start] =
            [self.spsa.low, self.spsa.high, self.spsa.start].map(|value| self.text(value));
        format!("{low}..{high}:{start}:{}", self.spsa.step)
    }

    /// Parses a parameter and checks that the bot accepts both ends of its range.
    fn parse(text: &str, bot: &BotSpec) -> Result<Self> {
        let form = || ParamError { param: text.to_owned(), why: ParamFault::Form };
        let (name, numbers) = text.split_once('=').ok_or_else(form)?;
        let wrong = |why| ParamError { param: name.to_owned(), why };
        let fields: Vec<&str> = numbers.split(':').collect();
        let ends = fields[0].split_once("..").ok_or_else(form)?;
        let number =
            |text: &str| Number::parse(text).ok_or_else(|| wrong(ParamFault::NoNumber(text.to_owned())));
        let [low, high] = [number(ends.0)?, number(ends.1)?];
        if fields.len() > 3 {
            return Err(form().into());
        }
        // The bot reports first whether the parameter exists.
        let now = bot.param(name)?;
        if low.value >= high.value {
            let (range, reversed) = (fields[0].to_owned(), low.value > high.value);
            return Err(wrong(ParamFault::Range { range, reversed }).into());
        }
        let start = match (fields.get(1).filter(|text| !text.is_empty()), &now) {
            (Some(text), _) => number(text)?,
            (None, now) => now.as_deref().and_then(Number::parse).ok_or_else(|| {
                let (bot, param, now) = (bot.to_string(), text.to_owned(), now.clone());
                wrong(ParamFault::NoStart { bot, param, now })
            })?,
        };
        if !(low.value..=high.value).contains(&start.value) {
            let (name, range) = (name.to_owned(), fields[0].to_owned());
            return Err(wrong(ParamFault::Start { start: start.value, name, range }).into());
        }
        let step = fields.get(2).map(|text| number(text)).transpose()?;
        if let Some(step) = step
            && !(step.value > 0.0 && step.value <= (high.value - low.value) / 2.0)
        {
            let half = (high.value - low.value) / 2.0;
            return Err(wrong(ParamFault::Step { step: step.value, half }).into());
        }
        for end in [ends.0, ends.1] {
            bot.with_param(name, end)?;
        }
        let written = [low, high, start].map(|number| number.digits).into_iter().max().unwrap_or(0);
        let is_whole = is_whole(bot, name, low.value, high.value, written);
        let width = high.value - low.value;
        let least = if is_whole { LEAST_STEP.min(width / 2.0) } else { 0.0 };
        let step = step.map_or((width * STEP).max(least), |step| step.value);
        let digits = if is_whole { 0 } else { digits_of(step).max(written) };
        if digits > MOST_DIGITS {
            return Err(wrong(ParamFault::Digits(digits)).into());
        }
        let spsa = SpsaParam { low: low.value, high: high.value, start: start.value, step, digits };
        let this = Self { name: name.to_owned(), spsa };
        bot.with_param(name, &this.text(start.value))?;
        Ok(this)
    }
}

/// Tests if a parameter only takes integers. The bot is tested: it rejects a number between two integers. A
/// program does not report what it accepts; then the `written` range decides.
fn is_whole(bot: &BotSpec, name: &str, low: f64, high: f64, written: u32) -> bool {
    if bot.with_param(name, "any text").is_ok() {
        return written == 0;
    }
    // Within the range, so that it is not rejected for that.
    let between = [1.0, 0.5].map(|part| low + part * (high - low).min(1.0) / 2.0);
    let between = between.into_iter().find(|number| number.fract() != 0.0).unwrap_or(low + 0.25);
    bot.with_param(name, &between.to_string()).is_err()
}

/// Returns the number of digits of a hundredth of a step.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a few digits")]
fn digits_of(step: f64) -> u32 {
    (2.0 - libm::log10(step)).ceil().clamp(1.0, 99.0) as u32
}

/// Parses all parameters.
pub(super) fn parse(texts: &[String], bot: &BotSpec) -> Result<Vec<Param>> {
    let mut params: Vec<Param> = Vec::new();
    for text in texts {
        let param = Param::parse(text, bot)?;
        if params.iter().any(|other| other.name == param.name) {
            return Err(ParamError { param: param.name, why: ParamFault::Twice }.into());
        }
        params.push(param);
    }
    Ok(params)
}

/// Checks that parameters belong to the half of the bot that is not frozen.
pub(super) fn check_frozen(params: &[Param], bot: &BotSpec, freeze: &Freeze) -> Result<()> {
    let (plays, what, other) = match freeze {
        Freeze::None => return Ok(()),
        Freeze::Auction(_) => (1, "makes all calls", "card player"),
        Freeze::Play(_) => (0, "plays all cards", "bidder"),
    };
    for param in params {
        if !bot.halves_of(&param.name)?[plays] {
            let freeze = freeze.named().unwrap_or_default();
            let why = ParamFault::Frozen { freeze, what, other };
            return Err(ParamError { param: param.name.clone(), why }.into());
        }
    }
    Ok(())
}

/// Returns a bot with these parameter values; a value that is already equal keeps its text.
pub(super) fn with_values(bot: &BotSpec, params: &[Param], values: &[f64]) -> Result<BotSpec> {
    let mut bot = bot.clone();
    for (param, value) in params.iter().zip(values) {
        let text = param.text(*value);
        let there = bot.param(&param.name)?.and_then(|now| Number::parse(&now));
        if there.is_none_or(|there| param.text(there.value) != text) {
            bot = bot.with_param(&param.name, &text)?;
        }
    }
    Ok(bot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_bots::Registry;

    fn param(text: &str, bot: &str) -> Param {
        Param::parse(text, &Registry::builtin().parse(bot).unwrap()).unwrap()
    }

    #[test]
    fn starts_steps_and_units_follow_from_the_bot() {
        let caution = param("caution=-20..20", "rules:caution=3");
        assert_eq!(caution.spsa, SpsaParam { low: -20.0, high: 20.0, start: 3.0, step: 2.0, digits: 0 });
        let narrow = param("caution=-2..2", "rules");
        assert_eq!(narrow.spsa, SpsaParam { low: -2.0, high: 2.0, start: 0.0, step: 0.5, digits: 0 });
        assert_eq!(param("caution=0..1:1", "rules").spsa.digits, 0);
        let pass = param("pass=0..1", "random");
        assert_eq!(pass.spsa, SpsaParam { low: 0.0, high: 1.0, start: 0.75, step: 0.05, digits: 4 });
        assert_eq!(["0.7", "1", "0"], [0.7, 1.0, -0.0].map(|value| pass.text(value)));
        let depth = param("depth=1..8:2:1", "cmd:./bot");
        assert_eq!((depth.spsa.digits, depth.text(-0.0)), (0, "0".to_owned()));
        assert_eq!(param("c=0.0..8:2:1", "cmd:./bot").spsa.digits, 2);
    }

    #[test]
    fn values_stand_in_the_specification() {
        let bot = Registry::builtin().parse("rules:coinche=5+random").unwrap();
        let params = parse(&["caution=-9..9".into(), "coinche=-9..9".into()], &bot).unwrap();
        let with = |values: &[f64]| with_values(&bot, &params, values).unwrap().to_string();
        assert_eq!(with(&[-0.0, 5.0]), "rules:coinche=5+random");
        assert_eq!(with(&[-7.0, 9.0]), "rules:coinche=9,caution=-7+random");
    }
}
