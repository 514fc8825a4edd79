//! No module imports itself in a circle, in any crate; and the floors inside `selfplay` and `arena`. Between crates the
//! compiler sees to it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// From the lowest to the highest: a floor imports only from those before it (`docs/dev/architecture.md`).
const FLOORS: [&str; 7] = ["base", "document", "play", "records", "speed", "commands", "cli"];

/// The crates in which no module of the root, a file or a folder, imports another in a circle.
const CRATES: [&str; 7] = ["engine", "inference", "bots", "protocol", "runs", "analysis", "serve"];

/// A source file, by its path under `src`, and its text without comments.
fn sources(directory: &Path, under: &str, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{under}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            sources(&path, &format!("{name}/"), found);
        } else if let Some(module) = name.strip_suffix(".rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            found.push((module.to_owned(), code.collect::<Vec<_>>().join("\n")));
        }
    }
}

/// All paths that begin with `crate::`, or with `super::` outside of tests, from the root of the crate; through groups
/// in braces: `crate::{base::x, play}` gives two.
fn imports(module: &str, code: &str) -> Vec<Vec<String>> {
    let mut own: Vec<String> = module.split('/').map(str::to_owned).collect();
    if own.last().is_some_and(|last| last == "mod") {
        own.pop();
    }
    let mut found = Vec::new();
    let starts = |word: &'static str| {
        // `$crate::` and `some_crate::` are others, and `super::super::` begins once.
        let begins = |at: &usize| {
            let before = &code[..*at];
            !before.ends_with(|letter: char| letter.is_alphanumeric() || "_$:".contains(letter))
        };
        code.match_indices(word).map(|(at, _)| at).filter(begins)
    };
    for at in starts("crate::") {
        tree(&code[at + "crate::".len()..], &mut Vec::new(), &mut found);
    }
    // In a module of tests `super` is the file itself.
    let tests = code.find("#[cfg(test)]").unwrap_or(code.len());
    for at in starts("super::").filter(|at| *at < tests) {
        let (mut rest, mut path) = (&code[at..], own.clone());
        while let Some(after) = rest.strip_prefix("super::") {
            path.pop();
            rest = after;
        }
        tree(rest, &mut path, &mut found);
    }
    found
}

/// Reads one tree of a path, and returns what comes after it.
fn tree<'a>(code: &'a str, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            if let Some(rest) = rest.strip_prefix('}') {
                return rest;
            }
            let depth = path.len();
            let after = tree(rest, path, found);
            path.truncate(depth);
            assert!(after.len() < rest.len(), "a group of imports that cannot be read: {rest}");
            rest = after;
        }
    }
    let end = code.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    path.push(name.to_owned());
    if let Some(rest) = rest.strip_prefix("::") {
        return tree(rest, path, found);
    }
    found.push(path.clone());
    // What is renamed stands behind ` as `.
    let rest = rest.trim_start();
    let renamed = rest.strip_prefix("as ").map(|rest| {
        rest.trim_start().trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
    });
    renamed.unwrap_or(rest.strip_prefix('*').unwrap_or(rest))
}

/// Returns the modules that stand on a circle of imports.
fn on_a_circle(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<&String> {
    let reaches = |from: &str, to: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(module) = open.pop() {
            for next in imports.get(&module).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        false
    };
    imports.keys().filter(|module| reaches(module, module)).collect()
}

fn all() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for directory in ["../selfplay/src", "src"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(directory), "", &mut found);
    }
    assert!(found.len() > 100, "{} files", found.len());
    found
}

#[test]
fn no_import_climbs() {
    let mut wrong = Vec::new();
    for (module, code) in all() {
        let own = module.split('/').next().unwrap();
        // The root, the program and the bodies of fuzz targets stand above all floors.
        let Some(own) = FLOORS.iter().position(|floor| *floor == own) else {
            assert!(["lib", "main", "fuzz"].contains(&own), "{module} is on no floor");
            continue;
        };
        for path in imports(&module, &code) {
            match FLOORS.iter().position(|floor| *floor == path[0]) {
                Some(other) if other <= own => {}
                _ => wrong.push(format!("{module} imports crate::{}", path.join("::"))),
            }
        }
    }
    assert!(wrong.is_empty(), "imports that climb:\n{}", wrong.join("\n"));
}

