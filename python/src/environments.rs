//! Many deals at once, without Python: what `VecEnv` steps.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use coinche_bots::Bot;
use coinche_engine::encoding::{Action, Encoder, IllegalAction, Memory, ObservationForm, SuitOrder};
use coinche_engine::rules::{DealMethod, DealRules};
use coinche_engine::solver::Solver;
use coinche_engine::{
    Belote, BidValue, BySeat, ByTeam, Contract, Deal, DealResult, DealState, Deck, Goal, Key, Outcome,
    RuleSet, Seat, Secrets, Team, Turn,
};

use crate::rules::Game;

/// What all environments have in common.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) game: Arc<Game>,
    pub(crate) secrets: Secrets,
    pub(crate) encoder: Encoder,
    pub(crate) form: ObservationForm,
    /// The number of environments: the next deal of each is so many further on.
    pub(crate) count: u64,
    /// Where deals begin, one after the other and from the first again; none where they are dealt.
    pub(crate) positions: Vec<DealState>,
    /// Whether the bots at the learner's seats make the calls, or play the cards.
    pub(crate) helped: [bool; 2],
    /// The seats at which the learner acts.
    pub(crate) learner: [bool; 4],
    /// What contracts take where nobody plays the cards.
    pub(crate) payoffs: Option<Payoffs>,
}

/// What contracts take where nobody plays the cards: by one line of double-dummy play of all seats, as with
/// `arena run --freeze play=solver`, or by an estimate of the user's.
#[derive(Debug)]
pub(crate) struct Payoffs {
    /// By position, then by strain: what was played already. Empty where deals differ each time, or where the cards depend on who takes.
    known: Vec<[OnceLock<DealResult>; 6]>,
    /// What the declarer's side takes by the estimate.
    points: Option<Vec<Points>>,
}

/// The card points of the declarer's side in a position, the last trick included, by declarer and strain.
pub(crate) type Points = [[u16; 6]; 4];

thread_local! {
    /// 256 KiB. A slam has all points already; a prize of one point only breaks the tie between lines that have them.
    static SOLVER: RefCell<Solver> = RefCell::new({
        let mut solver = Solver::new();
        solver.set_prizes(ByTeam([1; 2]));
        solver
    });
}

impl Setting {
    fn dealt(&self, deal: u64) -> Deal {
        dealt(&self.game.rules.deal, self.secrets, deal)
    }
}

impl Payoffs {
    /// The memory of a position.
    pub(crate) const BYTES: usize = size_of::<[OnceLock<DealResult>; 6]>() + size_of::<Points>();

    /// Keeps what is played of these positions.
    pub(crate) fn of(positions: &[DealState], points: Option<Vec<Points>>) -> Self {
        let is_full = |position: &DealState| position.rules().deal.method == DealMethod::Full;
        let known = positions.iter().filter(|position| is_full(position)).map(|_| Default::default());
        Self { known: known.collect(), points }
    }

    /// Tests if they are known of the positions only.
    pub(crate) const fn are_estimates(&self) -> bool {
        self.points.is_some()
    }

    /// Scores the contract of an auction that is over; `None` before.
    fn score(&self, state: &DealState, position: Option<u32>) -> Option<ByTeam<i32>> {
        let contract = state.contract()?;
        let at = position.map(|at| at as usize);
        let known = at.and_then(|at| self.known.get(at)).map(|known| &known[contract.strain.index()]);
        let play = || self.play(state);
        let mut result = DealResult { contract, ..known.map_or_else(play, |known| *known.get_or_init(play)) };
        if let (Some(points), Some(at)) = (&self.points, at) {
            let points = points[at][contract.declarer.index()][contract.strain.index()];
            (result.card_points, result.tricks) = estimated(state.rules(), contract, points);
            result.belote = Belote::points(state.rules(), contract.strain, state.hands());
        }
        Some(result.score(state.rules()).points)
    }

