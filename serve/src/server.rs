//! The server: its settings, and what all requests share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use coinche_bots::{BotSpec, Registry};
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::Result;
use tokio::sync::Semaphore;

use crate::lane::Lanes;
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
    /// The seed of all tables, unless the page names another: all get the same cards.
    pub duplicate: Option<Seed>,
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
    /// What opens reports, and nothing else: a link cannot send the token.
    pub(crate) reports: String,
    pub(crate) tables: Tables,
    /// How many games are worked at, at a time.
    pub(crate) games: Arc<Semaphore>,
    /// The threads that think.
    pub(crate) lanes: Lanes,
}

impl Server {
    /// Opens the directory of the tables.
    pub(crate) fn new(settings: Settings, registry: &Registry) -> Result<Arc<Self>> {
        let token = settings.listen.map(|_| token());
        let tables = Tables::open(&settings.tables)?;
        let lanes = Lanes::new(settings.threads)?;
        let games = Arc::new(Semaphore::new(GAMES));
        Ok(Arc::new(Self {
            settings,
            registry: registry.clone(),
            token,
            reports: crate::tables::token(),
            tables,
            games,
            lanes,
        }))
    }
}
