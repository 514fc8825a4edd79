//! The words of a command to divide.

use coinche_engine::Seed;

use super::PlanError;

/// Flags that a plan sets.
const OWN: [&str; 4] = ["--out", "--shard", "--threads", "--progress"];
/// Output flags of a command of sums, used when it is merged, and whether a value follows.
const OUTPUT: [(&str, bool); 5] =
    [("--markdown", true), ("--svg", true), ("--csv", true), ("--parquet", true), ("--json", false)];

/// The words of a command after `arena`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// The words of each part.
    pub command: Vec<String>,
    /// The words of the merge: the formats of the output.
    pub output: Vec<String>,
}

/// Splits a command given in quotes; one given as words is unchanged.
pub fn split(given: &[String]) -> Result<Vec<String>, PlanError> {
    let mut words = match given {
        [one] => shlex::split(one).ok_or(PlanError::Quote)?,
        words => words.to_vec(),
    };
    if words.first().is_some_and(|word| word == "arena") {
        words.remove(0);
    }
    if words.is_empty() { Err(PlanError::NoCommand) } else { Ok(words) }
}

/// Tests if a word is a flag, with or without its value.
fn is_flag(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
}

impl Words {
    /// Checks words; the output flags of a command of sums are separated.
    pub fn new(words: Vec<String>, is_of_sums: bool) -> Result<Self, PlanError> {
        let (mut command, mut output) = (Vec::new(), Vec::new());
        let mut words = words.into_iter();
        let mut is_over = false;
        while let Some(word) = words.next() {
            if is_over || word == "--" {
                is_over = true;
                command.push(word);
                continue;
            }
            if let Some(flag) = OWN.into_iter().find(|flag| is_flag(&word, flag)) {
                return Err(PlanError::OwnFlag { flag });
            }
            let form = OUTPUT.into_iter().find(|(flag, _)| is_of_sums && is_flag(&word, flag));
            // The value of a seed may look like a flag.
            let follows = form.map_or(word == "--seed", |(flag, has_value)| has_value && word == flag);
            let to = if form.is_some() { &mut output } else { &mut command };
            to.push(word);
            to.extend(if follows { words.next() } else { None });
        }
        Ok(Self { command, output })
    }

    /// Adds a seed, if none is given.
    pub fn seed(&mut self, seed: &Seed) {
        self.command = self.with(&["--seed".to_owned(), seed.to_string()]);
    }

    /// Returns the words with flags appended: before `--`, if there is one.
    pub fn with(&self, flags: &[String]) -> Vec<String> {
        let end = self.command.iter().position(|word| word == "--").unwrap_or(self.command.len());
        [&self.command[..end], flags, &self.command[end..]].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(&[text.to_owned()]).unwrap()
    }

    #[test]
    fn a_command_is_split_as_a_shell_does() {
        assert_eq!(words("arena run 'a b' \"c d\""), ["run", "a b", "c d"]);
        assert_eq!(split(&["run".into(), "a b".into()]).unwrap(), ["run", "a b"]);
        for (bad, why) in [("", "expected a command"), ("arena", "expected a command"), ("run 'a", "quote")] {
            assert!(split(&[bad.to_owned()]).unwrap_err().to_string().contains(why), "{bad}");
        }
    }

    #[test]
    fn what_the_plan_says_is_refused_in_the_command() {
        for (text, flag) in [
            ("run a b --out x", "--out"),
            ("run a b --out=x", "--out"),
            ("run --shard 1/2 a b", "--shard"),
            ("run a b --threads=3", "--threads"),
            ("run a b --progress json", "--progress"),
        ] {
            let error = Words::new(words(text), false).unwrap_err().to_string();
            assert!(error.starts_with(flag), "{text}: {error}");
        }
        // Neither the value of a seed nor a word after `--` is a flag.
        assert!(Words::new(words("run a b --seed --out"), false).is_ok());
        assert!(Words::new(words("run -- a --out"), false).is_ok());
        assert!(Words::new(words("run a b --output x"), false).is_ok());
    }

    #[test]
    fn forms_of_sums_are_left_to_the_merge() {
        let text = "stats --deals 5 --csv 'a b' --markdown=c --json --bot rules";
        let of_sums = Words::new(words(text), true).unwrap();
        assert_eq!(of_sums.command, words("stats --deals 5 --bot rules"));
        assert_eq!(of_sums.output, ["--csv", "a b", "--markdown=c", "--json"]);
        assert_eq!(Words::new(words(text), false).unwrap().command, words(text));
    }

    #[test]
    fn flags_stand_before_the_end_of_flags() {
        let mut given = Words::new(words("run -- -a b"), false).unwrap();
        given.seed(&"7".parse().unwrap());
        assert_eq!(given.command, words("run --seed 7 -- -a b"));
    }
}