    /// Plays a deal to its end: of a line of any cards only the melds are looked at.
    fn play(&self, state: &DealState) -> DealResult {
        let (mut played, begin) = (state.clone(), *state.play_state().expect("there is a contract"));
        if self.are_estimates() {
            while let Some(card) = played.legal_plays().first() {
                played.play(card).expect("a legal card");
            }
        } else {
            SOLVER.with_borrow_mut(|solver| {
                solver.line(state.rules(), &begin, |_, card| {
                    played.play(card).expect("a line has legal cards");
                });
            });
        }
        match played.outcome() {
            Some(Outcome::Played { result, .. }) => result,
            _ => unreachable!("a line goes to the end"),
        }
    }
}

/// What both sides take where that of the declarer takes so many points: with all of them, it takes all tricks.
fn estimated(rules: &RuleSet, contract: Contract, points: u16) -> (ByTeam<u16>, BySeat<u8>) {
    let (side, all) = (contract.declarer.team(), rules.all_points(contract.strain));
    let card_points = ByTeam::from_fn(|team| if team == side { points } else { all - points });
    let winner = Team::ALL.into_iter().find(|team| card_points[*team] == all);
    // A générale is made where the declarer's side wins all tricks.
    let alone = winner == Some(side) && contract.goal == Goal::Bid(BidValue::GENERALE);
    let tricks = BySeat::from_fn(|seat| match winner {
        None => 2,
        Some(winner) if seat.team() != winner => 0,
        Some(_) if alone => 8 * u8::from(seat == contract.declarer),
        Some(_) => 4,
    });
    (card_points, tricks)
}

/// One environment: a deal under way, and the bots that play some of its seats.
///
/// Small, because a thousand of them should fit a processor's second cache.
#[derive(Debug)]
pub(crate) struct Environment {
    state: DealState,
    deal: u64,
    /// How many keys each seat has used in this deal.
    decisions: [u16; 4],
    opponents: Option<Box<Opponents>>,
    /// The number of the position in which it began, if it is one of the setting's.
    position: Option<u32>,
    /// The order of the suits in what the learner sees.
    order: SuitOrder,
    memory: Memory,
}

/// The bots of an environment.
#[derive(Debug)]
struct Opponents {
    /// At the seats of the learner, those that act for it in a part of the deal.
    bots: [Option<Bot>; 4],
    /// Whether these do.
    help: bool,
    /// The keys of their decisions in this deal.
    keys: BySeat<Key>,
}

/// A part of the arrays: one row for each of some environments.
#[derive(Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) actions: &'a [i32],
    pub(crate) mask: &'a mut [u8],
    pub(crate) obs: &'a mut [u8],
    pub(crate) hands: &'a mut [u32],
    pub(crate) reward: &'a mut [f32],
    pub(crate) returns: &'a mut [i32],
    pub(crate) done: &'a mut [u8],
    pub(crate) player: &'a mut [u8],
    pub(crate) deal: &'a mut [i64],
}

impl Rows<'_> {
    /// Cuts off the first rows.
    pub(crate) fn split_off(&mut self, rows: usize) -> Self {
        let count = self.actions.len().max(1);
        let (mask, obs, hands) = (self.mask.len() / count, self.obs.len() / count, self.hands.len() / count);
        Rows {
            actions: self.actions.split_off(..rows).unwrap_or_default(),
            mask: self.mask.split_off_mut(..rows * mask).unwrap_or_default(),
            obs: self.obs.split_off_mut(..rows * obs).unwrap_or_default(),
            hands: self.hands.split_off_mut(..rows * hands).unwrap_or_default(),
            reward: self.reward.split_off_mut(..rows).unwrap_or_default(),
            returns: self.returns.split_off_mut(..2 * rows).unwrap_or_default(),
            done: self.done.split_off_mut(..rows).unwrap_or_default(),
            player: self.player.split_off_mut(..rows).unwrap_or_default(),
            deal: self.deal.split_off_mut(..rows).unwrap_or_default(),
        }
    }
}

/// After so many deals in a row that bots pass out for the learner, it makes the calls.
const PASSED_OUT: usize = 1000;

/// The action that leaves an environment as it is.
pub(crate) const SKIP: i32 = -1;

/// An action that cannot be taken: the environment among its rows, and why.
pub(crate) type Refused = (usize, String);

