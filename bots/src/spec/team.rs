//! Teams by name: a bot at both seats, or two partners as `rules&random`.

use core::fmt;

use super::{BotSpec, shell_quoted};
use crate::ParseBotError;
use crate::program::split_at;

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
                Ok(Self { text: format!("{}&{}", partners[0], partners[1]), partners })
            }
            _ => Err(ParseBotError::Team(text.trim().to_owned())),
        }
    }

    /// Joins two partners; of two equal ones the name is that of the bot.
    pub fn new(first: &BotSpec, second: &BotSpec) -> Self {
        let text = if first == second { first.to_string() } else { format!("{first}&{second}") };
        Self { text, partners: [first.clone(), second.clone()] }
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

    /// Returns the text in the quotes that a shell needs.
    pub fn quoted(&self) -> String {
        shell_quoted(&self.text)
    }
}

impl From<BotSpec> for TeamSpec {
    fn from(bot: BotSpec) -> Self {
        Self { text: bot.to_string(), partners: [bot.clone(), bot] }
    }
}

impl fmt::Display for TeamSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
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
        assert!(error("rules&random&rules").contains("two partners as `A&B`"));
        assert!(error("rules&").contains("there is no bot ``"));
        assert!(error("rules&nobody").contains("there is no bot `nobody`"));
    }
}
