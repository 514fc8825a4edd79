//! All tables of a directory: made, opened when someone asks for them, and closed again.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use coinche_bots::{BotSpec, Registry};
use coinche_engine::{BySeat, ByTeam, Seat, Team};
use coinche_selfplay::base::files::{OutFile, make_directory};
use coinche_selfplay::{ArenaError, Result};
use tokio::sync::watch;

use crate::error::{Answer, Refusal};
use crate::table::{Plan, RECORDS, Saved, Seen, Table};

/// How many tables are open at a time, beside those that someone watches.
const MOST_OPEN: usize = 500;
/// How many tables a directory has.
const MOST: usize = 100_000;
/// How many of them are listed, the latest first.
const LISTED: usize = 100;

/// A table that is open.
#[derive(Debug)]
pub(crate) struct Held {
    table: Mutex<Table>,
    /// The tokens by seat.
    pub(crate) tokens: BySeat<Option<String>>,
    /// What bots alone scored with the cards of its records.
    pub(crate) alone: Mutex<Vec<Option<ByTeam<i32>>>>,
    /// What the people see.
    pub(crate) seen: watch::Receiver<Seen>,
}

impl Held {
    fn new(table: Table) -> Arc<Self> {
        let tokens = BySeat::from_fn(|seat: Seat| {
            table.saved().seats[seat.index()].as_ref().map(|person| person.token.clone())
        });
        let seen = table.watch();
        Arc::new(Self { table: Mutex::new(table), tokens, alone: Mutex::default(), seen })
    }

    /// Waits for the table.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Table> {
        // A bot's panic is caught where it is asked.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the seat that a token proves.
    pub(crate) fn seat_of(&self, token: &str) -> Option<Seat> {
        Seat::ALL.into_iter().find(|seat| self.tokens[*seat].as_deref() == Some(token))
    }
}

type Open = HashMap<String, (Arc<Held>, Instant)>;

/// The tables of a directory.
#[derive(Debug)]
pub(crate) struct Tables {
    directory: PathBuf,
    /// Locked, so that no other program plays at the same tables.
    _lock: OutFile,
    open: Mutex<Open>,
    /// How many there are in the directory.
    count: AtomicUsize,
}

/// Returns random letters that cannot be guessed.
pub(crate) fn token() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    format!("{:032x}", u128::from_le_bytes(bytes))
}

/// Tests if a text can be the name of a table.
fn is_id(id: &str) -> bool {
    id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Keeps a table open, and closes the one that nobody has used for longest if there are many.
fn keep(open: &mut Open, id: &str, held: &Arc<Held>) {
    open.insert(id.to_owned(), (Arc::clone(held), Instant::now()));
    if open.len() <= MOST_OPEN {
        return;
    }
    // Someone else has those that are in use.
    let idle = open.iter().filter(|(_, (held, _))| Arc::strong_count(held) == 1);
    let oldest = idle.min_by_key(|(_, (_, used))| *used).map(|(id, _)| id.clone());
    oldest.map(|id| open.remove(&id));
}

impl Tables {
    /// Opens a directory of tables; makes it if it is not there.
    pub(crate) fn open(directory: &Path) -> Result<Self> {
        make_directory(directory)?;
        let path = directory.join("serve.lock");
        let lock = OutFile::open(&path).map_err(|source| ArenaError::write(&path, source))?;
        lock.try_lock().map_err(|_| ArenaError::InUse { path: directory.to_owned() })?;
        let count = fs::read_dir(directory).map_or(0, Iterator::count).into();
        Ok(Self { directory: directory.to_owned(), _lock: lock, open: Mutex::default(), count })
    }

    fn map(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a table; returns its name.
    pub(crate) fn make(&self, plan: Plan) -> Answer<(String, Arc<Held>)> {
        if self.count.fetch_add(1, Ordering::Relaxed) > MOST {
            return Err(Refusal::conflict(format!(
                "there are {MOST} tables: move some out of {}, and start again",
                self.directory.display()
            )));
        }
        let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let id = token();
        let held = Held::new(Table::create(&self.directory, &id, plan, &mut token, made)?);
        keep(&mut self.map(), &id, &held);
        Ok((id, held))
    }

    /// Returns a table, which is opened if it was not.
    pub(crate) fn get(&self, id: &str, registry: &Registry, programs: &[BotSpec]) -> Answer<Arc<Held>> {
        if !is_id(id) {
            return Err(Refusal::none("there is no such table"));
        }
        let mut open = self.map();
        if let Some((held, used)) = open.get_mut(id) {
            *used = Instant::now();
            return Ok(Arc::clone(held));
        }
        let held = Held::new(Table::open(&self.directory, id, registry, programs)?);
        keep(&mut open, id, &held);
        Ok(held)
    }

    /// Returns the records of other tables with the same seed and rules, at which people sit on this side.
    pub(crate) fn same_cards(&self, id: &str, own: &Saved, team: Team) -> Vec<String> {
        let is_same = |(other, saved): &(String, Saved)| {
            let sits = |seat: Seat| seat.team() == team && saved.seats[seat.index()].is_some();
            other != id
                && (&saved.seed, &saved.rules) == (&own.seed, &own.rules)
                && Seat::ALL.into_iter().any(sits)
        };
        let read = |(id, _): (String, Saved)| fs::read_to_string(self.directory.join(id).join(RECORDS)).ok();
        self.list().into_iter().filter(is_same).filter_map(read).collect()
    }

    /// Lists the latest tables.
    pub(crate) fn list(&self) -> Vec<(String, Saved)> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut found: Vec<(SystemTime, String)> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok().filter(|name| is_id(name))?;
                let moves = entry.path().join("moves.jsonl").metadata().ok()?;
                Some((moves.modified().ok()?, name))
            })
            .collect();
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.truncate(LISTED);
        let read = |(_, id): (SystemTime, String)| {
            let text = fs::read(self.directory.join(&id).join("table.json")).ok()?;
            Some((id, serde_json::from_slice(&text).ok()?))
        };
        found.into_iter().filter_map(read).collect()
    }
}
