//! Whether a system is for the rules of a game.

use coinche_engine::{RuleSet, Strain};

use super::System;
use super::auction::of_rules;
use super::code::known;
use super::error::{Fault, SystemError};
use super::rule::{In, Makes};
use super::words::Word;

impl System {
    /// Checks that the rules of the game have what the system's rules are for and call.
    ///
    /// Left out are rules whose condition cannot hold under these rules, such as `has_sa and …` without no trump; and rules that
    /// take or bid where the other is done.
    ///
    /// # Errors
    ///
    /// Names the first rule that is for a strain, or calls what there is not, with its place and the remedy.
    pub fn check(&self, rules: &RuleSet) -> Result<(), SystemError> {
        let mut some = false;
        for number in 0..self.rules.len() {
            some |= self.check_rule(rules, number)?;
        }
        if some || !self.promises.is_empty() {
            Ok(())
        } else {
            let turn_up = is_turn_up(rules);
            Err(SystemError::NoRule { name: self.name.clone(), turn_up })
        }
    }

    /// Tests if a rule can ever apply under these rules: what [`System::check`] leaves out cannot.
    pub fn is_for(&self, rules: &RuleSet, rule: usize) -> bool {
        let rule = &self.rules[rule];
        let matches = match rule.makes {
            Makes::Take => is_turn_up(rules),
            Makes::Pass => true,
            // Where nobody doubles a take, a rule about bids is left out with its coinche.
            Makes::Coinche | Makes::Surcoinche => {
                !is_turn_up(rules) || of_rules(rules, Word::HasCoinche) == Some(1)
            }
            _ => !is_turn_up(rules),
        };
        matches && known(&self.ops, rule.condition, &|word| of_rules(rules, word)) != Some(0)
    }

    /// Checks a rule; tells whether it is one that may make a contract.
    fn check_rule(&self, rules: &RuleSet, number: usize) -> Result<bool, SystemError> {
        if !self.is_for(rules, number) {
            return Ok(false);
        }
        let rule = &self.rules[number];
        if let In::Strains(strains) = rule.strains {
            for (strain, guard) in [(Strain::NoTrump, "has_sa"), (Strain::AllTrump, "has_ta")] {
                if strains >> strain.index() & 1 == 1 && !rules.allows_strain(strain) {
                    let (name, strain) = (rule.name.clone(), strain.code());
                    let fault = Fault::NoStrain { rule: name, strain, example: "bga", guard };
                    return Err(SystemError::At { place: rule.in_place, fault });
                }
            }
        }
        let missing = |guard: &str, call: String| {
            let fault = Fault::NoCall { rule: rule.name.clone(), call, guard: guard.to_owned() };
            Err(SystemError::At { place: rule.call_place, fault })
        };
        let has = |word| of_rules(rules, word).unwrap_or_default();
        match rule.makes {
            Makes::Wait if has(Word::HasWait) == 0 => missing("has_wait", "wait".to_owned()),
            Makes::Coinche | Makes::Surcoinche if has(Word::HasCoinche) == 0 => {
                missing("has_coinche", rule.call.clone())
            }
            Makes::Capot if has(Word::HasCapot) == 0 => missing("has_capot", "capot".to_owned()),
            Makes::Generale if has(Word::HasGenerale) == 0 => missing("has_generale", "generale".to_owned()),
            Makes::Level(id) => match known(&self.ops, id, &|word| of_rules(rules, word)) {
                Some(level) if level / 10 * 10 > has(Word::Highest) => {
                    missing(&format!("highest >= {level}"), level.to_string())
                }
                Some(level) if level / 10 * 10 < has(Word::Lowest) => {
                    missing(&format!("lowest <= {level}"), level.to_string())
                }
                _ => Ok(true),
            },
            makes => Ok(!matches!(makes, Makes::Pass | Makes::Wait)),
        }
    }
}

fn is_turn_up(rules: &RuleSet) -> bool {
    of_rules(rules, Word::TurnUp) == Some(1)
}
