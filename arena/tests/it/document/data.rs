//! The tables that commands write, against `docs/user/data.md`, which lists every table with every column.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::common::run;
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};

/// The columns of a table with their types, in the words of the page.
type Columns = Vec<(String, String)>;

/// Takes the texts in backquotes.
fn codes(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Reads the page: the columns by command and name of the table.
fn page() -> BTreeMap<(String, String), Columns> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/user/data.md");
    let text = fs::read_to_string(path).unwrap();
    let (mut tables, mut command, mut names) = (BTreeMap::new(), String::new(), Vec::new());
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            (command, names) = (codes(heading).remove(0), Vec::new());
        } else if let Some(heading) = line.strip_prefix("### ") {
            names = codes(heading);
            for name in &names {
                let before = tables.insert((command.clone(), name.clone()), Columns::new());
                assert!(before.is_none(), "{command}: {name} is there twice");
            }
        } else if line.starts_with("| `") && !names.is_empty() {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let [_, columns, kind, _, meaning, _] = cells[..] else { panic!("{command}, {names:?}: {line}") };
            assert!(!meaning.is_empty(), "{command}, {names:?}: {line}");
            for name in &names {
                let table = tables.get_mut(&(command.clone(), name.clone())).unwrap();
                table.extend(codes(columns).into_iter().map(|column| (column, kind.to_owned())));
            }
        }
    }
    tables
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
    page: BTreeMap<(String, String), Columns>,
    seen: BTreeSet<(String, String)>,
}

impl Checker {
    fn columns(&mut self, command: &str, path: &Path) -> Columns {
        let key = (command.to_owned(), table_name(path));
        let columns = self.page.get(&key);
        let columns = columns.unwrap_or_else(|| panic!("{key:?} of {} is not on the page", path.display()));
        self.seen.insert(key);
        columns.clone()
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

#[test]
fn every_column_is_in_the_dictionary_and_every_line_of_it_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let mut checker = Checker { page: page(), seen: BTreeSet::new() };
    assert!(checker.page.values().all(|columns| !columns.is_empty()));

    run(dir.path(), "run rules random:pass=0.6 --deals 20 --seed 1 --records full --out two").success();
    let words = "run rules random table+rules --match --deals 1 --seed 1 --table parquet --out three";
    run(dir.path(), words).success();
    checker.csv("arena run", &path("two/summary.csv"));
    checker.parquet("arena run", &path("three/summary.parquet"));
    let words = "run rules random table+rules --format gauntlet --deals 2 --seed 1 --out gauntlet";
    run(dir.path(), words).success();
    for rows in ["calls", "cards"] {
        for form in ["csv", "parquet"] {
            fs::create_dir_all(path(rows)).unwrap();
            let words = format!("export two --rows {rows} --to {form} --out {rows}/{rows}.{form}");
            run(dir.path(), &words).success();
        }
        checker.both("arena export --rows", &path(rows), &path(rows));
    }

    let sprt = "sprt rules random --lower 0 --upper 5 --seed 1 --out test --progress none";
    run(dir.path(), sprt).success();
    checker.csv("arena sprt", &path("test/sprt.csv"));
    let tune = "tune rules --param caution=-20..20 --deals 40 --batch 20 --verify 10 --seed 1 --out tuned";
    run(dir.path(), &format!("{tune} --progress none")).success();
    let of_param = |name: String| name.replace("caution", "PARAM");
    let names: Vec<_> = head(&path("tuned/history.csv")).into_iter().map(of_param).collect();
    let expected = checker.columns("arena tune", &path("tuned/history.csv"));
    assert_eq!(names, expected.into_iter().map(|it| it.0).collect::<Vec<_>>());
    run(dir.path(), "label --deals 3 --seed 1 --table both --progress none --out label").success();
    checker.parquet("arena label", &path("label/part-000000.parquet"));
    checker.csv("arena label", &path("label/part-000000.csv"));
    run(dir.path(), "label --decisions --deals 3 --seed 1 --progress none --out rows").success();
    checker.parquet("arena label --decisions", &path("rows/part-000000.parquet"));

    fs::create_dir_all(path("board")).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/leaderboard.toml");
    let small = fs::read_to_string(example)
        .unwrap()
        .replace("deals = 100", "deals = 4")
        .replace("deals = 20", "deals = 2");
    fs::write(path("board/board.toml"), small).unwrap();
    run(dir.path(), "leaderboard board/board.toml --csv board/csv --svg board/svg --progress none").success();
    checker.csv("arena leaderboard", &path("board/leaderboard.csv"));
    for table in files(&path("board/csv"), "csv") {
        checker.csv("arena leaderboard", &table);
    }
    assert_eq!(files(&path("board/svg"), "svg").len(), 12);

    let advise = "advise --hand JS.9S.AS.TS.AD.KD.7C.8C --worlds 2 --seed 1";
    for (n, (command, words)) in [
        ("arena report", "report two three gauntlet test"),
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
        ("arena advise", advise),
        ("arena system check", "system check sound-beginner --deals 5 --seed 1 --rules belote"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut given = crate::common::arena(dir.path());
        given.args(
            words.split(' ').map(|word| word.replace('.', if word.starts_with("JS.") { " " } else { "." })),
        );
        given.args(["--csv".to_owned(), format!("{n}/csv"), "--parquet".to_owned(), format!("{n}/parquet")]);
        given.assert().success();
        checker.both(command, &path(&format!("{n}/csv")), &path(&format!("{n}/parquet")));
    }
    let left: Vec<_> = checker.page.keys().filter(|key| !checker.seen.contains(*key)).collect();
    assert!(left.is_empty(), "on the page, and not written: {left:?}");
}

/// One name for one idea, in one form: of files with one schema.
#[test]
fn names_are_in_snake_case() {
    for ((command, table), columns) in page() {
        for (name, _) in columns {
            let plain = name.replace("PARAM", "param");
            let is_plain =
                plain.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            assert!(is_plain && !plain.starts_with('_'), "{command}: {table}: {name}");
        }
    }
}
