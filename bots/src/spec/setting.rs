//! Parameters in the text of a specification: what one is, and the same bot with another value of it.

use super::BotSpec;
use super::part::{SpecPart, Use, split_name};
use crate::params::unknown;
use crate::program::{options_of, split_at};
use crate::{ParamInfo, ParseBotError, Program};

/// The parameters that a part sets, in their order, and what stands behind them (the command of a program).
fn given(part: &str) -> (Vec<(&str, &str)>, Option<&str>) {
    if Program::is_meant(part) {
        let (options, command) = options_of(part);
        return (options, Some(command));
    }
    (split_name(part).1.split(',').filter_map(|param| param.split_once('=')).collect(), None)
}

impl BotSpec {
    /// The parameters that each part may have.
    fn known(&self) -> Vec<Vec<ParamInfo>> {
        let used: &[Use] = if self.parts.len() == 1 { &[Use::Both] } else { &[Use::Bidder, Use::Player] };
        self.parts.iter().zip(used).map(|(part, used)| part.known(*used, &self.files)).collect()
    }

    /// Returns the text of a half, with the parameters that it has.
    pub(super) fn half(&self, used: Use) -> String {
        let part = if used == Use::Bidder { self.parts.first() } else { self.parts.last() };
        let part = part.expect("a specification has a part");
        if self.parts.len() > 1 || part.bot.is_none() {
            return part.text.clone();
        }
        let known = part.known(used, &self.files);
        let is_own =
            |key: &str| known.iter().any(|info| info.name == key) || (key, used) == ("sees", Use::Player);
        let params = given(&part.text).0.into_iter().filter(|(key, _)| is_own(key));
        let params: Vec<_> = params.map(|(key, value)| format!("{key}={value}")).collect();
        let between = if params.is_empty() { "" } else { ":" };
        format!("{}{between}{}", split_name(&part.text).0, params.join(","))
    }

