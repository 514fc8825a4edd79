//! The bots that bid and play at a table: two teams, with the part of the game that the run freezes.

use coinche_bots::{Bot, BotSpec, TeamSpec};
use coinche_engine::Seat;

use crate::play::double_dummy::OpenPlay;
use crate::play::freeze::{Freeze, FrozenPlayer};
use crate::play::schedule::Side;

/// Two teams, with the bidder or player that the run freezes in place of their own.
#[derive(Debug, Clone)]
pub struct Lineup {
    /// By side, then by partner; each under the name of the compared bot.
    bots: [[BotSpec; 2]; 2],
    /// The solver, if it plays all cards.
    open: Option<OpenPlay>,
    /// Whether the calls and the cards are the bots' own.
    own: [bool; 2],
}

impl Lineup {
    /// Seats two teams, with one part of the game frozen.
    pub fn new(teams: [&TeamSpec; 2], freeze: &Freeze) -> Self {
        let with =
            |change: &dyn Fn(&BotSpec) -> BotSpec| teams.map(|team| team.partners().each_ref().map(change));
        let (bots, own) = match freeze {
            Freeze::None => (with(&BotSpec::clone), [true, true]),
            Freeze::Auction(bidder) => (with(&|bot| bot.with_bidder_of(bidder)), [false, true]),
            Freeze::Play(FrozenPlayer::Bot(player)) => {
                (with(&|bot| bot.with_player_of(player)), [true, false])
            }
            Freeze::Play(FrozenPlayer::Solver) => {
                // Cards are never asked for, so no program is started for them.
                (with(&BotSpec::with_rules_player), [true, false])
            }
        };
        let open = matches!(freeze, Freeze::Play(FrozenPlayer::Solver)).then(OpenPlay::default);
        Self { bots, open, own }
    }

    /// Seats the same bot at both seats of a team, with nothing frozen.
    pub fn of_bots(bots: [BotSpec; 2]) -> Self {
        let bots = bots.map(|bot| [bot.clone(), bot]);
        Self { bots, open: None, own: [true; 2] }
    }

    /// Seats other bots in their places.
    #[must_use]
    pub fn map(self, change: impl Fn(&BotSpec) -> BotSpec) -> Self {
        Self { bots: self.bots.each_ref().map(|team| team.each_ref().map(&change)), ..self }
    }

    /// Shares the solver with another table of the thread.
    pub fn sharing(self, open: Option<&OpenPlay>) -> Self {
        Self { open: self.open.map(|own| open.cloned().unwrap_or(own)), ..self }
    }

    /// Returns the solver, if it plays all cards.
    pub const fn open(&self) -> Option<&OpenPlay> {
        self.open.as_ref()
    }

    /// Returns the bot of a side at a seat, under the name of the compared bot.
    pub const fn bot(&self, side: Side, seat: Seat) -> &BotSpec {
        &self.bots[side.index()][seat.index() / 2]
    }

    /// Builds the bot of a side at a seat.
    pub fn build(&self, side: Side, seat: Seat) -> Bot {
        self.bot(side, seat).build()
    }

    /// Returns whether the calls and the cards are the bots' own.
    pub const fn own(&self) -> [bool; 2] {
        self.own
    }

    /// Returns how many legs to keep in flight for bots that decide for many deals at once; `None` if there are no such
    /// bots.
    pub fn batch(&self) -> Option<usize> {
        let bots = self.bots.iter().flatten();
        let bots = bots.flat_map(|bot| [bot.bidder_batch(), bot.player_batch()]).flatten();
        bots.map(|bot| bot.batch().max(1)).min()
    }

    /// Returns the names of the bots, by which a table differs from those of other pairings.
    pub fn names(&self) -> String {
        self.bots.each_ref().map(|team| team.each_ref().map(BotSpec::name).join("\n")).join("\n\n")
    }

    /// Tests if any of the bots uses a program.
    pub fn has_program(&self) -> bool {
        self.bots.iter().flatten().any(BotSpec::has_program)
    }
}
