//! Writes a document in all forms: HTML page, Markdown, pictures, tables.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::column::{Column, Kind};
use super::model::{Block, Cell, Document, Picture, Table};
use super::words::Language;
use super::{dictionary, draw, parquet};
use crate::base::error::{ArenaError, Result};
use crate::base::files::{make_directory, output};
use crate::base::shown::safe;

/// The output paths of a report, by form.
#[derive(Debug, Clone, Copy, Default)]
pub struct Forms<'a> {
    /// The file of the page.
    pub html: Option<&'a Path>,
    /// The file of the Markdown.
    pub markdown: Option<&'a Path>,
    /// A directory for the pictures.
    pub svg: Option<&'a Path>,
    /// A directory for the tables as CSV.
    pub csv: Option<&'a Path>,
    /// A directory for the tables as Parquet.
    pub parquet: Option<&'a Path>,
}

impl Document {
    /// Writes the requested forms, and returns one line for each.
    ///
    /// # Errors
    ///
    /// When one of them cannot be written.
    pub fn write(&self, forms: Forms<'_>) -> Result<String> {
        let mut written = String::new();
        let texts = [(forms.html, Self::to_html as fn(&Self) -> String), (forms.markdown, Self::to_markdown)];
        for (path, text) in texts.into_iter().filter_map(|(path, text)| Some((path?, text))) {
            output(path, |file| file.write_all(text(self).as_bytes()))?;
            let _ = writeln!(written, "{} {}", written_to(self.language), path.display());
        }
        if let Some(directory) = forms.svg {
            written += &write_all(self.language, directory, "svg", &self.pictures())?;
        }
        if forms.csv.is_some() {
            self.tables().for_each(|table| dictionary::note(&table.name, &table.columns));
        }
        if let Some(directory) = forms.csv {
            written += &write_all(self.language, directory, "csv", &self.files("csv", to_csv))?;
        }
        if let Some(directory) = forms.parquet {
            let bytes = |table: &Table| parquet::to_parquet(table).expect("columns are written to memory");
            written += &write_all(self.language, directory, "parquet", &self.files("parquet", bytes))?;
        }
        Ok(written)
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// Returns the pictures as files: name and text.
    pub fn pictures(&self) -> Vec<(String, Vec<u8>)> {
        let pictures = self.blocks().filter_map(|block| match block {
            Block::Picture(Picture { name, svg, .. }) => {
                Some((format!("{name}.svg"), draw::standalone(svg).into_bytes()))
            }
            _ => None,
        });
        pictures.collect()
    }

    /// Returns the tables, including those behind the pictures.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) | Block::Folded(table) => Some(table),
            Block::Picture(picture) => Some(&picture.table),
            _ => None,
        })
    }

    /// Returns the tables as files with this ending: name and contents.
    fn files(&self, ending: &str, contents: impl Fn(&Table) -> Vec<u8>) -> Vec<(String, Vec<u8>)> {
        self.tables()
            .map(|table| (format!("{}.{ending}", table.name), contents(&table.for_files())))
            .collect()
    }
}

/// Returns a table as CSV.
pub fn to_csv(table: &Table) -> Vec<u8> {
    let mut bytes = csv_head(&table.columns);
    push_csv(&mut bytes, &table.columns, &table.rows);
    bytes
}

/// Returns the header line of a table as CSV.
pub fn csv_head(columns: &[Column]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(columns.iter().map(|column| column.name.as_bytes()));
    written.expect("names are written to memory");
    writer.into_inner().expect("memory takes what is written")
}

/// Appends rows as CSV.
pub fn push_csv(out: &mut Vec<u8>, columns: &[Column], rows: &[Vec<Cell>]) {
    let value = |(column, cell): (&Column, &Cell)| match (column.kind, cell) {
        // With a decimal point, as all numbers of the column.
        (Some(Kind::Number), Cell::Count(_)) => {
            cell.number().map_or_else(String::new, |value| format!("{value:?}"))
        }
        _ => cell.value(),
    };
    let mut writer = csv::Writer::from_writer(out);
    let written = rows.iter().try_for_each(|row| writer.write_record(columns.iter().zip(row).map(value)));
    written.and_then(|()| Ok(writer.flush()?)).expect("rows are written to memory, and have a cell a column");
}

/// The table that `arena judge` writes apart.
const APART: &str = "decisions";

const fn written_to(language: Language) -> &'static str {
    language.of("written to", "écrit dans")
}

/// Writes files into a directory, which is created if needed, and returns lines that say so and name those of an earlier document.
fn write_all(
    language: Language,
    directory: &Path,
    ending: &str,
    files: &[(String, Vec<u8>)],
) -> Result<String> {
    make_directory(directory)?;
    files.iter().try_for_each(|(name, bytes)| output(&directory.join(name), |file| file.write_all(bytes)))?;
    let there = fs::read_dir(directory).map_err(|source| ArenaError::read(directory, source))?;
    let mut old: Vec<_> = there.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    old.retain(|name| {
        let stem = name.strip_suffix(ending).and_then(|name| name.strip_suffix('.'));
        stem.is_some_and(|stem| stem != APART) && files.iter().all(|(written, _)| written != name)
    });
    old.sort();
    let mut told = format!("{} {}\n", written_to(language), directory.display());
    if !old.is_empty() {
        let [not_of, colon] = [
            language.of("not of this document, in", "d’un autre document, dans"),
            language.of(":", "\u{a0}:"),
        ];
        let _ = writeln!(told, "{not_of} {}{colon} {}", directory.display(), safe(&old.join(", ")));
    }
    Ok(told)
}
