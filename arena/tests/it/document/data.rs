//! The tables that commands write, against `docs/user/data.md`, which lists every table with every column.
//!
//! The program says what its columns mean: the file that `COINCHE_COLUMNS` names gets the columns of each table. With
//! `COINCHE_BLESS=1` the lists of the page are written anew; review the difference.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use coinche_selfplay::document::Column as DocumentColumn;
use coinche_selfplay::records::long::Long;
use coinche_selfplay::records::pairs::Pairs;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde::Deserialize;

use crate::common::{run, stdout};

/// The columns of a table with their types, in the words of the page.
type Columns = Vec<(String, String)>;

/// A table, by command and name.
type Key = (String, String);

/// What the page says of a column: name, `±` behind it where it has an interval; type, unit and meaning.
type Entry = [String; 4];

/// A line of the file of columns.
#[derive(Deserialize)]
struct Noted {
    table: String,
    columns: Vec<Entry>,
}

/// The types, and the headings of their columns.
const KINDS: [(&str, &str); 5] = [
    ("text", "Text"),
    ("integer", "Integers"),
    ("fraction", "Fractions"),
    ("number", "Numbers"),
    ("flag", "Flags"),
];

/// Takes the texts in backquotes.
fn codes(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn page_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/user/data.md")
}

/// The tables of which the program does not say the columns: they have lists of their own on the page.
fn fixed(page: &str) -> BTreeMap<Key, Columns> {
    let (_, lists) = page.split_once("\n## Records and data sets\n").expect("the last section");
    let (mut tables, mut command, mut table) =
        (BTreeMap::<Key, Columns>::new(), String::new(), String::new());
    for line in lists.lines() {
        if line.starts_with("### ") {
            command = codes(line).remove(0);
        } else if line.starts_with('`') {
            table = codes(line).remove(0);
        } else if line.starts_with("- `") {
            let (names, rest) = line.split_once(" (").expect("a type");
            let kind = rest.split([',', ')']).next().unwrap();
            let columns = tables.entry((command.clone(), table.clone())).or_default();
            columns.extend(codes(names).into_iter().map(|name| (name, kind.to_owned())));
        }
    }
    tables
}

/// Names a table where it is listed: with its command where another one has a table of that name.
fn in_short(tables: &BTreeMap<Key, Vec<Entry>>, (command, table): &Key) -> String {
    let several = tables.keys().filter(|(_, other)| other == table).count() > 1;
    let command = command.strip_prefix("arena ").unwrap();
    if several { format!("`{command} {table}`") } else { format!("`{table}`") }
}