    /// Finds the part that a parameter belongs to, and its name there.
    fn locate<'a>(&self, name: &'a str) -> Result<(usize, &'a str), ParseBotError> {
        let halves = [("bidder.", 0), ("player.", 1)];
        let prefixed = halves.into_iter().find_map(|(half, index)| Some((index, name.strip_prefix(half)?)));
        if let (2, Some(found)) = (self.parts.len(), prefixed) {
            return Ok(found);
        }
        let known = self.known();
        let has = |n: &usize| known[*n].iter().any(|info| info.name == name);
        match (0..known.len()).filter(has).collect::<Vec<_>>()[..] {
            [index] => return Ok((index, name)),
            [] => {}
            _ => {
                let (bot, name) = (self.to_string(), name.to_owned());
                return Err(ParseBotError::TwoParams { bot, name });
            }
        }
        // What no bot of ours knows may be an option of a program, which alone can tell.
        let program = self.parts.iter().position(|part| part.bot.is_none());
        program.map(|index| (index, name)).ok_or_else(|| unknown(self.as_str(), name, &known.concat()).into())
    }

    /// Returns the text of a parameter: as given, else its default; `None` for an option of a program that is
    /// not given.
    ///
    /// Where bidder and card player are two, `bidder.NAME` and `player.NAME` say whose is meant.
    ///
    /// # Errors
    ///
    /// When the bot has no such parameter, or both halves have one.
    pub fn param(&self, name: &str) -> Result<Option<String>, ParseBotError> {
        let (index, name) = self.locate(name)?;
        let known = &self.known()[index];
        let default = || known.iter().find(|info| info.name == name).map(|info| info.default);
        let given = given(&self.parts[index].text).0;
        let set = given.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        Ok(set.or_else(default).map(str::to_owned))
    }

    /// Tells whether a parameter belongs to the bidder, and whether to the card player; an option of one program for both may
    /// belong to either.
    ///
    /// # Errors
    ///
    /// As [`BotSpec::param`].
    pub fn halves_of(&self, name: &str) -> Result<[bool; 2], ParseBotError> {
        let (index, name) = self.locate(name)?;
        let part = &self.parts[index];
        Ok(match self.parts.len() {
            1 if part.bot.is_none() => [true; 2],
            1 => [Use::Bidder, Use::Player]
                .map(|used| part.known(used, &self.files).iter().any(|info| info.name == name)),
            _ => [index == 0, index == 1],
        })
    }

    /// Returns the same bot with another value of a parameter, named as in [`BotSpec::param`].
    ///
    /// ```
    /// use coinche_bots::Registry;
    ///
    /// let spec = Registry::builtin().parse("rules:caution=1+random")?;
    /// assert_eq!(spec.with_param("coinche", "7")?.as_str(), "rules:caution=1,coinche=7+random");
    /// assert_eq!(spec.with_param("bidder.caution", "-3")?.as_str(), "rules:caution=-3+random");
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the bot has no such parameter, both halves have one, or the value is not legal.
    pub fn with_param(&self, name: &str, value: &str) -> Result<Self, ParseBotError> {
        let (index, name) = self.locate(name)?;
        let mut parts = self.parts.clone();
        let SpecPart { text, .. } = &self.parts[index];
        let (mut params, command) = given(text);
        match params.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => params.push((name, value)),
        }
        let mut words: Vec<String> = params.iter().map(|(key, value)| format!("{key}={value}")).collect();
        words.extend(command.map(|command| format!("run={command}")));
        let changed = format!("{}:{}", split_name(text).0, words.join(","));
        // A `+` in the value would make it another bot.
        if split_at(&changed, '+').len() > 1 {
            return Err(ParseBotError::Form(changed));
        }
        parts[index].text = changed;
        Self::of_parts(parts, self.files.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn spec(text: &str) -> BotSpec {
        Registry::builtin().parse(text).unwrap()
    }

    #[test]
    fn a_parameter_is_what_is_given_or_the_default() {
        let value = |text: &str, name: &str| spec(text).param(name).unwrap();
        assert_eq!(value("rules", "caution").as_deref(), Some("0"));
        assert_eq!(value("rules:coinche=5,caution=-2", "caution").as_deref(), Some("-2"));
        assert_eq!(value("random:pass=0.5+rules", "pass").as_deref(), Some("0.5"));
        assert_eq!(value("cmd:depth=3,run=./bot", "depth").as_deref(), Some("3"));
        assert_eq!(value("cmd:./bot", "depth"), None);
    }

    #[test]
    fn a_parameter_belongs_to_a_half() {
        let halves = |text: &str, name: &str| spec(text).halves_of(name).unwrap();
        assert_eq!(halves("rules", "caution"), [true, false]);
        assert_eq!(halves("rules+pimc", "caution"), [true, false]);
        assert_eq!(halves("rules+pimc", "worlds"), [false, true]);
        assert_eq!(halves("dd+pimc", "player.worlds"), [false, true]);
        assert_eq!(halves("cmd:./bot", "depth"), [true, true]);
        assert_eq!(halves("rules+cmd:./bot", "depth"), [false, true]);
    }

    #[test]
    fn values_are_set_where_they_belong() {
        let set = |text: &str, name: &str, value: &str| spec(text).with_param(name, value).unwrap();
        assert_eq!(set("rules", "caution", "3").as_str(), "rules:caution=3");
        assert_eq!(set("rules:caution=3,coinche=1", "caution", "-4").as_str(), "rules:caution=-4,coinche=1");
        assert_eq!(set("rules+random", "caution", "3").as_str(), "rules:caution=3+random");
        assert_eq!(set("cmd:./bot a=b", "depth", "3").as_str(), "cmd:depth=3,run=./bot a=b");
        assert_eq!(set("rules+cmd:depth=1,run=x '+'", "depth", "3").as_str(), "rules+cmd:depth=3,run=x '+'");
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        let error =
            |text: &str, name: &str, value: &str| spec(text).with_param(name, value).unwrap_err().to_string();
        assert!(error("rules", "boldness", "3").contains("caution, jump"));
        assert!(error("random+rules", "caution", "3").contains("no parameter `caution`: expected pass"));
        assert!(error("rules", "caution", "51").contains("-50 to 50"));
        assert!(error("rules+random", "player.caution", "3").contains("no parameter `caution`"));
        assert!(error("rules", "bidder.caution", "3").contains("`bidder.caution`"));
    }
}
