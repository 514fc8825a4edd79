//! Teams by name: a bot at both seats, or two partners as `rules&random`.

use core::fmt;

use coinche_engine::RuleSet;

use super::BotSpec;
use crate::program::split_at;
use crate::{ParseBotError, Program, shell_quoted};

/// The bots of a team: one specification for both seats, or two partners joined by `&`.
///
/// The first partner sits at the lower seat (0 or 1), the second across (2 or 3). A `&` of a program's command
/// stands in quotes, as its `+` does.
///
/// ```
/// use coinche_bots::Registry;
///
/// let registry = Registry::builtin();
/// let team = registry.parse_team("rules & random")?;
/// assert_eq!(team.as_str(), "rules&random");
/// assert_eq!(team.partner(1).as_str(), "random");
/// assert_eq!(registry.parse_team("rules")?.partner(1).as_str(), "rules");
/// # Ok::<(), coinche_bots::ParseBotError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamSpec {
    text: String,
    name: String,
    partners: [BotSpec; 2],
}

impl TeamSpec {
    /// Reads a team; `parse` reads a bot.
    pub(crate) fn read(
        text: &str,
        parse: &dyn Fn(&str) -> Result<BotSpec, ParseBotError>,
    ) -> Result<Self, ParseBotError> {
        match split_at(text, '&')[..] {
            [bot] => parse(bot).map(BotSpec::into),
            [first, second] => {
                let partners = [parse(first)?, parse(second)?];
                Ok(Self::of_two(partners))
            }
            _ => Err(ParseBotError::Team(text.trim().to_owned())),
        }
    }

    /// Joins two partners; of two equal ones the name is that of the bot.
    pub fn new(first: &BotSpec, second: &BotSpec) -> Self {
        if first == second { first.clone().into() } else { Self::of_two([first.clone(), second.clone()]) }
    }

    fn of_two(partners: [BotSpec; 2]) -> Self {
        let join = |of: fn(&BotSpec) -> &str| partners.each_ref().map(of).join("&");
        Self { text: join(BotSpec::as_str), name: join(BotSpec::name), partners }
    }

    /// Returns the same team with names for its programs: [`BotSpec::with_program_names`].
    #[must_use]
    pub fn with_program_names(&self, name: &dyn Fn(&Program) -> Option<String>) -> Self {
        let is_one = self.text == self.partners[0].as_str();
        let [first, second] = self.partners.each_ref().map(|bot| bot.with_program_names(name));
        if is_one { first.into() } else { Self::of_two([first, second]) }
    }

    /// Checks that both partners are for the rules of a game: [`BotSpec::check_rules`].
    ///
    /// # Errors
    ///
    /// As that of the first who is not.
    pub fn check_rules(&self, rules: &RuleSet) -> Result<(), ParseBotError> {
        self.partners.iter().try_for_each(|bot| bot.check_rules(rules))
    }

    /// Returns what the team is called in tables, records and pages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the first partner (0) or the second (1).
    pub const fn partner(&self, number: usize) -> &BotSpec {
        &self.partners[number & 1]
    }

    /// Returns both partners.
    pub const fn partners(&self) -> &[BotSpec; 2] {
        &self.partners
    }

    /// Tests if a partner sees all hands: what the team reaches is a bound and no strength.
    pub const fn sees_all(&self) -> bool {
        self.partners[0].sees_all() || self.partners[1].sees_all()
    }

    /// Returns the text of the specification.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text of the specification in the quotes that a shell needs.
    pub fn quoted(&self) -> String {
        shell_quoted(&self.text)
    }
}

impl From<BotSpec> for TeamSpec {
    fn from(bot: BotSpec) -> Self {
        let (text, name) = (bot.as_str().to_owned(), bot.name().to_owned());
        Self { text, name, partners: [bot.clone(), bot] }
    }
}

impl fmt::Display for TeamSpec {
    /// Shows the [name](TeamSpec::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn partners_are_read_and_named() {
        let team = Registry::builtin().parse_team("rules:caution=5+random&cmd:./a'&'b x").unwrap();
        assert_eq!(team.partner(0).as_str(), "rules:caution=5+random");
        assert_eq!(team.partner(1).player_program().unwrap().words, ["./a&b", "x"]);
        assert_eq!(team.quoted(), "\"rules:caution=5+random&cmd:./a'&'b x\"");
        let [rules, random] = ["rules", "random"].map(|bot| Registry::builtin().parse(bot).unwrap());
        assert_eq!(TeamSpec::new(&rules, &rules).as_str(), "rules");
        assert_eq!(TeamSpec::new(&rules, &random), Registry::builtin().parse_team("rules&random").unwrap());
        assert_eq!(TeamSpec::from(rules).partners().each_ref().map(BotSpec::as_str), ["rules"; 2]);
    }

    #[test]
    fn errors_name_what_is_legal() {
        let error = |text: &str| Registry::builtin().parse_team(text).unwrap_err().to_string();
        assert!(error("rules&random&rules").contains("two partners `A&B`"));
        assert!(error("rules&").contains("there is no bot ``"));
        assert!(error("rules&nobody").contains("there is no bot `nobody`"));
    }
}
