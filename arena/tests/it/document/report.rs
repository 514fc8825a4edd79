//! `arena report`: the page and its other forms.
//!
//! `COINCHE_BLESS=1 cargo test -p coinche-arena --test it report` writes the snapshot again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{csv_rows, fails, records, run, run_json, sign, snapshot, standard_error, stdout};
use scraper::{Html, Selector};
use serde_json::Value;

/// A table of a report: the heads, and the rows by name of the column.
fn table(directory: &Path, name: &str) -> Vec<BTreeMap<String, String>> {
    csv_rows(&directory.join(format!("{name}.csv")))
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?} is no number"))
}

fn near(left: f64, right: f64) {
    assert!((left - right).abs() <= 1e-9 * right.abs().max(1.0), "{left} is not {right}");
}

/// Reports a run in all forms: `page.html`, `page.md`, `svg`, `csv`.
fn report(directory: &Path, runs: &str) -> String {
    let words = format!("report {runs} --out page.html --markdown page.md --svg svg --csv csv");
    stdout(&run(directory, &words).success())
}

/// The rows of a summary.
fn rows(directory: &Path) -> Vec<BTreeMap<String, String>> {
    table(directory, "summary")
}

/// The paired difference, the sum of the squares of both legs, and their contracts, counted anew from the rows.
fn pairs(rows: &[BTreeMap<String, String>]) -> Vec<(f64, f64, [String; 2])> {
    let leg =
        |row: &BTreeMap<String, String>, sign: f64| sign * (number(row, "score0") - number(row, "score1"));
    let contract = |row: &BTreeMap<String, String>| {
        ["declarer", "contract_value", "strain", "stake"].map(|column| row[column].as_str()).join(" ")
    };
    let pair = |pair: &[BTreeMap<String, String>]| {
        let [first, second] = [leg(&pair[0], 1.0), leg(&pair[1], -1.0)];
        (
            f64::midpoint(first, second),
            first * first + second * second,
            [contract(&pair[0]), contract(&pair[1])],
        )
    };
    rows.chunks(2).map(pair).collect()
}

/// What has no interval has none in any file, and the ratings of a page are those of the run.
#[test]
fn ratings_are_those_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let alike = "random:pass=1 random:pass=1 random:pass=1";
    for (bots, has_interval) in [("rules table+rules random", true), (alike, false)] {
        run(dir.path(), &format!("run {bots} --deals 40 --seed 4 --out {has_interval}")).success();
        report(dir.path(), &has_interval.to_string());
        let told = run_json(&dir.path().join(has_interval.to_string()));
        let mut bots = told["joint"]["bots"].as_array().unwrap().clone();
        bots.sort_by(|a, b| b["rating"].as_f64().unwrap().total_cmp(&a["rating"].as_f64().unwrap()));
        let rows = table(&dir.path().join("csv"), "rating");
        assert_eq!(rows.len(), bots.len());
        for (row, bot) in rows.iter().zip(bots) {
            let columns =
                [("rating", &bot["rating"]), ("best", &bot["best"]), ("bootstrap_low", &bot["bootstrap"][0])];
            for (column, value) in columns {
                assert_eq!(row[column].parse().ok(), value.as_f64(), "{column} {row:?} {bot}");
            }
            assert_eq!(
                [&bot["half_width"], &bot["bootstrap"]].map(Value::is_null),
                [!has_interval; 2],
                "{bot}"
            );
            assert_eq!([row["low"].is_empty(), row["high"].is_empty()], [!has_interval; 2], "{row:?}");
        }
    }
    run(dir.path(), &format!("run {alike} --format gauntlet --deals 40 --seed 4 --out g")).success();
    let gauntlet = run_json(&dir.path().join("g"));
    assert!(gauntlet["opponents"][0]["points"]["half_width"].is_null(), "{gauntlet}");
}