impl Environment {
    /// Starts the deal of a number.
    pub(crate) fn new(setting: &Setting, deal: u64, bots: [Option<Bot>; 4]) -> Self {
        let state = match setting.positions.first() {
            Some(position) => position.clone(),
            None => DealState::new(&setting.game.rules, &setting.dealt(deal)),
        };
        let keys = BySeat([Key::from_bits(0); 4]);
        let opponents =
            bots.iter().any(Option::is_some).then(|| Box::new(Opponents { bots, help: true, keys }));
        let mut this = Self {
            state,
            deal,
            decisions: [0; 4],
            opponents,
            position: None,
            order: SuitOrder::IDENTITY,
            memory: Memory::new(),
        };
        this.start(setting, deal);
        this
    }

    /// Starts the deal of a number again or another, and lets the bots act until the learner must.
    pub(crate) fn start(&mut self, setting: &Setting, deal: u64) {
        let mut deal = deal;
        for _ in 0..PASSED_OUT {
            self.begin(setting, deal, None, true);
            if self.awaits(setting) {
                return;
            }
            // Passed out by the bots that call for the learner: the next deal.
            deal += setting.count;
        }
        // They always pass: the learner makes the calls of this deal.
        self.begin(setting, deal, None, false);
    }

    /// Tests if somebody must act: nobody plays cards where contracts are scored without.
    fn awaits(&self, setting: &Setting) -> bool {
        match self.state.turn() {
            Turn::Call(_) => true,
            Turn::Play(_) => setting.payoffs.is_none(),
            Turn::Over => false,
        }
    }

    /// Starts from a position, or with the deal of a number, and lets the bots act until the learner must or the deal is over.
    fn begin(&mut self, setting: &Setting, deal: u64, position: Option<&DealState>, help: bool) {
        self.deal = deal;
        self.decisions = [0; 4];
        self.memory.clear();
        let at = setting.positions.len() as u64;
        self.position = None;
        match position {
            Some(position) => self.state.clone_from(position),
            None if at > 0 => {
                let at = usize::try_from(deal % at).unwrap_or(0);
                self.position = u32::try_from(at).ok();
                self.state.clone_from(&setting.positions[at]);
            }
            None => self.state.restart(&setting.dealt(deal)),
        }
        if let Some(opponents) = &mut self.opponents {
            (opponents.keys, opponents.help) = (setting.secrets.decisions(deal), help);
            for bot in opponents.bots.iter_mut().flatten() {
                bot.start();
            }
            // Nobody has won a deal before the learner acted.
            self.let_bots_act(setting);
        }
    }

    /// Starts from a position that was checked, and shows the first decision.
    pub(crate) fn restart(&mut self, setting: &Setting, position: &DealState, rows: &mut Rows<'_>) {
        for help in [true, false] {
            self.begin(setting, self.deal, Some(position), help);
            if self.awaits(setting) {
                break;
            }
        }
        rows.returns.fill(0);
        for_rows(std::slice::from_mut(self), rows, |environment, row| {
            (*row.done, *row.reward) = (0, 0.0);
            environment.show(setting, row);
        });
    }

    /// Lets the bots act until the learner must or the deal is over.
    #[inline]
    fn let_bots_act(&mut self, setting: &Setting) {
        let Some(opponents) = &mut self.opponents else { return };
        while let Turn::Call(seat) | Turn::Play(seat) = self.state.turn() {
            let part = usize::from(matches!(self.state.turn(), Turn::Play(_)));
            if part == 1 && setting.payoffs.is_some() {
                return;
            }
            if setting.learner[seat.index()] && !(opponents.help && setting.helped[part]) {
                return;
            }
            let Some(bot) = &mut opponents.bots[seat.index()] else { return };
            let decision = &mut self.decisions[seat.index()];
            let key = opponents.keys[seat].and((*decision).into());
            let action = bot.act(&self.state, key).expect("the deal is not over");
            *decision += keys_used(&self.state, seat, action);
            let space = &setting.game.space;
            let action = space.index(action).expect("an action of these rules");
            space.apply(&mut self.state, action).expect("the bots of the registry act by the rules");
        }
    }

