//! A leaderboard on a seed that nobody knows before all is played: drawn when the entries are fixed, with a commitment to it and
//! to them in a file, and revealed in that file afterwards.

use std::path::{Path, PathBuf};

use coinche_bots::BotSpec;
use coinche_engine::{Seed, digest};
use coinche_selfplay::base::files::{if_there, make_directory, read_bounded, read_text, remove, write_whole};
use coinche_selfplay::{ArenaError, Result};
use serde::{Deserialize, Serialize};

use super::error::BoardError;
use super::plan::{Entry, Plan};
use super::played::Stored;
use coinche_runs::draw_seed;

/// The file of the commitment.
pub const COMMITMENT: &str = "commitment.toml";
/// The file of the seed until it is revealed.
const SECRET: &str = "seed.secret";
/// The largest file of a program.
const MOST_BYTES: u64 = 1 << 30;

/// The file, as it is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Published {
    commitment: String,
    entries: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<Seed>,
}

/// A seed that is drawn, with its commitment.
#[derive(Debug)]
pub struct Draw {
    directory: PathBuf,
    published: Published,
    seed: Seed,
}

impl Published {
    fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(COMMITMENT);
        let Some(text) = if_there(read_text(&path))? else { return Ok(None) };
        toml::from_str(&text).map(Some).map_err(|error| ArenaError::damaged(&path, error))
    }

    /// Tests if this is the seed to which it commits.
    fn fits(&self, seed: &Seed) -> bool {
        self.commitment == commitment(seed, &self.entries)
    }
}

/// The seed has 128 bits that nobody guesses: nothing else is needed for its hash to hide it.
fn commitment(seed: &Seed, entries: &[String]) -> String {
    digest(format!("coinche leaderboard\n{seed}\n{}", entries.join("\n")).as_bytes())
}

fn own(entry: &Entry) -> String {
    format!("{}: {}", entry.name, entry.bot.as_str())
}

/// Returns what is fixed of an entry: name, bot, and the files that the bot is read from or its commands name.
fn fixed(entry: &Entry) -> Result<Vec<String>> {
    let bot: &BotSpec = &entry.bot;
    let words = [bot.bidder_program(), bot.player_program()].into_iter().flatten().flat_map(|it| &it.words);
    let mut files: Vec<_> = words.filter(|word| Path::new(word).is_file()).cloned().collect();
    files.extend(bot.files().into_keys());
    files.sort();
    files.dedup();
    let hashed = |file: &String| {
        let bytes = read_bounded(Path::new(file), MOST_BYTES)?;
        Ok(format!("{}: {file} {}", entry.name, digest(&bytes)))
    };
    std::iter::once(Ok(own(entry))).chain(files.iter().map(hashed)).collect()
}

impl Draw {
    /// Draws a seed for the entries of a plan, and commits to both; or takes what was drawn for the same entries.
    pub fn open(directory: &Path, plan: &Plan) -> Result<Self> {
        let entries: Vec<Vec<_>> = plan.entries.iter().map(fixed).collect::<Result<_, _>>()?;
        let (entries, path) = (entries.concat(), directory.join(SECRET));
        let wrong = |error: BoardError| ArenaError::input(directory.join(COMMITMENT), error);
        if let Some(published) = Published::read(directory)? {
            let is_same = published.entries == entries;
            let known: Option<Seed> = match &published.seed {
                Some(seed) => Some(seed.clone()),
                None => if_there(read_text(&path))?.and_then(|text| text.trim().parse().ok()),
            };
            match known.filter(|seed| published.fits(seed)) {
                Some(seed) if is_same => {
                    return Ok(Self { directory: directory.to_owned(), published, seed });
                }
                // Another acceptance.
                Some(_) if published.seed.is_some() => {}
                Some(_) => return Err(wrong(BoardError::OtherEntries)),
                None => return Err(wrong(BoardError::NoSecret)),
            }
        }
        let seed = draw_seed();
        make_directory(directory)?;
        write_whole(&path, format!("{seed}\n").as_bytes())?;
        let published = Published { commitment: commitment(&seed, &entries), entries, seed: None };
        let this = Self { directory: directory.to_owned(), published, seed };
        this.write()?;
        Ok(this)
    }

    /// Takes the seed that is revealed in a directory, if it was drawn for these entries.
    pub fn revealed(directory: &Path, plan: &Plan) -> Result<Option<Self>> {
        let Some(published) = Published::read(directory)? else { return Ok(None) };
        let has = |entry: &Entry| published.entries.contains(&own(entry));
        let seed = published.seed.clone().filter(|seed| published.fits(seed));
        let seed = seed.filter(|_| plan.entries.iter().all(has));
        Ok(seed.map(|seed| Self { directory: directory.to_owned(), published, seed }))
    }

    fn write(&self) -> Result<()> {
        let path = self.directory.join(COMMITMENT);
        let text = toml::to_string(&self.published).map_err(|error| ArenaError::damaged(&path, error))?;
        write_whole(&path, text.as_bytes())
    }

    /// Returns the commitment.
    pub fn commitment(&self) -> &str {
        &self.published.commitment
    }

    /// Gives the classes of a plan seeds of their own.
    pub fn seed(&self, plan: &mut Plan) {
        for class in &mut plan.classes {
            class.seed = self.seed.derived(&class.name);
        }
        if let Some(crossplay) = &mut plan.crossplay {
            crossplay.seed = self.seed.derived("crossplay");
        }
    }

    /// Publishes the seed.
    pub fn reveal(mut self) -> Result<()> {
        self.published.seed = Some(self.seed.clone());
        self.write()?;
        remove(&self.directory.join(SECRET))
    }
}

/// Checks that the seed revealed in a directory is that of its commitment, and that of these classes; returns what is wrong. `None`:
/// it has no commitment.
pub fn check(directory: &Path) -> Result<Option<Vec<String>>> {
    let Some(published) = Published::read(directory)? else { return Ok(None) };
    let Some(seed) = published.seed.clone() else {
        return Ok(Some(vec!["the seed is not revealed yet".to_owned()]));
    };
    let mut wrong = Vec::new();
    if !published.fits(&seed) {
        wrong.push("the commitment is not that of the seed and the entries".to_owned());
    }
    let seeds = Stored::read(&directory.join(super::JSON))?.seeds;
    if seeds.is_empty() {
        wrong.push(format!("{} names no seeds", super::JSON));
    }
    for (class, used) in seeds {
        if used != seed.derived(&class) {
            wrong.push(format!("{class} was played with the seed {used}, which is not drawn"));
        }
    }
    Ok(Some(wrong))
}