#[test]
fn tables_of_an_earlier_report_are_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules table+rules random --deals 30 --seed 4 --out three").success();
    run(dir.path(), "run rules random --deals 30 --seed 4 --out two").success();
    assert!(!report(dir.path(), "three").contains("not of this document"));
    let told = report(dir.path(), "two");
    let line = told.lines().find(|line| line.starts_with("not of this document, in csv: ")).unwrap();
    let named: Vec<_> = line.rsplit(": ").next().unwrap().split(", ").collect();
    for entry in std::fs::read_dir(dir.path().join("csv")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_old = named.contains(&name.as_str());
        std::fs::remove_file(dir.path().join("csv").join(&name)).unwrap();
        report(dir.path(), "two");
        assert_eq!(is_old, !dir.path().join("csv").join(&name).exists(), "{name}");
    }
}

#[test]
fn parts_add_up_and_every_number_is_that_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules:caution=5 rules --deals 1500 --seed 4 --records full --out r").success();
    let text = report(dir.path(), "r");
    let figures = run_json(&dir.path().join("r"))["figures"].clone();
    let csv = dir.path().join("csv");
    let pairs = pairs(&rows(&dir.path().join("r")));
    let n = 1500.0;

    let mean = figures["points"]["mean"].as_f64().unwrap();
    let all = &table(&csv, "differences")[0];
    near(number(all, "difference"), mean);
    near(number(all, "high") - mean, figures["points"]["half_width"].as_f64().unwrap());
    assert!(text.contains(&format!("{:.1}", mean.abs())), "{text}");

    let parts = table(&csv, "causes");
    let part = |name: &str| parts.iter().find(|row| row["part"] == name).unwrap();
    near(number(part("all"), "contribution"), mean);
    near(
        number(part("same contract"), "contribution") + number(part("other contract"), "contribution"),
        mean,
    );
    // Play: counted anew.
    let of_play: Vec<f64> = pairs
        .iter()
        .map(
            |(difference, _, [first, second])| {
                if first == second && first != "   " { *difference } else { 0.0 }
            },
        )
        .collect();
    let played = pairs.iter().filter(|(_, _, [first, second])| first == second && first != "   ");
    let squares = played.clone().map(|(_, squares, _)| squares).sum::<f64>();
    let played = played.count();
    let play = of_play.iter().sum::<f64>() / n;
    near(number(part("same contract"), "contribution"), play);
    assert_eq!(part("same contract")["deals"], played.to_string());
    assert!(played > 100, "{played}");
    // Student's quantile for 1499 degrees of freedom.
    let half = 1.961_542_2 * standard_error(&[(1.0, &of_play, squares / (2.0 * n))]);
    assert!((number(part("same contract"), "high") - play - half).abs() < 1e-4 * half);
    let details = table(&csv, "declarers");
    near(details.iter().map(|row| number(row, "contribution")).sum(), mean);
    assert_eq!(details.iter().map(|row| number(row, "deals")).sum::<f64>().to_string(), "1500");

    let spread = table(&csv, "spread");
    assert_eq!(spread.iter().map(|row| number(row, "deals")).sum::<f64>().to_string(), "1500");
    for row in &spread {
        let (from, to) = (number(row, "difference_from"), number(row, "difference_to"));
        let inside = pairs.iter().filter(|(difference, ..)| (from..to).contains(difference)).count();
        assert_eq!(row["deals"], inside.to_string());
    }

    let mut sizes: Vec<f64> = pairs.iter().map(|(difference, ..)| difference.abs()).collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let swings: Vec<f64> = table(&csv, "swings").iter().map(|row| number(row, "difference").abs()).collect();
    assert_eq!(swings, sizes[..10]);

    for (n, bot) in figures["by_bot"].as_array().unwrap().iter().enumerate() {
        let contracts = table(&csv, &format!("contracts-{}", n + 1));
        assert_eq!(contracts.len(), bot["contracts"].as_array().unwrap().len());
        for contract in bot["contracts"].as_array().unwrap() {
            let same = |row: &&BTreeMap<String, String>| {
                contract["level"] == row["level"].as_str() && contract["strain"] == row["strain"].as_str()
            };
            let row = contracts.iter().find(same).unwrap();
            let [played, made] = ["played", "made"].map(|key| contract[key].as_u64().unwrap());
            assert_eq!(row["contracts"], played.to_string());
            near(number(row, "made"), made as f64 / played as f64);
            let [low, high] = coinche_arena::stats::wilson(made, played, 0.95).unwrap();
            near(number(row, "low"), low);
            near(number(row, "high"), high);
        }
    }
}