/// The section of columns: each meaning once, with its tables where a name has several. The one that most tables have
/// goes without, if it is the meaning in all others.
fn column_lines(tables: &BTreeMap<Key, Vec<Entry>>) -> String {
    let mut meanings: BTreeMap<String, BTreeMap<[String; 3], Vec<&Key>>> = BTreeMap::new();
    for (key, columns) in tables {
        for [name, kind, unit, about] in columns {
            let name = name.trim_end_matches('±').to_owned();
            assert!(!about.is_empty(), "{key:?}: {name} has no meaning");
            let meaning = [kind, unit, about].map(String::clone);
            meanings.entry(name).or_default().entry(meaning).or_default().push(key);
        }
    }
    // Names that mean the same in the same tables share a line.
    let mut lines: Vec<(Vec<String>, [String; 3], Vec<String>)> = Vec::new();
    for (name, of_name) in meanings {
        let most = of_name.values().map(Vec::len).max().unwrap_or_default();
        let mut general = of_name.len() == 1 || most > 2;
        let mut of_name: Vec<_> = of_name.into_iter().collect();
        of_name.sort_by_key(|(_, keys)| std::cmp::Reverse(keys.len()));
        for (meaning, keys) in of_name {
            let is_general = std::mem::take(&mut general);
            let places =
                if is_general { Vec::new() } else { keys.iter().map(|key| in_short(tables, key)).collect() };
            match lines.iter_mut().find(|(_, other, there)| *other == meaning && *there == places) {
                Some((names, ..)) => names.push(name.clone()),
                None => lines.push((vec![name.clone()], meaning, places)),
            }
        }
    }
    let mut text = String::new();
    for (of_kind, heading) in KINDS {
        let _ = writeln!(text, "### {heading}\n");
        for (names, [_, unit, about], places) in lines.iter().filter(|(_, [kind, ..], _)| kind == of_kind) {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            let is_said = about.contains(unit.as_str());
            let unit = if is_said { String::new() } else { format!(" ({unit})") };
            let places = if places.is_empty() { String::new() } else { format!(" in {}", places.join(", ")) };
            let _ = writeln!(text, "- {}{unit}{places}: {about}", names.join(", "));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

/// The page with its lists as they are now. What a table is, in a sentence, stands on the page alone.
fn written(page: &str, tables: &BTreeMap<Key, Vec<Entry>>) -> String {
    let (before, rest) = page.split_once("\n## Columns\n").expect("the section of columns");
    let (_, after) = rest.split_once("\n## Records").expect("the last section");
    let (mut command, mut listed, mut lines) = (String::new(), BTreeSet::new(), Vec::new());
    for line in before.lines().filter(|line| !line.starts_with("  `")) {
        if line.starts_with("### ") {
            command = codes(line).remove(0);
        }
        lines.push(line.to_owned());
        if command.is_empty() || !line.starts_with("- `") {
            continue;
        }
        let (names, _) = line.split_once(": ").expect("what the table is");
        let keys: Vec<_> = codes(names).into_iter().map(|name| (command.clone(), name)).collect();
        let columns = keys.iter().map(|key| {
            let columns = tables.get(key).unwrap_or_else(|| panic!("on the page, and not written: {key:?}"));
            columns.iter().map(|[name, ..]| name.as_str()).collect::<Vec<_>>().join(" ")
        });
        let columns: BTreeSet<_> = columns.collect();
        assert_eq!(columns.len(), 1, "tables of one line have the same columns: {keys:?}");
        lines.extend(columns.iter().map(|columns| format!("  `{columns}`")));
        listed.extend(keys);
    }
    let missing: Vec<_> = tables.keys().filter(|key| !listed.contains(*key)).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    format!("{}\n\n## Columns\n\n{}\n\n## Records{after}", lines.join("\n").trim_end(), column_lines(tables))
}

/// The columns of a table as files have them: those with an interval are three.
fn in_files(entries: &[Entry]) -> Columns {
    let alone = entries.iter().filter(|[name, ..]| name.ends_with('±')).count() == 1;
    let columns = entries.iter().flat_map(|[name, kind, ..]| {
        match name.strip_suffix('±') {
            Some(name) if alone => vec![name.to_owned(), "low".to_owned(), "high".to_owned()],
            Some(name) => vec![name.to_owned(), format!("{name}_low"), format!("{name}_high")],
            None => vec![name.clone()],
        }
        .into_iter()
        .map(move |name| (name, kind.clone()))
    });
    columns.collect()
}

/// Tests if a type of the page is how a column is stored.
fn is_stored_as(kind: &str, physical: Physical) -> bool {
    match kind {
        "text" => physical == Physical::BYTE_ARRAY,
        "integer" | "uint64" => physical == Physical::INT64,
        "number" | "fraction" => physical == Physical::DOUBLE,
        "flag" => physical == Physical::BOOLEAN,
        "uint8" | "uint16" | "uint32" | "int32" => physical == Physical::INT32,
        "bytes" => physical == Physical::FIXED_LEN_BYTE_ARRAY,
        _ => panic!("`{kind}` is no type"),
    }
}

/// The name of a table, of that of its file: without the number of the report, and of the bot, pairing or part.
fn table_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let stem = match stem.split_once('-') {
        Some((run, rest)) if run.starts_with("run") && run[3..].parse::<u32>().is_ok() => rest,
        _ => stem,
    };
    match stem.rsplit_once('-') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name.to_owned(),
        _ => stem.to_owned(),
    }
}

fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == ending)).collect();
    files.sort();
    assert!(!files.is_empty(), "no tables in {}", directory.display());
    files
}