    /// Returns the number of an action as it is, of its number in what the learner sees.
    #[inline]
    fn action(&self, setting: &Setting, action: i32) -> Option<usize> {
        let action = usize::try_from(action).ok()?;
        if self.order == SuitOrder::IDENTITY {
            Some(action)
        } else {
            setting.game.space.rename(action, self.order.inverse())
        }
    }

    /// Says why an action cannot be taken; `None` where it can.
    #[inline]
    fn refuse(&self, setting: &Setting, action: i32) -> Option<String> {
        if action == SKIP {
            return None;
        }
        let space = &setting.game.space;
        match self.action(setting, action) {
            Some(action) if space.is_legal(&self.state, action) => None,
            Some(action) => {
                let why = space.apply(&mut self.state.clone(), action).map(drop);
                Some(why.map_or_else(|why: IllegalAction| why.to_string(), |()| "not legal".to_owned()))
            }
            None => {
                Some(format!("expected 0 to {}, or -1 to leave the environment as it is", space.len() - 1))
            }
        }
    }

    /// Takes a legal action and shows what the next decision looks like.
    #[inline]
    fn step(&mut self, setting: &Setting, row: &mut Row<'_>) {
        (*row.done, *row.reward) = (0, 0.0);
        if row.action == SKIP {
            return;
        }
        let action = self.action(setting, row.action).expect("checked before");
        let space = &setting.game.space;
        if let (Turn::Call(seat) | Turn::Play(seat), Some(action)) = (self.state.turn(), space.action(action))
        {
            self.decisions[seat.index()] += keys_used(&self.state, seat, action);
        }
        let seat = space.apply(&mut self.state, action).expect("checked before");
        self.let_bots_act(setting);
        let unplayed = setting.payoffs.as_ref().and_then(|payoffs| payoffs.score(&self.state, self.position));
        let played = || Some(self.state.outcome()?.score().map_or(ByTeam([0; 2]), |score| score.points));
        if let Some(points) = unplayed.or_else(played) {
            *row.done = 1;
            row.returns.copy_from_slice(&points.0);
            let team = seat.team();
            *row.reward = (points[team] - points[team.other()]) as f32;
            self.start(setting, self.deal + setting.count);
        }
        self.show(setting, row);
    }

    /// Shows the decision that the learner must make.
    #[inline]
    fn show(&mut self, setting: &Setting, row: &mut Row<'_>) {
        let (Turn::Call(seat) | Turn::Play(seat)) = self.state.turn() else {
            unreachable!("a deal that is over was followed by the next");
        };
        self.order = setting.form.write(&setting.encoder, &mut self.memory, &self.state.view(seat), row.obs);
        setting.game.space.mask(&self.state, row.mask);
        setting.game.space.rename_mask(row.mask, self.order);
        if !row.hands.is_empty() {
            // From the seat that acts on, with the suits as it sees them.
            for (place, seat) in row.hands.iter_mut().zip(seat.around()) {
                let hand = self.state.play_state().map_or(self.state.hands()[seat], |play| play.hand(seat));
                *place = self.order.rename(hand).bits();
            }
        }
        *row.player = seat as u8;
        *row.deal = i64::try_from(self.deal).unwrap_or(i64::MAX);
    }

    /// Returns the key of the decision that the learner must make: that which a bot would get in its place.
    pub(crate) fn key(&self, setting: &Setting) -> Key {
        match self.state.turn() {
            Turn::Call(seat) | Turn::Play(seat) => {
                let decision = self.decisions[seat.index()];
                Key::decisions(setting.secrets, self.deal, seat).and(decision.into())
            }
            Turn::Over => Key::from_bits(0),
        }
    }

    /// Returns the state.
    pub(crate) const fn state(&self) -> &DealState {
        &self.state
    }
}

/// How many keys a decision uses, counted as the arena does: one for the call or card, one if there is the choice to announce a
/// belote, and one if there is a choice of melds.
#[inline]
pub(crate) fn keys_used(state: &DealState, seat: Seat, action: Action) -> u16 {
    let (Action::Card(card) | Action::SilentCard(card)) = action else { return 1 };
    let of_melds = || state.tricks().is_empty() && state.meld_options(seat).len() > 1;
    1 + u16::from(state.may_announce_belote(card)) + u16::from(state.rules().melds.enabled && of_melds())
}

