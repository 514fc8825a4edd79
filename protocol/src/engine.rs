//! The program's side of the protocol: runs a built-in or custom bot as an engine.

use std::collections::{HashMap, VecDeque};
use std::error::Error;
use std::io::{self, BufRead, BufReader, Read, Write};

use coinche_bots::{Agent as _, Bot, ParseBotError, Thought};
use coinche_engine::{DealState, Key, RuleSet, Seat};
use coinche_selfplay::base::guard::{guarded, silence_bots};
use coinche_selfplay::records::write::{push_number, push_str};

use crate::fault_injection::InjectedFault;
use crate::message::{VERSION, excerpt};
use crate::question::melds_text;
use crate::read::{ArenaLine, ArenaLineError, QuestionLine};

/// The most questions in one line.
const BATCH: usize = 256;
/// The longest accepted line.
const LONGEST_LINE: u64 = 1 << 26;
/// The most deals that a bot remembers: without their `over`, the oldest is dropped.
const MAX_DEALS: usize = 4096;

/// Why an engine stopped early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The bot sees all hands, which the protocol does not send.
    #[error("`{0}` sees all hands, which the protocol does not send")]
    SeesAll(String),
    /// An invalid line of the arena.
    #[error("{0}")]
    Line(#[source] Box<dyn Error + Send + Sync>),
    /// Stdin cannot be read.
    #[error("stdin: {0}")]
    Read(io::Error),
    /// Stdout cannot be written.
    #[error("stdout: {0}")]
    Write(io::Error),
}

/// Runs a bot behind the line protocol (`docs/protocol.md`): reads stdin and answers on stdout until `quit` or the end
/// of input, as `arena engine` does for a built-in bot.
///
/// `make` builds the bot of one seat; several are in use at once, because many deals may be in flight.
///
/// ```no_run
/// use coinche_bots::{Bot, RulesBidder, RulesPlayer};
///
/// fn main() -> Result<(), coinche_protocol::EngineError> {
///     coinche_protocol::serve(|| Bot::fair("mine", RulesBidder::default(), RulesPlayer))
/// }
/// ```
///
/// Such a program plays as `arena run rules 'cmd:./mine'`.
///
/// # Errors
///
/// A line that violates the protocol is answered with `error` and ends the engine; so does a pipe that fails.
pub fn serve(make: impl Fn() -> Bot) -> Result<(), EngineError> {
    let mut input = BufReader::with_capacity(1 << 16, io::stdin());
    run_engine(&make, &|_| Ok(()), None, &mut input, &mut io::stdout().lock())
}

/// Returns for each question of a line of the arena a state with what its seat knows; without one if the line asks nothing.
///
/// # Errors
///
/// When the line violates the protocol.
pub fn states(rules: &RuleSet, line: &[u8]) -> Result<Vec<DealState>, EngineError> {
    let state = |go: QuestionLine<'_>| Ok(go.observation()?.state(rules)?);
    let states = ArenaLine::parse(line).and_then(|line| match line {
        ArenaLine::Go(questions, _) => questions.into_iter().map(state).collect(),
        _ => Ok(Vec::new()),
    });
    states.map_err(|error| EngineError::Line(error.into()))
}

/// Answers the lines of `input` as the bot that `make` builds, until `quit` or the end of input; `fits` checks whether
/// the bot supports the rules.
///
/// # Errors
///
/// When a line violates the protocol, the bot does not support the rules or panics, or a stream fails.
pub fn run_engine(
    make: &dyn Fn() -> Bot,
    fits: &dyn Fn(&RuleSet) -> Result<(), ParseBotError>,
    injected: Option<InjectedFault>,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), EngineError> {
    silence_bots();
    let bot = make();
    if bot.player.sees_all() {
        return Err(EngineError::SeesAll(bot.name().to_owned()));
    }
    let mut engine = Engine::new(make, bot, injected);
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(EngineError::Read)? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        answer.clear();
        let read = ArenaLine::parse(&line).and_then(|line| {
            if let ArenaLine::Start(start) = &line {
                fits(&start.rules)?;
            }
            engine.handle(line, &mut answer)
        });
        if let Err(error) = &read {
            answer.clear();
            let message = serde_json::Value::from(error.to_string());
            push_str(&mut answer, &format!("{{\"type\":\"error\",\"message\":{message}}}"));
        }
        if !answer.is_empty() {
            answer.push(b'\n');
            engine.send(&answer, out).map_err(EngineError::Write)?;
        }
        if !read.map_err(|error| EngineError::Line(error.into()))? {
            if let Some(injected) = injected {
                injected.inject_exit();
            }
            return Ok(());
        }
    }
}