#[test]
fn players_sit_as_the_rotation_of_the_rules_says() {
    let dir = tempfile::tempdir().unwrap();
    for (rotation, left, right) in [("clockwise", 1, 3), ("counterclockwise", 3, 1)] {
        let words = format!("--deals 20 --seed 1 --set deal.rotation={rotation} --out {rotation}");
        run(dir.path(), &format!("run rules random {words}")).success();
        report(dir.path(), rotation);
        let markdown = fs::read_to_string(dir.path().join("page.md")).unwrap();
        for seat in ["South (0)", "North (2)", &format!("West ({left})"), &format!("East ({right})")] {
            assert!(markdown.contains(&format!("- {seat}, ")), "{rotation}: {seat}");
        }
        let page = page(dir.path());
        let deal = page.select(&Selector::parse("[data-legs]").unwrap()).next().unwrap();
        let legs: Value = serde_json::from_str(deal.attr("data-legs").unwrap()).unwrap();
        assert_eq!((&legs[0]["places"][left], &legs[0]["places"][right]), (&"West".into(), &"East".into()));
    }
}

/// The page, checked to be whole, and to ask for nothing from elsewhere.
fn page(directory: &Path) -> Html {
    let text = fs::read_to_string(directory.join("page.html")).unwrap();
    let page = Html::parse_document(&text);
    assert!(page.errors.is_empty(), "{:?}", page.errors);
    // Names of the SVG language are no addresses that anybody asks for.
    let elsewhere = text.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "url(", "@import", "src=", "file:"] {
        assert!(!elsewhere.contains(address), "{address}");
    }
    let links = Selector::parse("[href]").unwrap();
    for link in page.select(&links) {
        let target = link.attr("href").unwrap();
        let inside = target.strip_prefix('#').map(|id| format!("[id=\"{id}\"]"));
        let found = inside.is_some_and(|id| page.select(&Selector::parse(&id).unwrap()).count() == 1);
        assert!(found || target == "data:,", "{target}");
    }
    let mut ids: Vec<_> =
        page.select(&Selector::parse("[id]").unwrap()).map(|it| it.attr("id").unwrap()).collect();
    let many = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), many, "an id is there twice");
    page
}

/// The shown cells of a table of the page.
fn cells(page: &Html, name: &str) -> Vec<Vec<String>> {
    let rows = Selector::parse(&format!("#table-{name} tbody tr")).unwrap();
    let cell = Selector::parse("td").unwrap();
    page.select(&rows).map(|row| row.select(&cell).map(|cell| cell.text().collect()).collect()).collect()
}