fn head(path: &Path) -> Vec<String> {
    csv::Reader::from_path(path).unwrap().headers().unwrap().iter().map(str::to_owned).collect()
}

/// What is compared with the page.
struct Checker {
    fixed: BTreeMap<Key, Columns>,
    noted: BTreeMap<Key, Vec<Entry>>,
    seen: BTreeSet<Key>,
}

impl Checker {
    /// Keeps the columns of a table, which all files of its name have.
    fn note(&mut self, key: Key, columns: Vec<Entry>) {
        let is_same = self.noted.get(&key).is_none_or(|before| *before == columns);
        assert!(is_same, "{key:?} has different columns");
        self.noted.insert(key, columns);
    }

    /// Keeps what a command has said of its tables.
    fn read_notes(&mut self, command: &str, path: &Path) {
        for line in fs::read_to_string(path).unwrap().lines() {
            let Noted { table, columns } = serde_json::from_str(line).unwrap();
            self.note((command.to_owned(), table_name(Path::new(&table))), columns);
        }
    }

    fn columns(&mut self, command: &str, path: &Path) -> Columns {
        let key = (command.to_owned(), table_name(path));
        let columns = self.fixed.get(&key).cloned();
        let columns = columns.or_else(|| self.noted.get(&key).map(|columns| in_files(columns)));
        let columns = columns.unwrap_or_else(|| panic!("{key:?} of {} is not known", path.display()));
        self.seen.insert(key);
        columns
    }

    /// Compares a Parquet file.
    fn parquet(&mut self, command: &str, path: &Path) {
        let expected = self.columns(command, path);
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr();
        let found: Vec<_> = schema
            .columns()
            .iter()
            .map(|column| (column.name().to_owned(), column.physical_type()))
            .collect();
        let names: Vec<_> = found.iter().map(|it| &it.0).collect();
        // A run has the columns of matches and of pairings where it has these.
        let expected: Vec<_> = expected
            .into_iter()
            .filter(|(name, _)| names.contains(&name) || table_name(path) != "summary")
            .collect();
        assert_eq!(
            names,
            expected.iter().map(|it| &it.0).collect::<Vec<_>>(),
            "{command}: {}",
            path.display()
        );
        for ((name, physical), (_, kind)) in found.iter().zip(&expected) {
            assert!(is_stored_as(kind, *physical), "{command}: {}: {name} is {physical}", path.display());
        }
    }

    /// Compares a CSV file, and checks that what is a fraction is one, and that text that is none is no percentage.
    fn csv(&mut self, command: &str, path: &Path) {
        let expected = self.columns(command, path);
        let names = head(path);
        let expected: Vec<_> = expected
            .into_iter()
            .filter(|(name, _)| names.contains(name) || table_name(path) != "summary")
            .collect();
        assert_eq!(names, expected.iter().map(|it| it.0.clone()).collect::<Vec<_>>(), "{}", path.display());
        for row in csv::Reader::from_path(path).unwrap().records() {
            for ((name, kind), cell) in expected.iter().zip(&row.unwrap()) {
                let place = || format!("{command}: {}: {name}: `{cell}`", path.display());
                if cell.is_empty() {
                    continue;
                }
                match kind.as_str() {
                    "fraction" => {
                        let value: f64 = cell.parse().unwrap_or_else(|_| panic!("{}", place()));
                        assert!((-1e-9..=1.0 + 1e-9).contains(&value), "{}", place());
                    }
                    "number" => assert!(cell.parse::<f64>().is_ok(), "{}", place()),
                    "integer" => assert!(cell.parse::<i64>().is_ok(), "{}", place()),
                    "flag" => assert!(["true", "false"].contains(&cell), "{}", place()),
                    _ => assert!(!cell.contains('%'), "{}", place()),
                }
            }
        }
    }

