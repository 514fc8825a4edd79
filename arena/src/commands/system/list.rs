//! `arena system list` and `words`: the built-in systems, and the rule language.

use std::fmt::Write as _;
use std::io::Write;

use clap::Args;
use coinche_bots::system::syntax::Function;
use coinche_bots::system::{About, SHIPPED, Word, WordKind, text_of};
use coinche_selfplay::{Exit, Result, finish};
use serde_json::{Value, json};

use crate::commands::wrap::wrap;
use coinche_analysis::capital;
use coinche_analysis::system::SystemFile;
use coinche_analysis::system::vocabulary::{about_function, about_word, heading};
use coinche_analysis::typed::Language;

/// The flags of `arena system list`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-list"))]
pub(crate) struct SystemListArgs {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `arena system words`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-words"))]
pub(crate) struct SystemWordsArgs {
    /// Language: english or french
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "english")]
    pub language: Language,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of `arena system show`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-show"))]
pub(crate) struct SystemShowArgs {
    /// A system of `arena system list`, or drawn-N
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// Prints the file of a system.
pub(super) fn show(args: &SystemShowArgs, out: &mut dyn Write) -> Result<Exit> {
    let text = text_of(&args.name).ok_or_else(|| SystemFile::unknown(&args.name))?;
    finish(out, &text)
}

/// Lists the systems.
pub(super) fn list(args: &SystemListArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut text = String::new();
    let mut all: Vec<Value> = Vec::new();
    for shipped in SHIPPED {
        let system = shipped.read();
        if args.json {
            let numbers = system.numbers().iter().map(|number| {
                json!({ "name": number.name, "value": number.value, "from": number.from, "to": number.to, "about": number.about })
            });
            all.push(json!({
                "name": shipped.name, "title": system.name(), "about": system.about(), "source": system.source(),
                "presets": system.presets(), "floor": system.floor().name(), "rules": system.rules().len(),
                "numbers": numbers.collect::<Vec<_>>(),
            }));
            continue;
        }
        let _ = writeln!(text, "{}", shipped.name);
        wrap(&mut text, "  ", 2, system.about());
        wrap(&mut text, "  ", 2, &format!("for {}", system.presets().join(", ")));
        wrap(&mut text, "  ", 2, &format!("{} rules, floor {}", system.rules().len(), system.floor().name()));
        let numbers: Vec<String> =
            system.numbers().iter().map(|number| format!("{}={}", number.name, number.value)).collect();
        if !numbers.is_empty() {
            wrap(&mut text, "  ", 2, &numbers.join(" "));
        }
        wrap(&mut text, "  source: ", 2, system.source());
        text.push('\n');
    }
    if args.json {
        text = format!("{:#}\n", Value::from(all));
    } else {
        wrap(
            &mut text,
            "",
            0,
            "`arena run system:name=NAME+rules rules` plays one; `arena system check NAME` describes it.",
        );
    }
    finish(out, &text)
}

/// Lists the words.
pub(super) fn words(args: &SystemWordsArgs, out: &mut dyn Write) -> Result<Exit> {
    if args.json {
        let words = Word::ALL.iter().map(|word| {
            let kind = if word.kind() == WordKind::Condition { "condition" } else { "number" };
            json!({ "word": word.name(), "kind": kind, "about": word.about().heading(), "doc": word.doc() })
        });
        let functions = Function::ALL.iter().map(|function| {
            json!({ "function": function.name(), "arguments": function.arguments(), "doc": function.about() })
        });
        let all = json!({ "words": words.collect::<Vec<_>>(), "functions": functions.collect::<Vec<_>>() });
        return finish(out, &format!("{all:#}\n"));
    }
    let language = args.language;
    let mut text = String::from(language.of(
        "Words with a `?` hold or not, the others are numbers.\n\nCards of the trump suit in question:\n",
        "Un mot suivi de `?` est vrai ou faux, les autres sont des nombres.\n\nCartes de la couleur essayée :\n",
    ));
    let line = |text: &mut String, name: &str, doc: &str| {
        wrap(text, &format!("  {name:<18}"), 20, doc);
    };
    let cards = language.of(
        "the jack, nine, … is held; also eight, seven",
        "on a le valet, le neuf, l’as, le dix, le roi, la dame ; de même eight, seven",
    );
    line(&mut text, "J nine A T K Q", cards);
    let all = language.of(
        "all of these are held; a letter comes first",
        "on a toutes ces cartes ; une lettre vient en premier",
    );
    line(&mut text, "J9, J9A, …", all);
    line(&mut text, "held(9, 8)", language.of("the same for any cards", "de même pour d’autres cartes"));
    for about in About::ALL {
        let _ = writeln!(text, "\n{}{}", capital(heading(about, language)), language.of(":", "\u{a0}:"));
        for word in Word::ALL.iter().filter(|word| word.about() == about) {
            let mark = if word.kind() == WordKind::Condition { "?" } else { "" };
            line(&mut text, &format!("{}{mark}", word.name()), about_word(*word, language));
        }
    }
    text.push_str(language.of("\nFunctions:\n", "\nFonctions\u{a0}:\n"));
    for function in Function::ALL {
        let arguments = ["", "(x)", "(x, y)", "(x, y, z)"][function.arguments()];
        line(&mut text, &format!("{}{arguments}", function.name()), about_function(function, language));
    }
    let weights = language.of(
        "a weight for each of these cards in the trump suit, summed",
        "des points pour chacune de ces cartes dans la couleur essayée, additionnés",
    );
    line(&mut text, "trump(J=8, 9=6)", weights);
    let beside = language.of("the same for the cards beside it", "de même pour les cartes à côté");
    line(&mut text, "side(A=3, T=1)", beside);
    finish(out, &text)
}