#[test]
fn the_page_is_whole_and_shows_what_the_files_hold() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random:pass=0.6 random --deals 300 --seed 4 --records full --out r").success();
    report(dir.path(), "r");
    let page = page(dir.path());
    let mut compared = 0;
    for file in fs::read_dir(dir.path().join("csv")).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let shown = cells(&page, &name);
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let rows: Vec<_> = reader.records().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), shown.len(), "{name}");
        if name == "times" {
            // Shown in the unit that fits.
            continue;
        }
        for (row, shown) in rows.iter().zip(&shown) {
            // A page has fewer columns: an interval stands in the cell of its number, and what the words around the
            // table say has none.
            let values: Vec<f64> = row.iter().filter_map(|value| value.parse().ok()).collect();
            for shown in shown {
                let plain = shown.replace(',', "").replace('−', "-").replace('+', "");
                let first = plain.split([' ', '±']).next().unwrap_or_default();
                let Ok(number) = first.parse::<f64>() else { continue };
                compared += 1;
                let scale = if shown.contains('%') { 100.0 } else { 1.0 };
                let is_there = values.iter().any(|value| (scale * value - number).abs() <= 0.0501);
                assert!(is_there, "{name}: {shown} is none of {values:?}");
            }
        }
    }
    assert!(compared > 250, "{compared}");
    // Ten deals of two legs of eight tricks, unless thrown in.
    let deals: Vec<_> = page.select(&Selector::parse("[data-legs]").unwrap()).collect();
    assert_eq!(deals.len(), 10);
    for deal in deals {
        let legs: Value = serde_json::from_str(deal.attr("data-legs").unwrap()).unwrap();
        for leg in legs.as_array().unwrap() {
            let hands = leg["hands"].as_array().unwrap();
            assert_eq!(hands.iter().map(|hand| hand.as_array().unwrap().len()).sum::<usize>(), 32);
            assert!(matches!(leg["tricks"].as_array().unwrap().len(), 0 | 8));
        }
    }
    for picture in fs::read_dir(dir.path().join("svg")).unwrap() {
        let text = fs::read_to_string(picture.unwrap().path()).unwrap();
        assert!(text.starts_with("<svg xmlns=") && text.ends_with("</svg>\n"), "{text}");
        assert!(Html::parse_fragment(&text).errors.is_empty());
    }
}

#[test]
fn names_cannot_change_the_page() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random:pass=0.6 random --deals 50 --seed 4 --records full --out r").success();
    let evil = "<script>alert(\"1\")</script>&amp;'|`x`";
    let in_json = serde_json::to_string(evil).unwrap();
    for file in ["run.json", "records.jsonl"] {
        let path = dir.path().join("r").join(file);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"random:pass=0.6\"", &in_json)).unwrap();
    }
    sign(&dir.path().join("r"));
    report(dir.path(), "r");
    let page = page(dir.path());
    assert_eq!(page.select(&Selector::parse("script").unwrap()).count(), 1);
    let title: String = page.select(&Selector::parse("h1").unwrap()).next().unwrap().text().collect();
    assert_eq!(title, format!("{evil} against random"));
    let markdown = fs::read_to_string(dir.path().join("page.md")).unwrap();
    assert!(!markdown.contains("<script>") && markdown.contains("&lt;script>"), "{markdown}");
    for picture in fs::read_dir(dir.path().join("svg")).unwrap() {
        assert!(!fs::read_to_string(picture.unwrap().path()).unwrap().contains("<script>"));
    }
}

#[test]
fn the_markdown_is_as_reviewed() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random:pass=0.7 random:pass=0.9 --deals 40 --seed 2 --times none --out r").success();
    report(dir.path(), "r");
    let text = fs::read_to_string(dir.path().join("page.md")).unwrap();
    let text: String = text
        .lines()
        .filter(|line| !line.starts_with("- commit") && !line.contains("uncommitted changes"))
        .flat_map(|line| [line, "\n"])
        .collect();
    snapshot("report.md", &text);
    // Deals that were not kept are played again, with the table's scores.
    assert!(text.contains("replayed from the seed"));
}

#[test]
fn the_same_files_give_the_same_bytes_from_every_form_of_table() {
    let dir = tempfile::tempdir().unwrap();
    let mut pages = Vec::new();
    for form in ["csv", "csv.zst", "parquet"] {
        let words = "run random:pass=0.7 random rules --deals 120 --seed 2 --times none --records full";
        run(dir.path(), &format!("{words} --table {form} --out r-{form}")).success();
        report(dir.path(), &format!("r-{form}"));
        let text = fs::read_to_string(dir.path().join("page.md")).unwrap();
        let first = page(dir.path()).html();
        report(dir.path(), &format!("r-{form}"));
        assert_eq!(page(dir.path()).html(), first);
        // The command is another, as it should be.
        pages.push(text.lines().filter(|line| !line.contains("arena run")).collect::<Vec<_>>().join("\n"));
    }
    assert!(pages[0] == pages[1] && pages[0] == pages[2]);
}

