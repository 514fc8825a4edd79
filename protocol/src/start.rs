//! The message that starts a program.

use coinche_bots::Program;
use coinche_engine::RuleSet;

/// Returns the message `start`, without the end of the line.
pub(super) fn start_message(rules: &RuleSet, program: &Program) -> String {
    let options: serde_json::Map<String, serde_json::Value> =
        program.options.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    let json = |value: serde_json::Result<String>| value.expect("rules and options are plain data");
    format!(
        "{{\"type\":\"start\",\"options\":{},\"timeout_ms\":{},\"preset\":{},\"rules\":{}}}",
        json(serde_json::to_string(&options)),
        program.timeout.as_millis(),
        json(serde_json::to_string(&rules.preset_name())),
        json(serde_json::to_string(rules)),
    )
}
