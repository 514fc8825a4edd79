//! What people read: links lead somewhere, code cites pages and sections that exist, every command runs, and every
//! sample of output is what the program prints.

#[cfg(unix)]
mod commands;
mod encoding;
#[cfg(unix)]
mod figures;
mod links;
mod samples;

use std::fs;
use std::path::{Path, PathBuf};

/// A page: its path from the repository's root, and its text.
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A block of code: its language, the number of its first line, its lines, and what an HTML comment says before it.
pub(crate) struct Block<'a> {
    pub(crate) language: &'a str,
    pub(crate) line: usize,
    pub(crate) lines: Vec<&'a str>,
    pub(crate) remark: Option<&'a str>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the arena lies in the repository").to_owned()
}

/// All files with one of these endings, from the repository's root, without what is built or played.
pub(crate) fn files(endings: &[&str]) -> Vec<Page> {
    fn walk(directory: &Path, root: &Path, endings: &[&str], found: &mut Vec<Page>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let hidden = name.starts_with('.') && name != ".ci" && name != ".github" && name != ".cargo";
            if hidden || name == "target" || path.is_symlink() || path == root.join("results/runs") {
                continue;
            }
            if path.is_dir() {
                walk(&path, root, endings, found);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                found.push(Page { path, text });
            }
        }
    }
    let (root, mut found) = (root(), Vec::new());
    walk(&root, &root, endings, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl Page {
    /// The blocks of code between fences.
    pub(crate) fn blocks(&self) -> Vec<Block<'_>> {
        let (mut found, mut remark, mut open): (Vec<Block<'_>>, _, Option<Block<'_>>) =
            (Vec::new(), None, None);
        for (number, line) in self.text.lines().enumerate() {
            let text = line.trim();
            if let Some(fence) = text.strip_prefix("```") {
                if let Some(block) = open.take() {
                    found.push(block);
                } else {
                    let remark = remark.take();
                    open = Some(Block { language: fence, line: number + 2, lines: Vec::new(), remark });
                }
            } else if let Some(block) = &mut open {
                block.lines.push(line);
            } else if !text.is_empty() {
                remark = text.strip_prefix("<!--").and_then(|text| text.strip_suffix("-->")).map(str::trim);
            }
        }
        assert!(open.is_none(), "{}: a block of code without an end", self.path);
        found
    }

    /// The lines outside of blocks of code, each with its number.
    pub(crate) fn prose(&self) -> Vec<(usize, &str)> {
        let mut code = false;
        let outside = self.text.lines().enumerate().filter(|(_, line)| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            !code && !fence
        });
        outside.map(|(number, line)| (number + 1, line)).collect()
    }
}

#[test]
fn blocks_are_read_with_their_remarks() {
    let text = "a\n<!-- not run: why -->\n\n```sh\narena bots\n```\nb\n```\nx\n```\n".to_owned();
    let page = Page { path: "p.md".to_owned(), text };
    let blocks = page.blocks();
    assert_eq!(blocks.len(), 2);
    assert_eq!((blocks[0].language, blocks[0].line), ("sh", 5));
    assert_eq!((blocks[0].remark, &blocks[0].lines[..]), (Some("not run: why"), &["arena bots"][..]));
    assert_eq!((blocks[1].language, blocks[1].remark), ("", None));
    assert_eq!(page.prose().iter().map(|(_, line)| *line).collect::<String>(), "a<!-- not run: why -->b");
}
