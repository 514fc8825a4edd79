//! Relative links of all pages, and the pages and sections that code cites.

use std::path::{Component, Path, PathBuf};

use super::{Page, files, root};

/// What stands in parentheses behind `](`, line by line.
fn links(page: &Page) -> Vec<(usize, &str)> {
    let in_line = |(number, line): (usize, &'_ str)| -> Vec<(usize, usize, usize)> {
        let starts = line.match_indices("](").map(|(at, _)| at + 2);
        starts.filter_map(|at| Some((number, at, at + line[at..].find(')')?))).collect()
    };
    let prose = page.prose();
    let found = prose.iter().flat_map(|&(number, line)| {
        in_line((number, line)).into_iter().map(move |(number, from, to)| (number, &line[from..to]))
    });
    found.collect()
}

/// The name by which a page links to one of its headings, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

fn headings(page: &Page) -> Vec<String> {
    let lines = page.prose();
    let found = lines.iter().filter(|(_, line)| line.starts_with('#'));
    found.map(|(_, line)| line.trim_start_matches('#').trim().to_owned()).collect()
}

/// Takes `x/../` out of a path.
fn plain(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if parts.pop() => {}
            Component::CurDir => {}
            part => parts.push(part),
        }
    }
    parts
}

#[test]
fn no_relative_link_is_broken() {
    let (root, pages) = (root(), files(&[".md"]));
    assert!(pages.len() > 25, "{} pages", pages.len());
    let (mut wrong, mut relative) = (Vec::new(), 0);
    for page in &pages {
        for (number, link) in links(page) {
            // Paths of Rust in the pages that are also documentation of a crate are rustdoc's to check.
            if link.contains("://") || link.contains("::") || link.starts_with("mailto:") {
                continue;
            }
            relative += 1;
            let (file, section) = link.split_once('#').unwrap_or((link, ""));
            let path = Path::new(&page.path);
            let target =
                if file.is_empty() { path.to_owned() } else { plain(&path.parent().unwrap().join(file)) };
            if !root.join(&target).exists() {
                wrong.push(format!("{}:{number}: {link}: no such file", page.path));
            } else if !section.is_empty() {
                let there = pages.iter().find(|page| Path::new(&page.path) == target);
                if !there.is_some_and(|page| headings(page).iter().any(|text| anchor(text) == section)) {
                    wrong.push(format!("{}:{number}: {link}: no such heading", page.path));
                }
            }
        }
    }
    assert!(relative > 60, "{relative} links");
    assert!(wrong.is_empty(), "broken links:\n{}", wrong.join("\n"));
}

/// Comments and help texts name pages as `docs/NAME.md`, and sections as `docs/NAME.md, "Heading"`.
#[test]
fn what_code_cites_is_in_the_repository() {
    let pages = files(&[".md"]);
    let (mut wrong, mut cited, mut sections) = (Vec::new(), 0, 0);
    for source in files(&[".rs", ".toml", ".yml", ".py", ".md"]) {
        if source.path == "CHANGELOG.md" || source.path.starts_with("arena/tests/it/docs/") {
            continue;
        }
        // A citation may go on in the next line of a comment.
        let lines =
            source.text.lines().map(|line| line.trim_start().trim_start_matches(['/', '!', '#']).trim());
        let text = lines.collect::<Vec<_>>().join(" ");
        for (at, _) in text.match_indices("docs/") {
            let rest = &text[at..];
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && !"/-_.".contains(letter));
            let Some((name, after)) =
                rest.split_at(end.unwrap_or(rest.len())).0.split_once(".md").map(|(name, _)| {
                    let name = format!("{name}.md");
                    let after = &rest[name.len()..];
                    (name, after)
                })
            else {
                continue;
            };
            cited += 1;
            let Some(page) = pages.iter().find(|page| page.path == name) else {
                wrong.push(format!("{}: {name}: no such page", source.path));
                continue;
            };
            let after = after.trim_start_matches('`');
            if let Some((section, _)) = after.strip_prefix(", \"").and_then(|after| after.split_once('"')) {
                sections += 1;
                if !headings(page).iter().any(|heading| heading == section) {
                    wrong.push(format!("{}: {name}, \"{section}\": no such section", source.path));
                }
            }
        }
        for old in ["RULES section", "RULES, section", "RULES.md", "FORMATS.md"] {
            if text.contains(old) {
                wrong.push(format!("{}: cites {old}, which is not in the repository", source.path));
            }
        }
    }
    assert!(cited > 30 && sections > 10, "{cited} pages, {sections} sections");
    assert!(wrong.is_empty(), "citations of what is not there:\n{}", wrong.join("\n"));
}

#[test]
fn anchors_are_made_as_on_github() {
    assert_eq!(anchor("What can go wrong"), "what-can-go-wrong");
    assert_eq!(anchor("The chance to win the match (`equity=on`)"), "the-chance-to-win-the-match-equityon");
    assert_eq!(plain(Path::new("docs/user/../search.md")), Path::new("docs/search.md"));
}
