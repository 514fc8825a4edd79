//! The example bot answers what it is asked.

#[path = "../../../examples/simple_bot.rs"]
#[expect(dead_code, reason = "its main function is for the example")]
mod simple_bot;

use std::fs;
use std::path::Path;

use serde_json::Value;

#[test]
fn the_example_answers_every_question_of_a_batch_legally() {
    // The batch of the documentation's exchange, a hundred times with other seeds.
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.md");
    let page = fs::read_to_string(page).unwrap();
    let batch = page.lines().find_map(|line| line.strip_prefix("> {\"type\":\"batch\"")).unwrap();
    let batch: Value = serde_json::from_str(&format!("{{\"type\":\"batch\"{batch}")).unwrap();
    let mut lines = vec![r#"{"type":"hello","protocol":1}"#.to_owned(), r#"{"type":"start"}"#.to_owned()];
    for n in 0..100u64 {
        let mut batch = batch.clone();
        for go in batch["go"].as_array_mut().unwrap() {
            go["seed"] = format!("{:016x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into();
        }
        lines.push(batch.to_string());
    }
    lines.extend([r#"{"type":"over"}"#.to_owned(), r#"{"type":"quit"}"#.to_owned(), "beyond".to_owned()]);
    let mut said = Vec::new();
    simple_bot::play(&mut lines.join("\n").as_bytes(), &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    let said: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&said[0]["protocol"], &said[1]["type"]), (&1.into(), &"ready".into()));
    let mut cards = std::collections::BTreeSet::new();
    assert_eq!(said.len(), 102);
    for answer in &said[2..] {
        let moves = answer["moves"].as_array().unwrap();
        let questions = batch["go"].as_array().unwrap();
        assert_eq!(moves.len(), questions.len());
        for (answer, go) in moves.iter().zip(questions) {
            assert_eq!(answer["id"], go["id"]);
            assert!(go["legal"].as_array().unwrap().contains(&answer["move"]));
            cards.insert(answer["move"].as_str().unwrap().to_owned());
        }
    }
    assert!(cards.len() > 2, "the seed decides: {cards:?}");
}
