//! Parameters in the text of a specification: what one is, and the same bot with another value of it.

use crate::program::{Program, options_of, split_at};
use crate::{BotInfo, BotSpec, ParamInfo, ParseBotError, registry};

/// The name of a bidder or card player in a specification.
fn name_of(part: &str) -> &str {
    part.split_once(':').map_or(part, |(name, _)| name)
}

fn info_of(part: &str) -> Option<&'static BotInfo> {
    registry().iter().find(|info| info.name == name_of(part))
}

/// The parameters that part `index` of `parts` may have.
fn params_of(part: &str, index: usize, parts: usize) -> Vec<ParamInfo> {
    let Some(info) = info_of(part) else { return Vec::new() };
    match (parts, index) {
        (1, _) => [info.bidder_params, info.player_params].concat(),
        (_, 0) => info.bidder_params.to_vec(),
        _ => info.player_params.to_vec(),
    }
}

/// The parameters that a part sets, in their order, and what stands behind them (the command of a program).
fn given(part: &str) -> (Vec<(&str, &str)>, Option<&str>) {
    if Program::is_meant(part) {
        let (options, command) = options_of(part);
        return (options, Some(command));
    }
    let params = part.split_once(':').map_or("", |(_, params)| params);
    (params.split(',').filter_map(|param| param.split_once('=')).collect(), None)
}

impl BotSpec {
    /// Finds the part that a parameter belongs to, and its name there.
    fn locate<'a>(&self, name: &'a str) -> Result<(usize, &'a str), ParseBotError> {
        let parts = split_at(self.as_str(), '+');
        let halves = [("bidder.", 0), ("player.", 1)];
        let prefixed = halves.into_iter().find_map(|(half, index)| Some((index, name.strip_prefix(half)?)));
        if let (2, Some(found)) = (parts.len(), prefixed) {
            return Ok(found);
        }
        let known: Vec<Vec<ParamInfo>> =
            parts.iter().enumerate().map(|(n, part)| params_of(part, n, parts.len())).collect();
        let has = |n: &usize| known[*n].iter().any(|info| info.name == name);
        match (0..parts.len()).filter(has).collect::<Vec<_>>()[..] {
            [index] => return Ok((index, name)),
            [] => {}
            _ => {
                let (bot, name) = (self.to_string(), name.to_owned());
                return Err(ParseBotError::TwoParams { bot, name });
            }
        }
        // What no bot of ours knows may be an option of a program, which alone can tell.
        parts.iter().position(|part| Program::is_meant(part)).map(|index| (index, name)).ok_or_else(|| {
            let names: Vec<_> = known.iter().flatten().map(|info| info.name).collect();
            ParseBotError::UnknownParam {
                bot: self.to_string(),
                name: name.to_owned(),
                legal: names.join(", "),
            }
        })
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
        let parts = split_at(self.as_str(), '+');
        let known = params_of(parts[index], index, parts.len());
        let default = || known.iter().find(|info| info.name == name).map(|info| info.default);
        let set = given(parts[index]).0.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        Ok(set.or_else(default).map(str::to_owned))
    }

    /// Returns the same bot with another value of a parameter, named as in [`BotSpec::param`].
    ///
    /// ```
    /// use coinche_bots::BotSpec;
    ///
    /// let spec: BotSpec = "rules:caution=1+random".parse()?;
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
        let mut parts: Vec<String> = split_at(self.as_str(), '+').into_iter().map(str::to_owned).collect();
        let part = &parts[index];
        let (mut params, command) = given(part);
        match params.iter_mut().find(|(key, _)| *key == name) {
            Some((_, old)) => *old = value,
            None => params.push((name, value)),
        }
        let mut words: Vec<String> = params.iter().map(|(key, value)| format!("{key}={value}")).collect();
        words.extend(command.map(|command| format!("run={command}")));
        let changed = format!("{}:{}", name_of(part), words.join(","));
        parts[index] = changed;
        parts.join("+").parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> BotSpec {
        text.parse().unwrap()
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