#[test]
fn no_floor_imports_itself_in_a_circle() {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let sources = all();
    let two = |module: &String| module.split('/').take(2).collect::<Vec<_>>().join("/");
    let rooms: BTreeSet<String> = sources.iter().map(|(module, _)| two(module)).collect();
    for (module, code) in sources {
        let mut parts = module.split('/');
        let (floor, Some(room)) = (parts.next().unwrap(), parts.next()) else { continue };
        // A floor's root only names its rooms.
        if room == "mod" {
            continue;
        }
        let room = format!("{floor}/{room}");
        assert!(rooms.contains(&room));
        let imported = graph.entry(room.clone()).or_default();
        for path in imports(&module, &code).into_iter().filter(|path| path[0] == floor && path.len() > 1) {
            let other = format!("{floor}/{}", path[1]);
            // The root has its rooms from below: what it has is to be taken from where it is.
            assert!(rooms.contains(&other), "{module} imports {} of its floor's root", path.join("::"));
            if other != room {
                imported.insert(other);
            }
        }
    }
    let circle = on_a_circle(&graph);
    assert!(circle.is_empty(), "rooms that import each other: {circle:?}");
}

#[test]
fn no_module_of_a_crate_imports_itself_in_a_circle() {
    for name in CRATES {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../{name}/src")), "", &mut files);
        let root = files.iter().position(|(module, _)| module == "lib").unwrap();
        let (_, root) = files.swap_remove(root);
        // What the root exports, by the modules that have it.
        let mut exported = Vec::new();
        for rest in root.split("pub use ").skip(1) {
            tree(rest, &mut Vec::new(), &mut exported);
        }
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, code) in files.iter().filter(|(module, _)| !module.ends_with("/tests")) {
            let code = code.split("#[cfg(test)]\nmod tests").next().unwrap();
            let own = module.split('/').next().unwrap();
            for path in imports(module, code) {
                let home = exported.iter().find(|export| export.last() == Some(&path[0])).unwrap_or(&path);
                assert!(
                    root.contains(&format!("mod {};", home[0])),
                    "{name}: {module} imports crate::{}, which no module has",
                    path.join("::")
                );
                if home[0] != own {
                    graph.entry(own.to_owned()).or_default().insert(home[0].clone());
                }
            }
        }
        let circle = on_a_circle(&graph);
        assert!(circle.is_empty(), "modules of {name} that import each other: {circle:?}");
    }
}

#[test]
fn imports_are_read_in_every_form() {
    let read =
        |module, code| imports(module, code).into_iter().map(|path| path.join("::")).collect::<Vec<_>>();
    assert_eq!(
        read("x", "use crate::{a::{b, c as d, e::*}, f};\nlet x = crate::g::h(1); use my_crate::i;"),
        ["a::b", "a::c", "a::e::", "f", "g::h"]
    );
    let code = "use super::{b, super::c};\nuse super::super::d;\n#[cfg(test)]\nmod tests { use super::*; }";
    assert_eq!(
        read("floor/room/file", "use super::b; use super::super::{c, d::e};"),
        ["floor::room::b", "floor::c", "floor::d::e"]
    );
    assert_eq!(read("floor/room/mod", &code.replace("{b, super::c}", "b")), ["floor::b", "d"]);
    let edges = |pairs: &[[&str; 2]]| {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for [from, to] in pairs {
            graph.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        graph
    };
    assert_eq!(on_a_circle(&edges(&[["a", "b"], ["b", "c"], ["c", "b"], ["d", "a"]])), ["b", "c"]);
}