    /// Compares the directories of both forms, which have the same tables.
    fn both(&mut self, command: &str, csv: &Path, parquet: &Path) {
        let stems = |files: &[PathBuf]| -> Vec<_> {
            files.iter().map(|path| path.file_stem().unwrap().to_owned()).collect()
        };
        let (csv, parquet) = (files(csv, "csv"), files(parquet, "parquet"));
        assert_eq!(stems(&csv), stems(&parquet), "{command}");
        for path in &csv {
            self.csv(command, path);
        }
        for path in &parquet {
            self.parquet(command, path);
        }
    }
}

const SYSTEMS: [(&str, &str); 6] = [
    ("arena system print", "system print sound-beginner"),
    ("arena system print", "system print jack-or-nine --deals 40 --seed 1 --opponent rules"),
    ("arena system check", "system check sound-beginner --deals 5 --seed 1 --rules belote"),
    ("arena system check", "system check rules --deals 400 --seed 1 --rules contree"),
    ("arena system worth", "system worth jack-or-nine --deals 40 --seed 1 --opponent rules"),
    ("arena system diff", "system diff jack-or-nine sound-beginner --deals 40 --seed 1 --opponent rules"),
];

/// Checks the tables of `arena label`.
fn label_tables(directory: &Path, checker: &mut Checker) {
    let path = |name: &str| directory.join(name);
    run(directory, "label --deals 3 --seed 1 --table both --progress none --out label").success();
    checker.parquet("arena label", &path("label/part-000000.parquet"));
    checker.csv("arena label", &path("label/part-000000.csv"));
    run(directory, "label --decisions --deals 3 --seed 1 --progress none --out rows").success();
    checker.parquet("arena label --decisions", &path("rows/part-000000.parquet"));
    run(directory, "label --games --by rules --by random --deals 3 --seed 1 --progress none --out games")
        .success();
    let games = |table: &str| ("arena label --games".to_owned(), table.to_owned());
    let labels = checker.fixed[&("arena label".to_owned(), "part".to_owned())].clone();
    checker.fixed.get_mut(&games("deals")).unwrap().splice(0..0, labels);
    for table in ["deals", "choices"] {
        checker.parquet("arena label --games", &path(&format!("games/{table}-000000.parquet")));
    }
    fs::copy(path("games/legs-000000.parquet"), path("games/summary.parquet")).unwrap();
    checker.parquet("arena run", &path("games/summary.parquet"));
}

/// The number of games that [`write_games`] writes: each of their decisions is judged.
pub(super) const GAMES: usize = 4;

/// The deals of a run as games of a person, who has seat 0.
pub(super) fn write_games(dir: &Path) {
    let records = fs::read_to_string(dir.join("two/records.jsonl")).unwrap();
    let first = records.lines().filter(|line| line.contains("\"leg\":0")).take(GAMES);
    let games: String =
        first.map(|line| line.replacen("\"rules\",\"random", "\"human\",\"random", 1) + "\n").collect();
    assert_eq!(games.matches("\"human\"").count(), GAMES, "{games}");
    fs::create_dir(dir.join("mine")).unwrap();
    fs::write(dir.join("mine/records.jsonl"), games).unwrap();
}

/// Exports each kind of rows of the run `two`.
fn check_exports(dir: &Path, checker: &mut Checker) {
    for (rows, columns) in [
        ("pairs", Pairs::default().columns()),
        ("calls", Long::Calls.columns()),
        ("cards", Long::Cards.columns()),
        ("hands", Long::Hands.columns()),
    ] {
        let columns = columns.iter().map(DocumentColumn::entry).collect();
        checker.note(("arena export --rows".to_owned(), rows.to_owned()), columns);
        for form in ["csv", "parquet"] {
            fs::create_dir_all(dir.join(rows)).unwrap();
            let words = format!("export two --rows {rows} --to {form} --out {rows}/{rows}.{form}");
            run(dir, &words).success();
        }
        checker.both("arena export --rows", &dir.join(rows), &dir.join(rows));
    }
}