#[test]
fn many_bots_are_rated() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random:pass=0.7 random rules rules+random --deals 400 --seed 2 --out r").success();
    report(dir.path(), "r");
    let page = page(dir.path());
    let rating = table(&dir.path().join("csv"), "rating");
    near(rating.iter().map(|row| number(row, "rating")).sum::<f64>() + 1.0, 1.0);
    assert_eq!(rating[0]["bot"], "rules");
    near(number(&rating[0], "nash_share"), 1.0);
    for row in &rating {
        assert!(
            number(row, "bootstrap_low") < number(row, "rating")
                && number(row, "rating") < number(row, "bootstrap_high"),
            "{row:?}"
        );
    }
    near(rating.iter().map(|row| number(row, "best")).sum(), 1.0);
    assert_eq!(table(&dir.path().join("csv"), "matrix").len(), 12);
    let differences = table(&dir.path().join("csv"), "differences");
    let p_values: Vec<f64> = differences.iter().map(|row| number(row, "p_value")).collect();
    let corrected: Vec<f64> = differences.iter().map(|row| number(row, "p_holm")).collect();
    assert_eq!(corrected, coinche_arena::stats::holm(&p_values));
    let verdict: String = page.select(&Selector::parse(".verdict").unwrap()).next().unwrap().text().collect();
    assert!(verdict.starts_with("rules beats every other bot; "), "{verdict}");
}

/// Every pairing has its tables, also those behind the pictures.
#[test]
fn of_many_pairings_nothing_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let bots: Vec<_> = (2..9).map(|n| format!("random:pass=0.{n}")).collect();
    run(dir.path(), &format!("run rules {} --deals 12 --seed 2 --out r", bots.join(" "))).success();
    report(dir.path(), "r");
    let csv = dir.path().join("csv");
    for pairing in 1..=28 {
        for name in ["spread", "declarers"] {
            let rows = table(&csv, &format!("{name}-{pairing}"));
            assert_eq!(rows.iter().map(|row| number(row, "deals")).sum::<f64>().to_string(), "12");
        }
        assert_eq!(table(&csv, &format!("causes-{pairing}"))[0]["deals"], "12");
    }
    assert!(table(&csv, "contracts-8").iter().all(|row| number(row, "contracts") > 0.0));
    assert!(!csv.join("spread-29.csv").exists());
    let pictures = fs::read_dir(dir.path().join("svg")).unwrap().count();
    let page = page(dir.path());
    assert_eq!(page.select(&Selector::parse("figure").unwrap()).count(), pictures);
    let folds = |path: &str| {
        let summaries = Selector::parse(&format!("{path} > summary")).unwrap();
        let texts: Vec<String> = page.select(&summaries).map(|summary| summary.text().collect()).collect();
        texts.into_iter().filter(|text| !text.starts_with("Deal ") && !text.starts_with("Hands,")).count()
    };
    // The causes of each pairing, all differences, all contracts; in these the tables of 22 pairings and of two bots.
    assert_eq!(folds("section > details"), 28 + 2);
    assert_eq!(folds("section > details > details"), 22 + 2);
}

