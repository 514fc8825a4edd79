//! Tells the program from which commit it was built; the path of the checkout stays out of it.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    // Sources, so that uncommitted changes are noticed; HEAD's log, so that commits are.
    println!("cargo:rerun-if-changed=build.rs");
    for part in
        ["../engine/src", "../inference/src", "../bots/src", "../selfplay/src", "src", "../Cargo.lock"]
    {
        println!("cargo:rerun-if-changed={part}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let changed = git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        "../engine",
        "../inference",
        "../bots",
        "../selfplay",
        ".",
    ])
    .is_some_and(|changes| !changes.is_empty());
    let mark = if changed { "+changes" } else { "" };
    println!("cargo:rustc-env=ARENA_COMMIT={commit}{mark}");
}
