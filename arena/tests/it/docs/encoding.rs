//! The tables of `docs/encoding.md` are those of the engine.

use super::root;
use coinche_engine::encoding::FEATURES;

#[test]
fn the_table_of_features_is_that_of_the_engine() {
    let page = std::fs::read_to_string(root().join("docs/encoding.md")).unwrap();
    let rows: Vec<&str> = page.lines().skip_while(|line| !line.starts_with("| name |")).skip(2).collect();
    for (feature, row) in FEATURES.iter().zip(&rows) {
        let expected =
            format!("| `{}` | {} | {} | {} |", feature.name, feature.start, feature.len, feature.meaning);
        assert_eq!(*row, expected);
    }
    assert!(!rows[FEATURES.len()].starts_with('|'), "{}", rows[FEATURES.len()]);
}