#[test]
fn matches_are_counted_again_from_their_deals() {
    let dir = tempfile::tempdir().unwrap();
    for (n, rules) in ["coinche", "bga-ja", "coinchee"].into_iter().enumerate() {
        let out = format!("m{n}");
        let words =
            format!("run rules:caution=5 rules --match --deals 30 --seed {n} --rules {rules} --out {out}");
        run(dir.path(), &words).success();
        report(dir.path(), &out);
        let csv = dir.path().join("csv");
        let figures = run_json(&dir.path().join(&out))["figures"].clone();
        let ended = &table(&csv, "matches")[0];
        let column = |name: &str| number(ended, name);
        let odd = ["a_won_one", "b_won_one"].map(column);
        let (both, even, none) = (column("a_won_both"), column("even"), column("b_won_both"));
        assert_eq!((both + even + none + odd[0] + odd[1]).to_string(), "30");
        let net = (2.0 * both + odd[0] - odd[1] - 2.0 * none) / 2.0 / 30.0;
        near(net, figures["wins"]["mean"].as_f64().unwrap());
        near(column("deals_per_leg") * 60.0, figures["legs"].as_f64().unwrap());
        let spread = table(&csv, "spread");
        assert_eq!(spread.iter().map(|row| number(row, "deals")).sum::<f64>().to_string(), "30");
        let swings = table(&csv, "match-swings");
        assert_eq!(swings.len(), 10);
        for rows in swings.windows(2) {
            assert!(number(&rows[0], "difference").abs() >= number(&rows[1], "difference").abs());
        }
        // The largest one, from its rows: no points wait under these rules.
        let rows = rows(&dir.path().join(&out));
        for (leg, sign) in [("0", 1.0), ("1", -1.0)] {
            let of = rows.iter().filter(|row| row["match"] == swings[0]["match"] && row["leg"] == leg);
            let points = of.map(|row| sign * (number(row, "score0") - number(row, "score1"))).sum::<f64>();
            near(number(&swings[0], if leg == "0" { "difference_leg0" } else { "difference_leg1" }), points);
        }
        let text: String = page(dir.path()).root_element().text().collect();
        assert!(text.contains("their two legs do not have the same deals"), "{text}");
    }
    // Rows that are missing are missed, and others have another mean.
    let path = dir.path().join("m0/summary.csv");
    let text = fs::read_to_string(&path).unwrap();
    let twice: String = text.replacen("\n0,0,", "\n0,1,", 1);
    assert_ne!(twice, text);
    fs::write(&path, twice).unwrap();
    fails(run(dir.path(), "report m0"), 1, &["summary.csv is damaged"]);
    sign(&dir.path().join("m0"));
    fails(run(dir.path(), "report m0"), 2, &["summary.csv", "expected the next deal of a match"]);
    let cut = text.lines().take(200).flat_map(|line| [line, "\n"]).collect::<String>();
    fs::write(&path, cut).unwrap();
    sign(&dir.path().join("m0"));
    fails(run(dir.path(), "report m0"), 2, &["summary.csv", "matches are missing"]);
}

/// Where points of ties wait the rows do not tell a match.
#[test]
fn matches_with_points_that_wait_are_not_counted_again() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules random --match --deals 2 --seed 1 --rules belote --set match.tie=held --out m";
    run(dir.path(), words).success();
    report(dir.path(), "m");
    let text: String = page(dir.path()).root_element().text().collect();
    assert!(text.contains("points of a tie carry over to the next deal"), "{text}");
    for name in ["swings", "match-swings"] {
        assert!(table(&dir.path().join("csv"), name).is_empty(), "{name}");
    }
}

#[test]
fn tests_and_runs_stand_on_one_page() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --match --deals 12 --seed 2 --out m").success();
    run(dir.path(), "run rules random --deals 30 --seed 2 --records none --out n").success();
    run(dir.path(), "sprt rules random --lower 0 --upper 5 --seed 1 --out s --progress none").success();
    report(dir.path(), "m n s");
    let page = page(dir.path());
    let text: String = page.root_element().text().collect();
    for part in ["the upper bound of 5", "Not available for matches", "has no summary table", "Overview"] {
        assert!(text.contains(part), "{part}");
    }
    let trace = table(&dir.path().join("csv"), "run3-sprt-llr");
    let looks = table(&dir.path().join("s"), "sprt");
    assert_eq!(trace.len(), looks.len());
    near(number(trace.last().unwrap(), "llr"), number(looks.last().unwrap(), "llr"));
}

