//! The bidder in the registry.

use core::any::Any;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use coinche_engine::{Call, Key, LegalCalls, RuleSet, View};

use super::error::SystemError;
use super::shipped::{known, text_of};
use super::{Floor, Moment, Number, System};
use crate::families::wordless;
use crate::{Agent, Bidder, NetBidder, ParamError, ParamInfo, Params, RulesBidder, TableBidder};

/// Bids by a system, and by its floor where no rule applies.
///
/// Without randomness, and in some microseconds beside what the floor takes.
#[derive(Debug, Clone)]
pub struct SystemBidder {
    system: Arc<System>,
    floor: FloorBidder,
}

#[derive(Debug, Clone)]
enum FloorBidder {
    Rules(RulesBidder),
    Table(Box<TableBidder>),
    Net(Box<NetBidder>),
    Pass,
}

/// The system that is bid by where none is named.
const DEFAULT: &str = "sound-beginner";

impl SystemBidder {
    /// The parameters in the registry; the numbers of the system are others.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "name" = DEFAULT, "a system of `arena system list`, or drawn-N",
            "the system by which it bids, of those that come with the program; drawn-N: one drawn at random by a number";
        "file" = "none", "a file as docs/user/systems.md describes it, or none",
            "the file of a system of your own, instead of name; its numbers are parameters";
    };

    /// Makes a bidder of a system.
    pub fn new(system: Arc<System>) -> Self {
        let floor = match system.floor() {
            Floor::Rules => FloorBidder::Rules(RulesBidder::default()),
            Floor::Table => FloorBidder::Table(Box::default()),
            Floor::Net => FloorBidder::Net(Box::default()),
            Floor::Pass => FloorBidder::Pass,
        };
        Self { system, floor }
    }

    /// Returns the system.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When there is no such system, or its file has something wrong.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let this = Self::new(Arc::new(read(params)?));
        Ok(move || this.clone())
    }

    /// Checks that the system is for the rules of a game.
    pub(crate) fn fits(params: &Params, rules: &RuleSet) -> Result<(), ParamError> {
        params.refuse(wordless(rules))?;
        read(params)?.check(rules).map_err(|error| located(params, &error))
    }

    /// What a bot that bids by the system is called: the name by which it is chosen, or that in its file.
    pub(crate) fn called(params: &Params) -> Option<(String, &'static [&'static str])> {
        let name = match key(params) {
            "name" => params.text("name").to_owned(),
            _ => read(params).ok()?.name().to_owned(),
        };
        Some((name, &["name", "file"]))
    }

    /// Returns the call of the floor.
    pub fn floor_call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        match &mut self.floor {
            FloorBidder::Rules(bidder) => bidder.call(view, legal, key),
            FloorBidder::Table(bidder) => bidder.call(view, legal, key),
            FloorBidder::Net(bidder) => bidder.call(view, legal, key),
            FloorBidder::Pass => Call::Pass,
        }
    }
}

impl Agent for SystemBidder {
    fn start(&mut self) {
        match &mut self.floor {
            FloorBidder::Table(bidder) => bidder.start(),
            FloorBidder::Net(bidder) => bidder.start(),
            FloorBidder::Rules(_) | FloorBidder::Pass => {}
        }
    }
}

impl Bidder for SystemBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        let moment = Moment::of(view, legal);
        match self.system.decide(&moment, view.first_hand()) {
            Some(claim) => claim.call,
            None => self.floor_call(view, &self.system.keeping_promises(&moment, view.first_hand()), key),
        }
    }
}

impl System {
    /// Returns the system by which a bidder bids; `None` unless its agreements are written down in one.
    pub fn of(bidder: &dyn Bidder) -> Option<&Self> {
        (bidder as &dyn Any).downcast_ref().map(SystemBidder::system)
    }
}

/// Which parameter names the system.
fn key(params: &Params) -> &'static str {
    if params.text("file") == "none" { "name" } else { "file" }
}

/// An error with the file that it is in.
fn located(params: &Params, error: &SystemError) -> ParamError {
    let key = key(params);
    match error {
        SystemError::Read { .. } => params.illegal_file(key, error),
        _ => params.illegal_file(key, &format!("{}: {error}", params.text(key))),
    }
}

/// The text of the system that the parameters name.
fn text(params: &Params) -> Result<Arc<[u8]>, ParamError> {
    let key = key(params);
    let named = params.text(key);
    if key == "file" {
        if params.is_given("name") {
            return Err(params.illegal_file(key, &"leave out `name`: a system is named or in a file"));
        }
        let unreadable =
            |error: io::Error| SystemError::Read { path: named.to_owned(), why: error.to_string() };
        return params.file(key).map_err(|error| params.illegal_file(key, &unreadable(error)));
    }
    text_of(named).map(|text| text.as_bytes().into()).ok_or_else(|| {
        let [meant, all] = known(named);
        params.illegal_file(key, &format!("there is no system `{named}`{meant}: expected {all}"))
    })
}

/// Reads the system that the parameters name, with its numbers.
fn read(params: &Params) -> Result<System, ParamError> {
    let bytes = text(params)?;
    let mut numbers = Vec::new();
    for (name, value) in params.given_beside(SystemBidder::PARAMS) {
        numbers.push((name.to_owned(), value.parse().map_err(|_| params.illegal(name))?));
    }
    System::from_bytes(params.text(key(params)), &bytes, &numbers).map_err(|error| located(params, &error))
}

/// Reads a parameter that names a system as `system:name=NAME` or `system:file=FILE`.
pub(crate) fn of_param(params: &Params, name: &str) -> Result<System, ParamError> {
    let inner =
        params.text(name).strip_prefix("system").filter(|rest| rest.is_empty() || rest.starts_with(':'));
    let inner = inner.ok_or_else(|| params.illegal(name))?;
    read(&params.within("system", SystemBidder::PARAMS, inner.trim_start_matches(':'))?)
}

/// Returns the numbers of the system that the parameters name, as parameters.
pub(crate) fn numbers(params: &Params) -> Result<Vec<ParamInfo>, ParamError> {
    let system = System::from_bytes(params.text(key(params)), &text(params)?, &[])
        .map_err(|error| located(params, &error))?;
    let info = |number: &Number| ParamInfo {
        name: interned(&number.name),
        default: interned(&number.default.to_string()),
        legal: interned(&format!("whole numbers from {} to {}", number.from, number.to)),
        about: interned(&number.about),
    };
    Ok(system.numbers().iter().map(info).collect())
}

/// Keeps a text for as long as the program runs, each once.
///
/// Parameters of bots have texts of the program; those of a file are few, and the same ones are asked for again and again.
fn interned(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text) {
        return known;
    }
    let new: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(new);
    new
}
