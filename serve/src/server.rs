//! The server: its settings, and what all requests share.

use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::Uri;
use coinche_bots::{BotSpec, Registry};
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::Result;
use tokio::sync::Semaphore;

use crate::lane::Lanes;
use crate::tables::{Tables, token};

/// An origin of pages, as `https://example.org` or `http://localhost:3000`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Returns the text, as browsers send it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is no origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an origin: expected http:// or https:// and a host, without a path, as https://example.org or http://localhost:3000"
)]
pub struct ParseOriginError(String);

impl FromStr for Origin {
    type Err = ParseOriginError;

    /// Reads an origin in the one form in which browsers send it: in lower case, without the usual port.
    fn from_str(text: &str) -> std::result::Result<Self, ParseOriginError> {
        let wrong = || ParseOriginError(text.to_owned());
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Err(wrong());
        };
        let host = authority.host().to_lowercase();
        let usual = match scheme {
            "http" => 80,
            "https" => 443,
            _ => return Err(wrong()),
        };
        let is_bare = uri.path() == "/" && uri.query().is_none() && !authority.as_str().contains('@');
        // An empty path is `/`, and so is a slash at the end: browsers send none.
        if !is_bare || host.is_empty() || host.contains('*') || text.contains('#') {
            return Err(wrong());
        }
        let port = authority.port_u16().filter(|port| *port != usual);
        Ok(Self(format!("{scheme}://{host}{}", port.map_or_else(String::new, |port| format!(":{port}")))))
    }
}

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
    /// The pages of other origins that may use the interface.
    pub origins: Vec<Origin>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_send_them() {
        for (text, origin) in [
            ("https://example.org", "https://example.org"),
            ("https://Example.org:443/", "https://example.org"),
            ("http://localhost:3000", "http://localhost:3000"),
            ("http://[::1]:8000", "http://[::1]:8000"),
        ] {
            assert_eq!(text.parse::<Origin>().unwrap().as_str(), origin);
        }
        for text in [
            "*",
            "null",
            "example.org",
            "https://",
            "https://*.example.org",
            "https://example.org/page",
            "https://example.org?x",
            "https://a@example.org",
            "file:///x",
            "https://example.org#x",
            "",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