#[test]
fn forecasts_and_faults_come_from_the_records() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --deals 200 --seed 2 --records full --out r").success();
    let path = dir.path().join("r/records.jsonl");
    let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let text: String = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .enumerate()
        .flat_map(|(n, line)| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            let declarer = record["contract"]["declarer"].as_u64();
            if let Some(declarer) = declarer {
                let bot = record["bots"][usize::try_from(declarer).unwrap()].as_str().unwrap().to_owned();
                let (count, made) = expected.entry(bot).or_default();
                *count += 1;
                *made += u64::from(record["made"] == true);
                // That of the bid of the contract counts; those of other calls, partner's and the play's do not.
                let calls = record["auction"].as_array().unwrap().iter().filter(|call| call[0] == declarer);
                let is_bid = |call: &&Value| {
                    call[1].as_str().unwrap().starts_with(|c: char| c.is_ascii_digit() || c == 'C')
                };
                let calls: Vec<_> = calls.collect();
                let bid = calls.iter().rposition(is_bid).unwrap();
                record["thoughts"] = serde_json::json!([
                    {"seat": (declarer + 2) % 4, "decision": bid, "chance": 0.1},
                    {"seat": declarer, "decision": bid, "chance": 0.75},
                    {"seat": declarer, "decision": bid + 1, "chance": 0.2},
                    {"seat": declarer, "decision": 30, "chance": 0.9},
                ]);
            }
            if n == 7 {
                record["faults"] =
                    serde_json::json!([{"seat": 0, "kind": "illegal", "detail": "<said> nothing"}]);
            }
            [record.to_string(), "\n".to_owned()]
        })
        .collect();
    fs::write(&path, text).unwrap();
    let run_json = dir.path().join("r/run.json");
    let text = fs::read_to_string(&run_json).unwrap();
    fs::write(&run_json, text.replacen("\"illegal\": 0", "\"illegal\": 1", 1)).unwrap();
    sign(&dir.path().join("r"));
    report(dir.path(), "r");
    for (n, (count, made)) in expected.values().enumerate() {
        let bot = 1 - n;
        let rows = table(&dir.path().join("csv"), &format!("forecasts-{}", n + 1));
        assert_eq!(rows.len(), 2, "{bot}: all, and those not coinched");
        assert_eq!(rows[0]["which"], "all");
        assert_eq!(rows[0]["contracts"], count.to_string());
        near(number(&rows[0], "forecast"), 0.75);
        near(number(&rows[0], "made"), *made as f64 / *count as f64);
    }
    let text: String = page(dir.path()).root_element().text().collect();
    assert!(text.contains("illegal, deal 3, leg 2: <said> nothing"), "{text}");
}

#[test]
fn what_is_no_run_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fails(run(dir.path(), "report"), 2, &["RUN"]);
    fails(run(dir.path(), "report nowhere"), 2, &["nowhere", "run.json"]);
    run(dir.path(), "run random random --deals 20 --seed 2 --out r").success();
    let summary = dir.path().join("r/summary.csv");
    let whole = fs::read_to_string(&summary).unwrap();
    for (text, parts) in [
        (whole.split_inclusive('\n').take(20).collect(), &["summary.csv", "missing"] as &[&str]),
        (whole.replacen("\n3,1,", "\n4,1,", 1), &["line 9", "leg 1 of deal 3"]),
        (whole.replacen("\n3,1,bga", "\nx,1,bga", 1), &["line 9", "not a row"]),
        (String::new(), &["summary.csv", "columns"]),
    ] {
        fs::write(&summary, text).unwrap();
        sign(&dir.path().join("r"));
        fails(run(dir.path(), "report r"), 2, parts);
    }
    fs::write(&summary, &whole).unwrap();
    sign(&dir.path().join("r"));
    let run_json = dir.path().join("r/run.json");
    let text = fs::read_to_string(&run_json).unwrap();
    let mut other: Value = serde_json::from_str(&text).unwrap();
    other["figures"]["points"]["mean"] = 1000.5.into();
    fs::write(&run_json, other.to_string()).unwrap();
    sign(&dir.path().join("r"));
    fails(run(dir.path(), "report r"), 2, &["points, but run.json has 1000.5"]);
    fs::write(&run_json, "{}").unwrap();
    sign(&dir.path().join("r"));
    fails(run(dir.path(), "report r"), 2, &["run.json", "missing field"]);
    fails(run(dir.path(), "report r --out nowhere/x.html"), 2, &["run.json"]);
    fs::write(&run_json, text).unwrap();
    sign(&dir.path().join("r"));
    fails(run(dir.path(), "report r --out nowhere/x.html"), 3, &["nowhere", "cannot write"]);
}

