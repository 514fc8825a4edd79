//! The server: its settings, and what all requests share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use coinche_bots::{BotSpec, Registry};
use coinche_engine::RuleSet;
use coinche_selfplay::{Result, Solvers};
use tokio::sync::Semaphore;

use crate::tables::{Tables, token};

/// What to serve.
#[derive(Debug)]
pub struct Settings {
    /// The address; `None`: 127.0.0.1, without a token.
    pub listen: Option<IpAddr>,
    /// The port; 0: any that is free.
    pub port: u16,
    /// The directory of the tables.
    pub tables: PathBuf,
    /// The directory of the runs.
    pub shelf: Option<PathBuf>,
    /// The rules, unless the page names others.
    pub rules: RuleSet,
    /// Bots beside those of the registry, which may be programs and read files.
    pub bots: Vec<BotSpec>,
    /// How many threads think.
    pub threads: usize,
}

/// Games that wait for slow bots must not keep others waiting.
const GAMES: usize = 16;

/// The server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) settings: Settings,
    pub(crate) registry: Registry,
    /// What requests must bring, unless only this machine can ask.
    pub(crate) token: Option<String>,
    pub(crate) tables: Tables,
    pub(crate) solvers: Solvers,
    /// How many games are worked at, at a time.
    pub(crate) games: Semaphore,
    /// How many analyses.
    pub(crate) analyses: Semaphore,
}

impl Server {
    /// Opens the directory of the tables.
    pub(crate) fn new(settings: Settings, registry: &Registry) -> Result<Arc<Self>> {
        let token = settings.listen.map(|_| token());
        let tables = Tables::open(&settings.tables)?;
        // A core is left for the games.
        let thinking = settings.threads.saturating_sub(1).max(1);
        let solvers = Solvers::new(Some(thinking))?;
        let (games, analyses) = (Semaphore::new(GAMES), Semaphore::new(thinking));
        Ok(Arc::new(Self { settings, registry: registry.clone(), token, tables, solvers, games, analyses }))
    }
}
