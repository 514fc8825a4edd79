#![doc = include_str!("../README.md")]
//!
//! | module | |
//! |---|---|
//! | `server` | settings, and what all requests share |
//! | `api` | the requests |
//! | `guard` | who may ask |
//! | `lane` | whose answer is worked at first |
//! | `page` | the files of the page |
//! | `tables`, `table` | the tables of a directory; one table: its people, bots and files |
//! | `view` | a deal as JSON |
//! | `coach` | what decisions cost |
//! | `duplicate` | the same cards at other tables, and with bots alone |
//! | `board` | the analysis board |
//! | `systems` | bidding systems that are edited: their faults, their calls, their results |
//! | `shelf` | the runs of a directory |
//! | `names` | rules and bots that the page names |

#![allow(clippy::missing_errors_doc, reason = "the variants of the error types say what can go wrong")]

mod api;
mod board;
mod coach;
mod duplicate;
mod error;
mod guard;
mod lane;
mod names;
mod page;
mod server;
mod shelf;
mod systems;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod view;

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use coinche_bots::Registry;
use coinche_selfplay::{Exit, ModuleError, Result, print_early};
use tokio::net::TcpListener;

use server::Server;
pub use server::{Origin, ParseOriginError, Settings};

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error("cannot listen at {0}: {1}; choose another port with --port")]
    Listen(SocketAddr, io::Error),
    #[error("cannot start the server: {0}")]
    Start(io::Error),
}

impl ModuleError for ServeError {}

/// Serves until the program is ended, and prints the address first.
pub fn serve(settings: Settings, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let address = settings.listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let address = SocketAddr::new(address, settings.port);
    let server = Server::new(settings, registry)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(ServeError::Start)?.block_on(async {
        let listener =
            TcpListener::bind(address).await.map_err(|error| ServeError::Listen(address, error))?;
        let address = listener.local_addr().map_err(ServeError::Start)?;
        let token = server.token.as_ref().map_or_else(String::new, |token| format!("#token={token}"));
        print_early(out, &format!("http://{address}/{token}\n"))?;
        axum::serve(listener, api::router(server)).await.map_err(ServeError::Start)?;
        Ok(Exit::Done)
    })
}