/// A bot with its state for each deal in flight.
struct Engine<'a> {
    make: &'a dyn Fn() -> Bot,
    name: String,
    /// The fault to inject.
    injected: Option<InjectedFault>,
    /// Whether the fault applies to this line.
    is_affected: bool,
    rules: RuleSet,
    started: bool,
    /// By deal and seat.
    bots: HashMap<(String, Seat), Bot>,
    /// The deals in order of their first question.
    order: VecDeque<(String, Seat)>,
    /// Bots of finished deals, for reuse.
    free: Vec<Bot>,
}

impl<'a> Engine<'a> {
    fn new(make: &'a dyn Fn() -> Bot, bot: Bot, injected: Option<InjectedFault>) -> Self {
        Self {
            make,
            name: bot.name().to_owned(),
            injected,
            is_affected: false,
            rules: RuleSet::default(),
            started: false,
            bots: HashMap::new(),
            order: VecDeque::new(),
            free: vec![bot],
        }
    }

    /// Writes an answer, or the output of the injected fault.
    fn send(&self, answer: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let injected = self.injected.filter(|_| self.is_affected || !self.started);
        let wanted = match injected {
            None => true,
            Some(injected) if !self.started => injected.inject_greeting(out)?,
            Some(injected) => injected.inject_before(answer, out)?,
        };
        if wanted {
            out.write_all(answer)?;
        }
        if let Some(injected) = injected.filter(|_| self.is_affected) {
            injected.inject_after(out)?;
        }
        out.flush()
    }