/// The deal of a number: that which the arena deals with this seed.
pub(crate) fn dealt(rules: &DealRules, secrets: Secrets, deal: u64) -> Deal {
    let dealer = Seat::from_index(usize::from(deal.to_le_bytes()[0] & 3));
    Deal::new(rules, Deck::shuffled(secrets, deal), dealer)
}

/// The row of one environment.
struct Row<'a> {
    action: i32,
    mask: &'a mut [u8],
    obs: &'a mut [u8],
    hands: &'a mut [u32],
    reward: &'a mut f32,
    returns: &'a mut [i32],
    done: &'a mut u8,
    player: &'a mut u8,
    deal: &'a mut i64,
}

/// Calls `each` for every environment with its row.
fn for_rows(
    environments: &mut [Environment],
    rows: &mut Rows<'_>,
    mut each: impl FnMut(&mut Environment, &mut Row<'_>),
) {
    let count = environments.len().max(1);
    let (mask, obs) = (rows.mask.len() / count, rows.obs.len() / count);
    let mut masks = rows.mask.chunks_exact_mut(mask.max(1));
    // Nothing is cut where there are no observations.
    let mut observations = rows.obs.chunks_exact_mut(obs.max(1));
    let mut hands = rows.hands.chunks_exact_mut(4);
    let mut returns = rows.returns.chunks_exact_mut(2);
    for (n, environment) in environments.iter_mut().enumerate() {
        each(
            environment,
            &mut Row {
                action: rows.actions[n],
                mask: masks.next().unwrap_or_default(),
                obs: observations.next().unwrap_or_default(),
                hands: hands.next().unwrap_or_default(),
                reward: &mut rows.reward[n],
                returns: returns.next().unwrap_or_default(),
                done: &mut rows.done[n],
                player: &mut rows.player[n],
                deal: &mut rows.deal[n],
            },
        );
    }
}

/// Finds the first action that cannot be taken.
pub(crate) fn check(setting: &Setting, environments: &[Environment], actions: &[i32]) -> Option<Refused> {
    environments
        .iter()
        .zip(actions)
        .enumerate()
        .find_map(|(n, (environment, action))| Some((n, environment.refuse(setting, *action)?)))
}

/// Takes actions that were checked.
pub(crate) fn step(setting: &Setting, environments: &mut [Environment], rows: &mut Rows<'_>) {
    for_rows(environments, rows, |environment, row| environment.step(setting, row));
}

/// Starts the first deals, numbered from `first`.
pub(crate) fn reset(setting: &Setting, first: u64, environments: &mut [Environment], rows: &mut Rows<'_>) {
    let mut deal = first;
    for_rows(environments, rows, |environment, row| {
        (*row.done, *row.reward) = (0, 0.0);
        row.returns.fill(0);
        environment.start(setting, deal);
        environment.show(setting, row);
        deal += 1;
    });
}

/// Says why the learner could not act from a position; `None` where it can.
pub(crate) fn no_decision(setting: &Setting, position: &DealState) -> Option<&'static str> {
    let is_learner = |seat: Seat| setting.learner[seat.index()];
    match position.turn() {
        Turn::Over => Some("the deal is over"),
        Turn::Play(_) if setting.helped[1] => Some("cards are played, and the learner only calls"),
        Turn::Play(_) => {
            let acts =
                Seat::ALL.into_iter().any(|seat| is_learner(seat) && !position.view(seat).hand().is_empty());
            (!acts).then_some("the learner's seats have no card left to play")
        }
        Turn::Call(_) => {
            // All pass: does the learner speak before the deal is thrown in?
            let mut passed = position.clone();
            while let Turn::Call(seat) = passed.turn() {
                if is_learner(seat) {
                    return None;
                }
                passed.call(coinche_engine::Call::Pass).ok()?;
            }
            match passed.turn() {
                Turn::Over => Some("the deal may be passed out before the learner acts"),
                _ if setting.helped[1] => Some("the auction may end before the learner calls"),
                _ => None,
            }
        }
    }
}
