//! `arena new-bot`: starts a bot of one's own, in Rust, Python or C.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use coinche_bots::Registry;
use coinche_selfplay::base::files::{make_directory, write_whole};
use coinche_selfplay::{Exit, ModuleError, Result, print};

/// The flags of `arena new-bot`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("new-bot"))]
pub(crate) struct NewBotArgs {
    /// Language: rust, python or c
    #[arg(value_name = "LANGUAGE")]
    pub language: Language,
    /// Directory to create; its last part is the bot's name
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Clone of coinche to build on, in Rust
    ///
    /// Without it the clone that DIR lies in, or the repository.
    #[arg(long, value_name = "DIR")]
    pub clone: Option<PathBuf>,
}

/// A language that there is a template for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A crate: the bot is in every command of an arena of its own.
    Rust,
    /// A program that speaks the line protocol.
    Python,
    /// The same in C.
    C,
}

/// Why there is no new bot.
#[derive(Debug, thiserror::Error)]
enum NewBotError {
    #[error(
        "`{0}` cannot be the name of a bot: name the directory with small letters, digits, `-` or `_`, a letter first, and \
         not as a built-in bot"
    )]
    Name(String),
    #[error("{} is there already: name another directory", .0.display())]
    Exists(PathBuf),
    #[error("{} is not a clone of coinche: it has no arena/Cargo.toml", .0.display())]
    NotAClone(PathBuf),
}

impl ModuleError for NewBotError {}

const REPOSITORY: &str = "https://github.com/coinche/coinche";
const MAIN: &str = include_str!("../../templates/own-bot/src/main.rs");
const MINE: &str = include_str!("../../templates/own-bot/src/mine.rs");
const TEST: &str = include_str!("../../templates/own-bot/tests/own_bot.rs");
const PYTHON: &str = include_str!("../../templates/bots/simple.py");
const C: &str = include_str!("../../templates/bots/simple.c");
const PYTHON_TEST: &str = include_str!("../../templates/bots/test_simple.py");
const MAKEFILE: &str = include_str!("../../templates/bots/Makefile");

/// Runs the command.
pub(crate) fn new_bot(args: &NewBotArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let name = args.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_plain =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
    let is_taken = name == "test" || registry.bots().any(|bot| bot.name() == name);
    if !name.starts_with(|letter: char| letter.is_ascii_lowercase())
        || !name.chars().all(is_plain)
        || is_taken
    {
        return Err(NewBotError::Name(name).into());
    }
    if args.directory.symlink_metadata().is_ok() {
        return Err(NewBotError::Exists(args.directory.clone()).into());
    }
    let (files, commands) = match args.language {
        Language::Rust => (
            of_rust(&name, source(args)?),
            [
                (format!("cargo run --release -- run {name} random"), "an arena that has the bot: a match"),
                (format!("cargo run --release -- bots {name}"), "what it is, and its parameters"),
                ("cargo test --release".to_owned(), "its test"),
            ],
        ),
        Language::Python => (
            of_python(&name),
            [
                (format!("arena check-bot python3 {name}.py"), "does it follow the protocol?"),
                (format!("arena run rules 'cmd:python3 {name}.py' --deals 1k"), "a match"),
                ("python3 -m unittest".to_owned(), "its test"),
            ],
        ),
        Language::C => (
            of_c(&name),
            [
                ("make".to_owned(), "builds it"),
                (format!("arena run rules cmd:./{name}"), "a match"),
                ("make test".to_owned(), "does it follow the protocol?"),
            ],
        ),
    };
    let commands = commands.map(|(command, what)| format!("{command:<51} # {what}")).join("\n");
    for (path, text) in &files {
        let path = args.directory.join(path);
        make_directory(path.parent().unwrap_or(&args.directory))?;
        write_whole(&path, text.as_bytes())?;
    }
    let about =
        format!("# {name}\n\nA bot for the [coinche]({REPOSITORY}) arena.\n\n```sh\n{commands}\n```\n");
    write_whole(&args.directory.join("README.md"), about.as_bytes())?;
    let names: Vec<_> = files.iter().map(|(path, _)| path.as_str()).collect();
    let directory = args.directory.display();
    print(out, &format!("{directory}: {}, README.md\n\ncd {directory}\n{commands}\n", names.join(", ")))?;
    Ok(Exit::Done)
}

/// Returns where a crate finds those of the arena, as a key and value of its `Cargo.toml`.
fn source(args: &NewBotArgs) -> Result<impl Fn(&str) -> String> {
    let is_clone =
        |path: &Path| path.join("arena/Cargo.toml").is_file() && path.join("engine/Cargo.toml").is_file();
    let clone = match &args.clone {
        Some(clone) if !is_clone(clone) => return Err(NewBotError::NotAClone(clone.clone()).into()),
        Some(clone) => std::path::absolute(clone).ok(),
        None => std::path::absolute(&args.directory)
            .ok()
            .and_then(|path| path.ancestors().find(|path| is_clone(path)).map(Path::to_owned)),
    };
    Ok(move |folder: &str| match &clone {
        Some(clone) => {
            format!("path = {}", toml::Value::from(clone.join(folder).to_string_lossy().as_ref()))
        }
        None => format!("git = \"{REPOSITORY}\""),
    })
}

/// The files of a new bot: their paths and texts.
type Files = Vec<(String, String)>;

fn of_rust(name: &str, source: impl Fn(&str) -> String) -> Files {
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         # With `features = [\"serve\"]` it also has the command `serve`, the page in a browser, and takes longer to build.\n\
         coinche-arena = {{ {}, default-features = false }}\n\
         coinche-bots = {{ {} }}\ncoinche-engine = {{ {} }}\n\n[dev-dependencies]\ntempfile = \"3\"\n\n\
         # As one unit the loops of the engine are fastest.\n[profile.release.package.coinche-engine]\ncodegen-units = 1\n\n\
         # No part of a workspace around it.\n[workspace]\n",
        source("arena"),
        source("bots"),
        source("engine"),
    );
    let called = |text: &str| words_replaced(text, "mine", name).replace("own-bot", name);
    vec![
        ("Cargo.toml".to_owned(), manifest),
        ("src/main.rs".to_owned(), MAIN.replace("own-bot run mine", &format!("{name} run {name}"))),
        ("src/mine.rs".to_owned(), called(MINE)),
        ("tests/own_bot.rs".to_owned(), called(TEST)),
    ]
}

fn of_python(name: &str) -> Files {
    let called = |text: &str| {
        text.replace("examples/bots/simple.py", &format!("{name}.py"))
            .replace("\"simple.py\"", &format!("\"{name}\""))
    };
    vec![
        (format!("{name}.py"), called(PYTHON)),
        ("test_bot.py".to_owned(), PYTHON_TEST.replace("simple.py", &format!("{name}.py"))),
    ]
}

fn of_c(name: &str) -> Files {
    let called =
        |text: &str| text.replace("examples/bots/simple.c", &format!("{name}.c")).replace("simple-c", name);
    vec![(format!("{name}.c"), called(C)), ("Makefile".to_owned(), MAKEFILE.replace("simple", name))]
}

/// Replaces a word where it stands alone.
fn words_replaced(text: &str, word: &str, by: &str) -> String {
    let is_part =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, _) in text.match_indices(word) {
        let end = at + word.len();
        let is_whole = !is_part(text[..at].chars().next_back()) && !is_part(text[end..].chars().next());
        out.push_str(&text[from..at]);
        out.push_str(if is_whole { by } else { word });
        from = end;
    }
    out.push_str(&text[from..]);
    out
}