    /// Handles a line; returns whether more lines are expected.
    fn handle(&mut self, line: ArenaLine<'_>, out: &mut Vec<u8>) -> Result<bool, ArenaLineError> {
        self.is_affected = false;
        match line {
            ArenaLine::Hello(VERSION) => {
                let (name, version) = (serde_json::Value::from(&*self.name), env!("CARGO_PKG_VERSION"));
                let hello = format!(
                    "{{\"type\":\"hello\",\"protocol\":{VERSION},\"name\":{name},\"version\":\"{version}\",\
                     \"author\":\"coinche\",\"batch\":{BATCH},\"wants\":[\"over\"]}}",
                );
                push_str(out, &hello);
            }
            ArenaLine::Hello(other) => return Err(ArenaLineError::OtherProtocol(other)),
            ArenaLine::Start(start) => {
                if let Some(name) = start.options.into_keys().next() {
                    return Err(ArenaLineError::NoOption(name));
                }
                self.rules = start.rules;
                self.started = true;
                push_str(out, "{\"type\":\"ready\"}");
            }
            ArenaLine::Go(..) if !self.started => return Err(ArenaLineError::NotStarted),
            ArenaLine::Go(questions, in_batch) => {
                if in_batch {
                    push_str(out, "{\"type\":\"batch\",\"moves\":[");
                }
                for (n, go) in questions.into_iter().enumerate() {
                    let (mut id, mut more) = (go.id, "");
                    let key = go.key()?;
                    let (mut answer, thought) = self.decide(go, key)?;
                    if let Some(injected) = self.injected.filter(|injected| injected.affects(key.bits())) {
                        self.is_affected = true;
                        more = injected.corrupt(&mut id, &mut answer);
                    }
                    push_str(out, if n == 0 { "{" } else { ",{" });
                    push_str(out, if in_batch { "\"id\":" } else { "\"type\":\"move\",\"id\":" });
                    push_number(out, id);
                    push_str(out, ",\"move\":\"");
                    push_str(out, &answer);
                    out.push(b'"');
                    push_str(out, more);
                    push_thought(out, &thought);
                    out.push(b'}');
                }
                if in_batch {
                    push_str(out, "]}");
                }
            }
            ArenaLine::Over(over) => {
                if let Some(bot) = self.bots.remove(&(over.deal, over.seat)) {
                    self.free.push(bot);
                }
            }
            ArenaLine::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the bot that plays a seat of a deal.
    fn bot(&mut self, deal: &str, seat: Seat) -> &mut Bot {
        let place = (deal.to_owned(), seat);
        if !self.bots.contains_key(&place) {
            while self.order.len() >= MAX_DEALS {
                let oldest = self.order.pop_front();
                self.free.extend(oldest.and_then(|oldest| self.bots.remove(&oldest)));
            }
            self.order.push_back(place.clone());
        }
        self.bots.entry(place).or_insert_with(|| {
            let mut bot = self.free.pop().unwrap_or_else(|| (self.make)());
            bot.start();
            bot
        })
    }

    /// Returns the bot's answer to a question, and its thought.
    fn decide(&mut self, go: QuestionLine<'_>, key: Key) -> Result<(String, Thought), ArenaLineError> {
        let card = if go.kind == "belote" { Some(go.belote_card()?) } else { None };
        let (kind, seat) = (go.kind.clone(), go.seat);
        let bot_of = go.deal.clone();
        let state = go.observation()?.state(&self.rules)?;
        let in_play = state.contract().is_some();
        let bot = self.bot(&bot_of, seat);
        let mut thought = None;
        let mut answer = Err(ArenaLineError::NotNow(excerpt(kind.as_bytes())));
        // The question may be impossible in any deal; the bot need not handle that, so its panic is caught.
        guarded(|| match (&*kind, card) {
            ("call", _) if !in_play => {
                answer = Ok(bot.bidder.call(&state.view(seat), &state.legal_calls(), key).to_string());
                thought = bot.bidder.thought().cloned();
            }
            ("play", _) if in_play => {
                answer = Ok(bot.player.play(&state, seat, state.legal_plays(), key).to_string());
                thought = bot.player.thought().cloned();
            }
            ("belote", Some(card)) if in_play => {
                let yes = bot.player.announce_belote(&state, seat, card, key);
                answer = Ok(if yes { "yes" } else { "no" }.to_owned());
            }
            ("melds", _) if in_play => {
                let options = state.meld_options(seat);
                let chosen = bot.player.choose_melds(&state, seat, &options, key);
                answer = Ok(options.get(chosen).map_or_else(String::new, melds_text));
            }
            _ => {}
        })?;
        Ok((answer?, thought.unwrap_or_default()))
    }
}

/// Appends a bot's thought to its answer.
fn push_thought(out: &mut Vec<u8>, thought: &Thought) {
    for (name, number) in [("points", thought.points), ("chance", thought.chance)] {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            push_str(out, &format!(",\"{name}\":{}", serde_json::Value::from(number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Choice, Question, Writer};
    use coinche_bots::{Budget, Registry};
    use coinche_engine::{DealState, Turn};
    use coinche_selfplay::play::schedule::{Schedule, Unit};

    /// Returns the output of the engine for some lines, and whether it accepted them.
    fn say(lines: &[u8]) -> (String, bool) {
        let spec = Registry::builtin().parse("rules").unwrap();
        let mut out = Vec::new();
        let done =
            run_engine(&|| spec.build(), &|rules| spec.check_rules(rules), None, &mut &*lines, &mut out);
        (String::from_utf8(out).unwrap(), done.is_ok())
    }

    #[test]
    fn what_is_not_of_the_protocol_ends_it_with_an_error() {
        for (line, part) in [
            ("go", "expected"),
            ("{\"type\":\"dance\"}", "dance"),
            ("{\"type\":\"hello\",\"protocol\":2}", "protocol 2"),
            ("{\"type\":\"hello\"}", "protocol"),
            ("{\"type\":\"batch\",\"go\":[]}", "before `start`"),
            ("{\"type\":\"start\",\"rules\":3}", "invalid type"),
            ("{\"type\":\"go\",\"id\":1}", "missing field"),
        ] {
            let (said, ok) = say(format!("{line}\n{{\"type\":\"quit\"}}\n").as_bytes());
            assert!(!ok && said.starts_with("{\"type\":\"error\"") && said.contains(part), "{line}: {said}");
        }
        assert_eq!(say(b"\n{\"type\":\"quit\"}\nnonsense"), (String::new(), true));
        assert_eq!(say(b""), (String::new(), true));
    }

    /// Returns some questions of a random deal, as lines.
    fn questions(seed: u64) -> (RuleSet, Vec<String>) {
        let rules = RuleSet::PRESETS[usize::try_from(seed % 8).unwrap()].1;
        let schedule = Schedule { secrets: seed.into(), unit: Unit::Deal, pairs: 1 };
        let mut state = DealState::new(&rules, &schedule.deal(&rules.deal, seed));
        let (writer, mut lines) = (Writer::new(), Vec::new());
        loop {
            let legal = state.legal_calls();
            let (seat, choice) = match state.turn() {
                Turn::Over => return (rules, lines),
                Turn::Call(seat) => (seat, Choice::Call(&legal)),
                Turn::Play(seat) => (seat, Choice::Play(state.legal_plays())),
            };
            let key = Key::decisions(seed, 0, seat).and(lines.len() as u64);
            let view = state.view(seat);
            let question = Question { deal: seed, choice, view, key, budget: Some(Budget::Count(7)) };
            let mut line = b"{\"type\":\"go\",\"id\":1".to_vec();
            writer.question(&mut line, &question);
            lines.push(String::from_utf8(line).unwrap());
            match state.turn() {
                Turn::Call(_) => drop(state.call(legal.nth(key.below(legal.len().min(4))).unwrap()).unwrap()),
                _ => drop(state.play(state.legal_plays().nth(key.below(state.legal_plays().len())).unwrap())),
            }
        }
    }

    fn start(rules: &RuleSet) -> String {
        serde_json::json!({"type": "start", "rules": rules}).to_string()
    }

    #[test]
    fn a_bot_that_sees_all_hands_is_refused() {
        let spec = Registry::builtin().parse("rules+open").unwrap();
        let done = run_engine(
            &|| spec.build(),
            &|rules| spec.check_rules(rules),
            None,
            &mut &b""[..],
            &mut Vec::new(),
        );
        assert!(matches!(done, Err(EngineError::SeesAll(name)) if name == "rules+open:sees=all"));
    }

    #[test]
    fn all_questions_of_a_deal_are_answered() {
        for seed in 0..80 {
            let (rules, lines) = questions(seed);
            let (said, ok) = say(format!("{}\n{}\n", start(&rules), lines.join("\n")).as_bytes());
            assert!(ok, "{said}");
            assert_eq!(said.lines().count(), 1 + lines.len());
            for (line, answer) in lines.iter().zip(said.lines().skip(1)) {
                let [line, answer]: [serde_json::Value; 2] =
                    [line.as_str(), answer].map(|text| serde_json::from_str(text).unwrap());
                assert!(line["legal"].as_array().unwrap().contains(&answer["move"]), "{line} {answer}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn no_spoilt_question_panics(
            seed in 0..400u64,
            at in proptest::num::usize::ANY,
            places in proptest::collection::vec((proptest::num::usize::ANY, "[0-9A-Za-z,\\[\\]{}\": ]"), 1..6),
        ) {
            let (rules, lines) = questions(seed);
            let mut line = lines[at % lines.len()].clone().into_bytes();
            for (place, letter) in places {
                let place = place % line.len();
                line[place] = letter.as_bytes()[0];
            }
            say(format!("{}\n{}\n", start(&rules), String::from_utf8_lossy(&line)).as_bytes());
        }

        #[test]
        fn no_line_panics(line in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            say(&line);
        }
    }
}
