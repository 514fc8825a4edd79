//! Tells the program from which commit and for which machines it was built; the path of the checkout stays out of it.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The levels of x86-64 from the highest on, each with those of its features that the levels below lack.
const LEVELS: [(&str, &[&str]); 3] = [
    ("x86-64-v4", &["avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"]),
    ("x86-64-v3", &["avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe"]),
    ("x86-64-v2", &["cmpxchg16b", "popcnt", "sse4.2", "ssse3"]),
];

/// Returns the level of the processors that have these features.
fn level<'a>(arch: &'a str, features: &[&str]) -> &'a str {
    let reaches =
        |from: usize| LEVELS[from..].iter().all(|(_, of)| of.iter().all(|it| features.contains(it)));
    match arch {
        "x86_64" => (0..LEVELS.len()).find(|from| reaches(*from)).map_or("x86-64", |from| LEVELS[from].0),
        other => other,
    }
}

/// What the program is made of.
const PARTS: [&str; 9] = [
    "../engine/src",
    "../inference/src",
    "../bots",
    "../selfplay/src",
    "../protocol/src",
    "src",
    "../analysis/src",
    "../arena/src",
    "../Cargo.lock",
];

fn main() {
    let of_cargo = |name: &str| std::env::var(name).unwrap_or_default();
    let (arch, features) = (of_cargo("CARGO_CFG_TARGET_ARCH"), of_cargo("CARGO_CFG_TARGET_FEATURE"));
    let features: Vec<_> = features.split(',').filter(|feature| !feature.is_empty()).collect();
    println!("cargo:rustc-env=ARENA_TARGET={}", of_cargo("TARGET"));
    println!("cargo:rustc-env=ARENA_CPU={}", level(&arch, &features));
    println!("cargo:rustc-env=ARENA_FEATURES={}", features.join(" "));
    // Sources, so that uncommitted changes are noticed; HEAD's log, so that commits are.
    println!("cargo:rerun-if-changed=build.rs");
    for part in PARTS {
        println!("cargo:rerun-if-changed={part}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let changed = git(&[&["status", "--porcelain", "--untracked-files=no", "--"], &PARTS[..]].concat())
        .is_some_and(|changes| !changes.is_empty());
    let mark = if changed { "+changes" } else { "" };
    println!("cargo:rustc-env=ARENA_COMMIT={commit}{mark}");
}