#[test]
fn the_dictionary_has_every_column_and_every_line_of_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let page = fs::read_to_string(page_path()).unwrap();
    let mut checker = Checker { fixed: fixed(&page), noted: BTreeMap::new(), seen: BTreeSet::new() };

    run(dir.path(), "run rules random:pass=0.6 --deals 20 --seed 1 --records full --out two").success();
    let words = "run rules random table+rules --match --deals 1 --seed 1 --table parquet --out three";
    run(dir.path(), words).success();
    checker.csv("arena run", &path("two/summary.csv"));
    checker.parquet("arena run", &path("three/summary.parquet"));
    run(dir.path(), "run rules random --split --deals 2 --seed 1 --out split").success();
    let words = "run rules random table+rules --format gauntlet --deals 2 --seed 1 --out gauntlet";
    run(dir.path(), words).success();
    check_exports(dir.path(), &mut checker);

    let sprt = "sprt rules random --lower 0 --upper 5 --seed 1 --out test --progress none";
    run(dir.path(), sprt).success();
    checker.csv("arena sprt", &path("test/sprt.csv"));
    let tune = "tune rules --param caution=-20..20 --deals 40 --batch 20 --verify 10 --seed 1 --out tuned";
    run(dir.path(), &format!("{tune} --progress none")).success();
    let of_param = |name: String| name.replace("caution", "PARAM");
    let names: Vec<_> = head(&path("tuned/history.csv")).into_iter().map(of_param).collect();
    let expected = checker.columns("arena tune", &path("tuned/history.csv"));
    assert_eq!(names, expected.into_iter().map(|it| it.0).collect::<Vec<_>>());
    label_tables(dir.path(), &mut checker);

    write_games(dir.path());
    fs::create_dir_all(path("board")).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/leaderboard.toml");
    let small = fs::read_to_string(example)
        .unwrap()
        .replace("deals = 100", "deals = 4")
        .replace("deals = 20", "deals = 2");
    fs::write(path("board/board.toml"), small).unwrap();
    let words = "leaderboard board/board.toml --csv board/csv --svg board/svg --progress none";
    let mut leaderboard = crate::common::arena(dir.path());
    leaderboard.args(words.split(' ')).env("COINCHE_COLUMNS", path("board/columns")).assert().success();
    checker.read_notes("arena leaderboard", &path("board/columns"));
    let standings = checker.noted[&("arena leaderboard".to_owned(), "standings".to_owned())].clone();
    checker.note(("arena leaderboard".to_owned(), "leaderboard".to_owned()), standings);
    checker.csv("arena leaderboard", &path("board/leaderboard.csv"));
    for table in files(&path("board/csv"), "csv") {
        checker.csv("arena leaderboard", &table);
    }
    assert_eq!(files(&path("board/svg"), "svg").len(), 12);

    let advise = "advise --hand JS.9S.AS.TS.AD.KD.7C.8C --worlds 2 --seed 1";
    for (n, (command, words)) in [
        ("arena report", "report two three split gauntlet test"),
        ("arena report", "report mine"),
        ("arena compare", "compare two gauntlet"),
        ("arena stats", "stats two --against two --progress none"),
        (
            "arena stats",
            "stats --deals 2 --bot rules --rules belote --against-set scoring.last_trick=10 --progress none",
        ),
        ("arena stats hands", "stats hands --deals 2 --seed 1 --progress none"),
        ("arena bidding", "bidding rules table --deals 2 --play rules --progress none"),
        ("arena bidding", "bidding rules table random --deals 2 --play rules --progress none"),
        ("arena judge", "judge two --sample 0.3 --progress none"),
        ("arena judge", "judge two --sample 0.1 --by rules+pimc:worlds=2 --progress none"),
        ("arena judge", "judge two --sample 0.1 --audit --progress none"),
        ("arena advise", advise),
    ]
    .into_iter()
    .chain(SYSTEMS)
    .enumerate()
    {
        let mut given = crate::common::arena(dir.path());
        given.args(
            words.split(' ').map(|word| word.replace('.', if word.starts_with("JS.") { " " } else { "." })),
        );
        given.args(["--csv".to_owned(), format!("{n}/csv"), "--parquet".to_owned(), format!("{n}/parquet")]);
        given.env("COINCHE_COLUMNS", path(&format!("{n}.columns"))).assert().success();
        checker.read_notes(command, &path(&format!("{n}.columns")));
        checker.both(command, &path(&format!("{n}/csv")), &path(&format!("{n}/parquet")));
    }
    let left: Vec<_> =
        checker.noted.keys().chain(checker.fixed.keys()).filter(|key| !checker.seen.contains(*key)).collect();
    assert!(left.is_empty(), "on the page, and not written: {left:?}");

    // One name for one idea, in one form: of files with one schema.
    let names = checker.noted.values().flatten().map(|[name, ..]| name.trim_end_matches('±'));
    for name in names.chain(checker.fixed.values().flatten().map(|(name, _)| name.as_str())) {
        let plain = name.replace("PARAM", "param");
        let is_plain =
            plain.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        assert!(is_plain && !plain.starts_with('_'), "{name}");
    }

    let now = written(&page, &checker.noted);
    if std::env::var_os("COINCHE_BLESS").is_some() {
        fs::write(page_path(), now).unwrap();
    } else {
        assert!(now == page, "docs/user/data.md has other columns; COINCHE_BLESS=1 writes it anew");
    }
}

