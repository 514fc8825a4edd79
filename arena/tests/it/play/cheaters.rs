//! A bot that sees all hands is called so wherever its result stands.

use std::fs;

use crate::common::{fails, run, run_json, stdout};

const SAYS: &str = "rules+open:sees=all sees all hands: its result is an upper bound, not a fair comparison.";

#[test]
fn a_cheater_is_named_in_every_output() {
    let dir = tempfile::tempdir().unwrap();
    let assert = run(dir.path(), "run rules+open rules --deals 8 --seed 2 --records full --out o").success();
    let text = stdout(&assert);
    assert!(text.contains(SAYS) && text.contains("rules+open:sees=all"), "{text}");
    assert_eq!(run_json(&dir.path().join("o"))["cheaters"], serde_json::json!(["rules+open:sees=all"]));
    let records = fs::read_to_string(dir.path().join("o/records.jsonl")).unwrap();
    assert!(records.lines().all(|line| line.contains("\"rules+open:sees=all\"")));
    assert!(records.contains("\"thoughts\":["));
    run(dir.path(), "verify o").success();

    run(dir.path(), "report o --out page.html --markdown page.md").success();
    for file in ["page.html", "page.md"] {
        let page = fs::read_to_string(dir.path().join(file)).unwrap();
        assert!(page.contains(SAYS), "{file}");
    }

    let frozen = "run rules rules:caution=5 --deals 4 --seed 2 --freeze play=rules+open --out f";
    assert!(stdout(&run(dir.path(), frozen).success()).contains(&SAYS["rules+".len()..]));

    let flags = "--lower 0 --upper 50 --seed 2 --max-deals 20 --out s --progress none";
    let tested = stdout(&run(dir.path(), &format!("sprt rules+open rules {flags}")));
    assert!(tested.contains(SAYS), "{tested}");
    assert!(
        stdout(&run(dir.path(), "bots").success())
            .contains("sees all hands and plays double dummy: not a fair player")
    );
}

#[test]
fn a_cheater_is_no_program_for_others() {
    let dir = tempfile::tempdir().unwrap();
    let parts = ["`rules+open:sees=all` sees all hands, which the protocol does not send"];
    fails(run(dir.path(), "engine rules+open"), 2, &parts);
}
