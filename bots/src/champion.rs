//! `champion`: the bidder and the card player of this crate that are best within a time.

use crate::net::bidding::STYLE;
use crate::search::duration;
use crate::{BotInfo, NetBidder, ParamError, ParamInfo, Params, PimcPlayer, bid_style};

/// What it plays, by the least time of a card, in ascending order: the settings of `pimc` that were measured best (docs/search.md).
///
/// Where time is short it counts worlds: a decision broken off by the clock plays worse than one of fewer worlds that takes
/// as long on average.
const BUDGETS: [(&str, &str); 7] = [
    ("1us", "worlds=10,from=5,read=calls"),
    ("40us", "worlds=24,from=5"),
    ("100us", "worlds=20,from=4"),
    ("200us", "worlds=14,from=4,read=net"),
    ("500us", "worlds=24,from=3,read=net"),
    ("1ms", "worlds=60,from=3,read=net"),
    ("5ms", "read=net,time="),
];

/// Bids by a network ([`NetBidder::champion`]), and plays as `pimc` with settings by its time.
#[derive(Debug)]
pub struct Champion;

impl Champion {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "time" = "20us", "a time such as `500us`, `20ms` or `1s`, up to an hour",
            "processor time for a card, on average; below 5ms the same card on every machine, and the time is that of a fast one";
    };

    /// The parameters of its bidder.
    pub const BIDDER_PARAMS: &'static [ParamInfo] = &[STYLE];

    /// Reads the parameters of its bidder, and returns how to make it.
    ///
    /// # Errors
    ///
    /// When the file of the style cannot be read, or has no promise.
    pub fn bidder(params: &Params) -> Result<impl Fn() -> NetBidder + Send + Sync + use<>, ParamError> {
        let style = bid_style(params)?;
        Ok(move || NetBidder::champion(style.clone()))
    }

    /// Returns the specification of the card player within a time such as `20us`; `None` if it is no time.
    ///
    /// ```
    /// use coinche_bots::Champion;
    ///
    /// assert_eq!(Champion::player("20us").unwrap(), "pimc:worlds=10,from=5,read=calls");
    /// assert_eq!(Champion::player("10ms").unwrap(), "pimc:read=net,time=10ms");
    /// assert_eq!(Champion::player("soon"), None);
    /// ```
    pub fn player(time: &str) -> Option<String> {
        let wanted = duration(time)?;
        let (_, settings) = BUDGETS.iter().rfind(|(least, _)| duration(least) <= Some(wanted))?;
        Some(format!("pimc:{settings}{}", if settings.ends_with('=') { time } else { "" }))
    }

    /// Reads the parameters, and returns how to make the card player.
    ///
    /// # Errors
    ///
    /// When it is no time.
    pub fn maker(params: &Params) -> Result<impl Fn() -> PimcPlayer + Send + Sync + use<>, ParamError> {
        let player = Self::player(params.text("time")).ok_or_else(|| params.illegal("time"))?;
        let inner = params.within("pimc", PimcPlayer::PARAMS, player.trim_start_matches("pimc:"))?;
        let make = PimcPlayer::maker(&inner)?;
        Ok(move || make().sharing_time().keeping_points())
    }

    /// Returns its entry in the registry.
    pub(crate) fn info() -> BotInfo {
        BotInfo::new("champion", "the best of these bots for the time that it is given")
            .with_details(
                "Bids as net does, by a network that has also met 2,000 systems drawn at random, and plays its cards as \
                 pimc with the settings that were measured best for its time: worlds=10,from=5,read=calls within 20 µs, \
                 worlds=24,from=5 from 40 µs on, worlds=20,from=4 from 100 µs, worlds=14,from=4,read=net from 200 µs, \
                 worlds=24,from=3,read=net from 500 µs, worlds=60,from=3,read=net from 1 ms. From 5 ms on it plays by read=net \
                 and the clock: the time is a mean over the cards of a deal, and what clear cards leave goes to the first tricks. docs/search.md has the measurements.",
            )
            .bidder(Self::BIDDER_PARAMS, Self::bidder)
            .for_rules(Params::check_trained)
            .player(Self::PARAMS, Self::maker)
    }
}
