//! Commands that start a program, as people type them: a file without its interpreter, or without `cmd:`.

use std::path::Path;

/// What starts a file of this extension.
const INTERPRETERS: [(&str, &str); 9] = [
    ("py", "python3"),
    ("js", "node"),
    ("mjs", "node"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("lua", "lua"),
    ("jl", "julia"),
    ("php", "php"),
    ("sh", "sh"),
];

/// Returns the words that start a program where the first word is a file: as they are, with `./` before it, or with
/// its interpreter. `None` where it is no file.
pub(crate) fn of_file(words: &[String]) -> Option<Vec<String>> {
    let path = Path::new(words.first()?);
    if !path.is_file() {
        return None;
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let interpreter = INTERPRETERS.iter().find(|(known, _)| Some(*known) == extension);
    let mut words = words.to_vec();
    match interpreter {
        Some((_, interpreter)) if !(is_executable(path) && has_shebang(path)) => {
            words.insert(0, (*interpreter).to_owned());
        }
        _ if !words[0].contains('/') => words[0].insert_str(0, "./"),
        _ => {}
    }
    Some(words)
}

/// Returns the specification of a program for a text that starts one: a file, or a command of several words.
pub(crate) fn recognised(text: &str) -> Option<String> {
    let words = shlex::split(text)?;
    let words = of_file(&words).or_else(|| (words.len() > 1 && is_on_path(&words[0])).then_some(words))?;
    Some(format!("cmd:{}", join(&words)?))
}

/// Tests if a word is a command of the system, which a shell would find.
pub fn is_on_path(word: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    !word.is_empty()
        && !word.contains('/')
        && std::env::split_paths(&paths).map(|path| path.join(word)).any(|path| is_executable(&path))
}

/// Joins words as a shell reads them.
pub(crate) fn join(words: &[String]) -> Option<String> {
    shlex::try_join(words.iter().map(String::as_str)).ok()
}

/// Returns a text in the quotes that a shell needs.
pub fn shell_quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ":=,.+-_/".contains(letter);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

fn has_shebang(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 2];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && &start == b"#!"
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file() || path.with_extension("exe").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    #[test]
    fn a_program_without_its_prefix_is_recognised() {
        // Tests run in the directory of the crate.
        let error = |text: &str| Registry::builtin().parse(text).unwrap_err().to_string();
        assert_eq!(recognised("src/lib.rs").as_deref(), Some("cmd:src/lib.rs"));
        assert_eq!(recognised("README.md --x").as_deref(), Some("cmd:./README.md --x"));
        assert!(error("README.md").contains("write it as cmd:./README.md"), "{}", error("README.md"));
        let simple = "../examples/bots/simple.py";
        assert!(Path::new(simple).is_file());
        let spec = recognised(simple).unwrap();
        assert!(
            spec.ends_with(simple) && (spec.contains("python3") || is_executable(Path::new(simple))),
            "{spec}"
        );
        if cfg!(unix) {
            assert!(error("sh bot.sh").contains("write it as 'cmd:sh bot.sh'"), "{}", error("sh bot.sh"));
        }
        for name in ["sh", "rulez", "src", "", "no-such-program x"] {
            assert!(error(name).contains("there is no bot"), "{name}");
        }
        // What is a bot is no file, whatever lies in the directory.
        assert!(Registry::builtin().parse("rules").is_ok());
    }
}
