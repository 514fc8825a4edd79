//! Judges deal records by the literal rule book: `conformance-referee FILE…`, or standard input.
//!
//! Prints every disagreement with file and line. Exit code 0 when all records are right, 1 when some are
//! not, 2 when a file cannot be read.

use std::io::{BufRead, BufReader, Read};
use std::process::ExitCode;

/// Judges the records of one file and returns how many there were, and how many were wrong.
fn judge(name: &str, input: impl Read) -> std::io::Result<(u64, u64)> {
    let (mut records, mut wrong) = (0, 0);
    for (index, line) in BufReader::new(input).lines().enumerate() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        records += 1;
        let complaints = match serde_json::from_str(&line) {
            Ok(record) => coinche_conformance::referee(&record),
            Err(error) => vec![format!("not JSON: {error}")],
        };
        wrong += u64::from(!complaints.is_empty());
        for complaint in complaints {
            println!("{name}:{}: {complaint}", index + 1);
        }
    }
    Ok((records, wrong))
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let results: Vec<_> = if files.is_empty() {
        vec![("-".to_owned(), judge("-", std::io::stdin()))]
    } else {
        let open = |name: &String| std::fs::File::open(name).and_then(|file| judge(name, file));
        files.iter().map(|name| (name.clone(), open(name))).collect()
    };
    let (mut records, mut wrong, mut unreadable) = (0, 0, false);
    for (name, result) in results {
        match result {
            Ok((read, bad)) => (records, wrong) = (records + read, wrong + bad),
            Err(error) => {
                eprintln!("cannot read {name}: {error}");
                unreadable = true;
            }
        }
    }
    println!("{records} records, {wrong} wrong");
    match (unreadable, wrong) {
        (true, _) => ExitCode::from(2),
        (false, 0) => ExitCode::SUCCESS,
        (false, _) => ExitCode::from(1),
    }
}