/// The shares of `--split`, recounted from the records.
#[test]
fn a_difference_is_split_into_bidding_and_cards() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules:caution=12 table+random --split --deals 60 --seed 3 --records full --out s";
    let said = stdout(&run(dir.path(), words).success());
    assert!(said.starts_with(
        "arena run rules:caution=12 table+random rules:caution=12+random table+rules --deals 60"
    ));
    // By two bots and deal the sum of both legs' differences.
    let mut sums = BTreeMap::<(String, String), Vec<f64>>::new();
    for record in records(&dir.path().join("s")) {
        let bot = |seat: usize| record["bots"][seat].as_str().unwrap().to_owned();
        let score = |team: usize| record["score"][team].as_f64().unwrap();
        let deal = usize::try_from(record["deal"].as_u64().unwrap()).unwrap();
        for (x, y) in [(0, 1), (1, 0)] {
            let of = sums.entry((bot(x), bot(y))).or_insert_with(|| vec![0.0; 60]);
            of[deal] += (score(x) - score(y)) / 2.0;
        }
    }
    let [a, b, ab, ba] = ["rules:caution=12", "table+random", "rules:caution=12+random", "table+rules"];
    let v =
        |x: &str, y: &str, deal: usize| if x == y { 0.0 } else { sums[&(x.to_owned(), y.to_owned())][deal] };
    let share = |first: &str, second: &str, deal: usize| {
        let added = |y: &str| v(first, y, deal) - v(b, y, deal) + v(a, y, deal) - v(second, y, deal);
        (added(a) + added(b)) / 4.0
    };
    let mean = |of: &dyn Fn(usize) -> f64| (0..60).map(of).sum::<f64>() / 60.0;
    let split = run_json(&dir.path().join("s"))["split"].clone();
    let told = |half: &str| split[half]["mean"].as_f64().unwrap();
    near(told("bidding"), mean(&|deal| share(ab, ba, deal)));
    near(told("cards"), mean(&|deal| share(ba, ab, deal)));
    near(told("difference"), mean(&|deal| v(a, b, deal)));
    near(told("bidding") + told("cards"), told("difference"));
    // The interval is at least that of the shares by deal.
    let (bidding, cards) = (told("bidding"), told("cards"));
    for (half, mean, of) in [("bidding", bidding, [ab, ba]), ("cards", cards, [ba, ab])] {
        let squares: f64 = (0..60).map(|deal| (share(of[0], of[1], deal) - mean).powi(2)).sum();
        let plain = 2.001 * (squares / 59.0 / 60.0).sqrt();
        let told = split[half]["half_width"].as_f64().unwrap();
        assert!((plain - 0.01..1.5 * plain).contains(&told), "{half}: {told} and {plain}");
    }
    report(dir.path(), "s");
    let rows = table(&dir.path().join("csv"), "split");
    assert_eq!(rows.iter().map(|row| row["half"].as_str()).collect::<Vec<_>>(), ["bidding", "cards", "all"]);
    near(number(&rows[1], "split_points"), cards);
    // The same in parts, and only of two bots.
    for shard in [1, 2] {
        run(dir.path(), &format!("{words}{shard} --shard {shard}/2")).success();
    }
    run(dir.path(), "merge s1 s2 --out merged").success();
    assert_eq!(run_json(&dir.path().join("merged"))["split"], split);
    fails(run(dir.path(), "run rules table random --split"), 2, &["--split: expected two bots"]);
}
