//! Published rule pages that come with the program: the files of the folder `rules`.

use coinche_engine::ParseRulesError;
use coinche_engine::RuleSet;

/// A published page of rules as a rule file.
#[derive(Debug, Clone, Copy)]
pub struct RulePage {
    /// Its name, as in `--rules NAME`.
    pub name: &'static str,
    /// The file: what it is, its address, the sentences it rests on, and the fields.
    pub text: &'static str,
}

/// Declares the pages: each is the file of its name.
macro_rules! pages {
    ($($name:literal)*) => {
        &[$(RulePage { name: $name, text: include_str!(concat!("../../rules/", $name, ".toml")) }),*]
    };
}

impl RulePage {
    /// All pages.
    pub const ALL: &'static [Self] = pages! {
        "ascee-2a" "ascee-79" "benduv" "bruche" "cannes-2016" "coinchons" "ffb-belote" "ffb-contree-2016" "furybee" "klaverjas" "koenigshoffen" "missegre" "plouay"
    };

    /// Returns what the page is: the first line of its file.
    pub fn about(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }

    /// Returns the address of the page.
    pub fn address(&self) -> Option<&'static str> {
        self.text.split_whitespace().find(|word| word.starts_with("http"))
    }

    /// Reads the rules.
    ///
    /// # Errors
    ///
    /// When the file has something wrong.
    pub fn rules(&self) -> Result<RuleSet, ParseRulesError> {
        RuleSet::from_toml(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_rules_with_an_address_and_quoted_sentences() {
        for page in RulePage::ALL {
            let rules = page.rules().unwrap_or_else(|error| panic!("{}: {error}", page.name));
            assert_eq!(rules.preset_name(), None, "{}", page.name);
            assert!(page.address().is_some() && page.text.contains('"'), "{}", page.name);
            assert!(RuleSet::preset(page.name).is_none());
            assert!(page.about().len() < 100 && page.about().ends_with('.'), "{}", page.about());
        }
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/rules")).unwrap();
        assert_eq!(files.count(), RulePage::ALL.len());
    }
}