#[test]
fn exported_pairs_and_hands_are_those_of_the_legs() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules random:pass=0.4 --match --deals 3 --seed 5 --records full --out mine";
    run(dir.path(), words).success();
    let table = |rows: &str| {
        let text = stdout(&run(dir.path(), &format!("export mine --to csv --rows {rows}")).success());
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let head = lines.next().unwrap();
        let rows: Vec<BTreeMap<String, String>> =
            lines.map(|cells| head.iter().cloned().zip(cells).collect()).collect();
        rows
    };
    // In tenths: the tables of pairs and hands have a decimal.
    let number = |row: &BTreeMap<String, String>, name: &str| match &*row[name] {
        "" => 0,
        text if text.contains('.') => text.replace('.', "").parse::<i64>().unwrap(),
        text => 10 * text.parse::<i64>().unwrap(),
    };
    let (legs, pairs, hands) = (table("legs"), table("pairs"), table("hands"));
    // Deals of matches of unequal length have one leg; the others are whole, A at seat 0 first.
    let mut wanted: BTreeMap<(String, String), [i64; 2]> = BTreeMap::new();
    for leg in &legs {
        let difference = number(leg, "score0") - number(leg, "score1");
        let key = (leg["match"].clone(), leg["deal_in_match"].clone());
        let second = leg["leg"] == "1";
        let both = wanted.entry(key).or_default();
        both[usize::from(second)] = if second { -difference } else { difference };
    }
    assert_eq!(pairs.len(), wanted.len());
    assert!(pairs.iter().any(|pair| pair["difference"].is_empty()));
    for pair in &pairs {
        let legs = wanted[&(pair["match"].clone(), pair["deal_in_match"].clone())];
        assert_eq!(["difference_leg0", "difference_leg1"].map(|name| number(pair, name)), legs, "{pair:?}");
        if !pair["difference"].is_empty() {
            assert_eq!(number(pair, "difference"), i64::midpoint(legs[0], legs[1]));
        }
        assert_eq!((&*pair["bot_a"], &*pair["bot_b"]), ("rules", "random:pass=0.4"));
    }
    assert_eq!(hands.len(), 4 * legs.len());
    let of_even: i64 =
        hands.iter().filter(|hand| hand["seat"] == "0").map(|hand| number(hand, "own_score")).sum();
    assert_eq!(of_even, legs.iter().map(|leg| number(leg, "score0")).sum::<i64>());
    assert!(hands.iter().all(|hand| hand["hand"].split(' ').count() == 8));
}
