//! `State`: one deal, step by step.

use std::sync::Arc;

use coinche_bots::worlds::{Worlds, retell, rotated, stand_in};
use coinche_engine::encoding::{Action, ActionSpace, Encoder, Memory, ObservationForm, Suits};
use coinche_engine::record::{Record, replay_steps};
use coinche_engine::{
    BySeat, ByTeam, CardSet, Contract, Deal, DealState, Deck, Key, Purpose, Seat, Stake, Team, Turn,
    parse_hands,
};
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::describe;
use crate::errors::{guarded, illegal_action, value_error};
use crate::rules::{Game, Rules, RulesLike};
use crate::sizes::{self, Count, either};
use crate::vec_env::SeedLike;

/// One deal from the first call to the score.
#[pyclass(module = "coinche", name = "State")]
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "it is the state")]
pub(crate) struct State {
    pub(crate) game: Arc<Game>,
    pub(crate) state: DealState,
    /// Whose knowledge it is: the other hands are made up. `None` where all hands are the real ones.
    pub(crate) known_by: Option<Seat>,
}

/// An action as its number or its text.
enum ActionLike {
    Number(Count),
    Text(String),
}

either!(ActionLike, "the number of an action, a call or a card": Number, Text);

/// Four hands: a text for each seat, one text for all, or a 32-bit set for each.
enum HandsLike {
    Text(String),
    Texts([String; 4]),
    Sets([Count; 4]),
}

either!(HandsLike, "a text, or four texts or sets": Text, Texts, Sets);

/// A contract: its bid, or bid and declarer, or these and the stake.
enum ContractLike {
    Staked((String, Count, String)),
    Plain((String, Count)),
}

either!(ContractLike, "(bid, declarer) or (bid, declarer, stake)": Staked, Plain);

pub(crate) fn seat_of(name: &str, seat: Count) -> PyResult<Seat> {
    let known = usize::try_from(seat.0).ok().and_then(|seat| Seat::ALL.get(seat));
    known.copied().ok_or_else(|| seat.outside(name, "0, 1, 2 or 3"))
}

impl HandsLike {
    fn hands(self) -> PyResult<BySeat<CardSet>> {
        match self {
            Self::Text(text) => parse_hands(&text).map_err(value_error),
            Self::Texts(texts) => parse_hands(&texts.join(" | ")).map_err(value_error),
            Self::Sets([a, b, c, d]) => {
                let set = |bits: Count| bits.of("hands").map(CardSet::from_bits);
                Ok(BySeat([set(a)?, set(b)?, set(c)?, set(d)?]))
            }
        }
    }
}

impl ContractLike {
    fn contract(self) -> PyResult<Contract> {
        let (bid, declarer, stake) = match self {
            Self::Staked((bid, declarer, stake)) => (bid, declarer, stake.parse().map_err(value_error)?),
            Self::Plain((bid, declarer)) => (bid, declarer, Stake::Plain),
        };
        Contract::from_code(&bid, seat_of("declarer", declarer)?, stake).map_err(value_error)
    }
}

impl State {
    /// Returns a seat that is given, or else the one that must act.
    ///
    /// # Errors
    ///
    /// When the deal is over.
    pub(crate) fn undecided(&self, seat: Option<Count>) -> PyResult<Seat> {
        if self.is_over() {
            return Err(value_error("the deal is over: there is nothing to sample"));
        }
        self.seat(seat)
    }

    pub(crate) fn of(game: &Arc<Game>, state: DealState) -> Self {
        Self { game: Arc::clone(game), state, known_by: None }
    }

    /// Returns the state if all hands are open.
    pub(crate) fn open(&self, what: impl FnOnce() -> String) -> PyResult<&DealState> {
        match self.known_by {
            None => Ok(&self.state),
            Some(seat) => Err(value_error(format!(
                "{}: only what seat {seat} knows is in this state; `resample` draws deals that fit it",
                what()
            ))),
        }
    }

    fn space(&self) -> &ActionSpace {
        &self.game.space
    }

    fn number(&self, action: ActionLike) -> PyResult<usize> {
        match action {
            ActionLike::Number(number) => usize::try_from(number.0).map_err(|_| {
                illegal_action(None, number.0, format!("expected 0 to {}", self.space().len() - 1))
            }),
            ActionLike::Text(text) => self.game.index(&text),
        }
    }

    fn seat(&self, seat: Option<Count>) -> PyResult<Seat> {
        match (seat, self.state.turn()) {
            (Some(seat), _) => {
                let seat = seat_of("seat", seat)?;
                if self.known_by != Some(seat) {
                    self.open(|| format!("seat: {seat}"))?;
                }
                Ok(seat)
            }
            (None, Turn::Call(seat) | Turn::Play(seat)) => Ok(seat),
            (None, Turn::Over) => Err(value_error("the deal is over: give a seat")),
        }
    }

    /// All decisions so far, answers to offers included; as a seat knows them, if one is given: that another played a card in silence it does
    /// not.
    pub(crate) fn decisions(&self, known_by: Option<Seat>) -> Vec<(Seat, Action)> {
        let state = &self.state;
        let mut decisions = Vec::new();
        retell(&state.view(Seat::S0), state.deal(), |before, seat, choice| {
            let action = match choice {
                coinche_bots::Choice::Call(call) => Action::Call(call),
                coinche_bots::Choice::Card(card) => {
                    let is_known = known_by.is_none_or(|known_by| known_by == seat);
                    let was_silent = is_known
                        && before.may_announce_belote(card)
                        && state.belote(card.suit()).is_some_and(|belote| belote.announced == Some(false));
                    if was_silent { Action::SilentCard(card) } else { Action::Card(card) }
                }
            };
            decisions.push((seat, action));
        });
        decisions
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (rules = RulesLike::Name("bga".to_owned()), *, seed = None, deal = Count(0), hands = None, dealer = None,
                        contract = None, turned = None, score = (Count(0), Count(0))),
           text_signature = "(rules='bga', *, seed=None, deal=0, hands=None, dealer=None, contract=None, turned=None, score=(0, 0))")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        rules: RulesLike,
        seed: Option<SeedLike>,
        deal: Count,
        hands: Option<HandsLike>,
        dealer: Option<Count>,
        contract: Option<ContractLike>,
        turned: Option<&str>,
        score: (Count, Count),
    ) -> PyResult<Self> {
        let (game, deal) = (rules.game()?, deal.of::<u64>("deal")?);
        let rules = &game.rules;
        let contract = contract.map(ContractLike::contract).transpose()?;
        let dealt = match (seed, hands) {
            (Some(seed), None) => {
                let dealer = dealer.unwrap_or(Count((deal & 3).into()));
                Deal::new(&rules.deal, Deck::shuffled(seed.secrets()?, deal), seat_of("dealer", dealer)?)
            }
            (None, Some(hands)) => {
                let dealer = seat_of("dealer", dealer.unwrap_or(Count(3)))?;
                let turned = match (turned, contract) {
                    (Some(card), Some(contract)) => {
                        Some((card.parse().map_err(value_error)?, contract.declarer))
                    }
                    (Some(_), None) => {
                        return Err(value_error("turned: hands of a turn-up game need a contract, too"));
                    }
                    (None, _) => None,
                };
                Deal::from_hands(&rules.deal, dealer, hands.hands()?, turned).map_err(value_error)?
            }
            _ => return Err(value_error("give either seed= or hands=")),
        };
        let mut state = match contract {
            Some(contract) => DealState::play_from(rules, &dealt, contract).map_err(value_error)?,
            None => DealState::new(rules, &dealt),
        };
        state.set_match(ByTeam([score.0.of("score")?, score.1.of("score")?]), 0, &[]);
        Ok(Self::of(&game, state))
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(Arc::clone(&self.game))
    }

    /// The seat that must act, `None` when the deal is over.
    #[getter]
    fn current_player(&self) -> Option<usize> {
        match self.state.turn() {
            Turn::Call(seat) | Turn::Play(seat) => Some(seat.index()),
            Turn::Over => None,
        }
    }

    /// Whether the deal is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.turn() == Turn::Over
    }

    /// Whether the next action is a call, not a card.
    #[getter]
    fn is_auction(&self) -> bool {
        matches!(self.state.turn(), Turn::Call(_))
    }

    /// Who dealt.
    #[getter]
    fn dealer(&self) -> usize {
        self.state.deal().dealer().index()
    }

    /// The bid that stands, its declarer and its stake, or `None` before the first bid.
    #[getter]
    fn contract(&self) -> Option<(String, usize, &'static str)> {
        let contract = self.state.auction().state().contract()?;
        Some((contract.bid_code(), contract.declarer.index(), contract.stake.name()))
    }

    /// The cards that each seat holds now, as 32-bit sets: bit 8 × suit + rank.
    ///
    /// Raises ValueError where only what one seat knows is there.
    #[getter]
    fn hands(&self) -> PyResult<[u32; 4]> {
        Ok(describe::hands(self.open(|| "hands".to_owned())?).0.map(CardSet::bits))
    }

    /// The cards that a seat holds now (the one that must act), as a 32-bit set.
    #[pyo3(signature = (seat = None))]
    fn hand(&self, seat: Option<Count>) -> PyResult<u32> {
        Ok(self.state.view(self.seat(seat)?).hand().bits())
    }

    /// Whose knowledge it is, of a state that `view` made; `None` where all hands are open.
    #[getter]
    fn known_by(&self) -> Option<usize> {
        self.known_by.map(Seat::index)
    }

    /// What the seat that must act knows, and nothing else: a state without the hands of the others, for players that shall not see them.
    /// What follows from other hands raises ValueError, `resample` draws deals that fit. It does not change: act in those.
    ///
    /// Raises ValueError when the deal is over.
    fn view(&self) -> PyResult<Self> {
        let seat = self.seat(None)?;
        let state = guarded("the view", || stand_in(&self.state.view(seat)))?;
        let state = state.ok_or_else(|| value_error("no deal fits what the seat knows"))?;
        Ok(Self { game: Arc::clone(&self.game), state, known_by: Some(seat) })
    }

    /// The card points that both teams have taken so far.
    #[getter]
    fn points(&self) -> (u16, u16) {
        let points = self.state.view(Seat::S0).points_taken();
        (points[Team::Even], points[Team::Odd])
    }

    /// The legal actions, by number.
    fn legal_actions(&self) -> Vec<usize> {
        let mut legal = Vec::with_capacity(16);
        match self.state.turn() {
            Turn::Over => {}
            Turn::Play(_) => {
                legal.extend(self.state.legal_plays().into_iter().map(coinche_engine::Card::index));
                let silent = ActionSpace::SILENT..ActionSpace::SILENT + 8;
                if self.state.rules().belote.announce == coinche_engine::rules::Announce::Voluntary {
                    legal.extend(silent.filter(|action| self.space().is_legal(&self.state, *action)));
                }
            }
            Turn::Call(_) => {
                // Faster than to ask for the number of each call.
                let mut mask = vec![0; self.space().len()];
                self.space().mask(&self.state, &mut mask);
                legal.extend((0..mask.len()).filter(|action| mask[*action] != 0));
            }
        }
        legal
    }

    /// A bool for each action: whether it is legal. `out` is a `bool` array of that length to write into.
    #[pyo3(signature = (out = None))]
    fn mask(&self, py: Python<'_>, out: Option<Bound<'_, PyArray1<bool>>>) -> PyResult<Py<PyArray1<bool>>> {
        let mut mask = vec![0; self.space().len()];
        self.space().mask(&self.state, &mut mask);
        let mask: Vec<bool> = mask.into_iter().map(|byte| byte != 0).collect();
        filled(py, out, &mask)
    }

    /// Takes an action, by number or as text, for the seat whose turn it is.
    ///
    /// Raises IllegalAction when it is not legal; the state is then unchanged.
    fn apply(slf: &Bound<'_, Self>, action: ActionLike) -> PyResult<()> {
        let mut this = slf
            .try_borrow_mut()
            .map_err(|_| value_error("apply: another thread is in a call of this State; act in a clone"))?;
        this.open(|| "apply".to_owned())?;
        let number = this.number(action)?;
        let Self { game, state, .. } = &mut *this;
        match game.space.apply(state, number) {
            Ok(_) => Ok(()),
            Err(why) => Err(illegal_action(None, i128::try_from(number).unwrap_or(-1), why)),
        }
    }

    /// The same deal with every seat `seats` places further on: who was seat 0 is seat 1. With one place the partnerships have changed sides.
    ///
    /// Raises ValueError for what a seat knows.
    #[pyo3(signature = (seats = Count(1)), text_signature = "($self, seats=1)")]
    fn rotated(&self, seats: Count) -> PyResult<Self> {
        let places = usize::try_from(seats.of::<i64>("seats")?.rem_euclid(4)).unwrap_or(0);
        let rotated = rotated(self.open(|| "rotated".to_owned())?, places);
        let rotated =
            rotated.ok_or_else(|| value_error("rotated: the hands are not those that were dealt"))?;
        Ok(Self::of(&self.game, rotated))
    }

    /// An independent copy.
    fn clone(&self) -> Self {
        Clone::clone(self)
    }

    fn __copy__(&self) -> Self {
        Clone::clone(self)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        Clone::clone(self)
    }

    /// The score of the deal for both teams, `None` before the end; `(0, 0)` when all passed.
    #[getter]
    fn score(&self) -> Option<(i32, i32)> {
        let score = self.state.outcome()?.score();
        Some(score.map_or((0, 0), |score| score.points.0.into()))
    }

    /// What each seat gains: the score of its team less that of the other; all 0 before the end.
    fn returns(&self) -> [f64; 4] {
        let (even, odd) = self.score().unwrap_or((0, 0));
        let net = f64::from(even - odd);
        [net, -net, net, -net]
    }

    /// What a seat may know, as `uint8`: 1,344 bytes of 0 or 1, or 168 bytes of packed bits.
    ///
    /// The seat that must act if none is given. With `canonical` the suits are renamed; `suit_order` says how.
    #[pyo3(signature = (seat = None, out = None, *, bits = false, canonical = false))]
    fn observation(
        &self,
        py: Python<'_>,
        seat: Option<Count>,
        out: Option<Bound<'_, PyArray1<u8>>>,
        bits: bool,
        canonical: bool,
    ) -> PyResult<Py<PyArray1<u8>>> {
        let form = if bits { ObservationForm::Bits } else { ObservationForm::Bytes };
        let suits = if canonical { Suits::Canonical } else { Suits::AsDealt };
        let mut observed = vec![0; form.row_len()];
        let encoder = Encoder::new(&self.game.rules, suits);
        form.write(&encoder, &mut Memory::new(), &self.state.view(self.seat(seat)?), &mut observed);
        filled(py, out, &observed)
    }

    /// The suits in the order of a canonical observation, as letters: `HCSD` means that hearts stand first.
    #[pyo3(signature = (seat = None))]
    fn suit_order(&self, seat: Option<Count>) -> PyResult<String> {
        let encoder = Encoder::new(&self.game.rules, Suits::Canonical);
        let order = encoder.order(&self.state.view(self.seat(seat)?));
        Ok(order.suits().map(coinche_engine::Suit::letter).iter().collect())
    }

    /// All decisions so far: seat and action. Applied in order to a new state of the same deal they lead here.
    #[getter]
    fn history(&self) -> Vec<(usize, usize)> {
        let number = |action| self.space().index(action).unwrap_or(usize::MAX);
        self.decisions(self.known_by)
            .into_iter()
            .map(|(seat, action)| (seat.index(), number(action)))
            .collect()
    }

    /// Deals that fit what a seat knows (the one that must act, if none is given), all equally likely: states at the same
    /// moment with other hidden cards. The same `seed` gives the same deals.
    ///
    /// Raises ValueError when the deal is over.
    #[pyo3(signature = (n, seed = SeedLike::Number(Count(0)), seat = None), text_signature = "($self, n, seed=0, seat=None)")]
    fn resample(&self, py: Python<'_>, n: Count, seed: SeedLike, seat: Option<Count>) -> PyResult<Vec<Self>> {
        let seat = self.undecided(seat)?;
        let n = n.within("n", 0..=MOST_WORLDS)?;
        sizes::check("n", n, MOST_WORLDS, 2 * size_of::<Self>())?;
        let key = seed.secrets()?.key(Purpose::Experiment, 0, 0);
        let sampled = guarded("the sampling", || py.detach(|| worlds(&self.state, seat, n, key)))?;
        let sampled = sampled.ok_or_else(|| value_error("no deal fits what the seat knows"))?;
        Ok(sampled.into_iter().map(|state| Self::of(&self.game, state)).collect())
    }

    /// The state as bytes, with its rules.
    fn to_bytes(&self, py: Python<'_>) -> Py<PyBytes> {
        let rules = self.game.rules.preset_name().map_or_else(|| self.game.rules.to_toml(), str::to_owned);
        let known_by = self.known_by.map_or(0, |seat| 1 + seat as u32);
        let mut bytes =
            (u32::try_from(rules.len()).unwrap_or(MOST_RULES) | known_by << 24).to_le_bytes().to_vec();
        bytes.extend(rules.as_bytes());
        bytes.extend(self.state.to_bytes());
        PyBytes::new(py, &bytes).unbind()
    }

    /// The state that `to_bytes` wrote.
    ///
    /// Raises ValueError (RulesError for the rules in it) when the bytes are damaged.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let damaged = || value_error("these are not the bytes of a state");
        let (len, rest) = bytes.split_first_chunk::<4>().ok_or_else(damaged)?;
        let [a, b, c, known_by] = *len;
        let len = usize::try_from(u32::from_le_bytes([a, b, c, 0])).unwrap_or(usize::MAX);
        let (rules, rest) = rest.split_at_checked(len).ok_or_else(damaged)?;
        let rules = std::str::from_utf8(rules).map_err(|_| damaged())?;
        let game = RulesLike::Name(rules.to_owned()).game()?;
        let known_by = match known_by {
            0 => None,
            seat => Some(Seat::ALL.get(usize::from(seat) - 1).copied().ok_or_else(damaged)?),
        };
        let state = DealState::from_bytes(&game.rules, rest).map_err(value_error)?;
        if known_by.is_some()
            && !matches!(state.turn(), Turn::Call(seat) | Turn::Play(seat) if Some(seat) == known_by)
        {
            return Err(damaged());
        }
        Ok(Self { game, state, known_by })
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (Py<PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?.unbind();
        Ok((from_bytes, (self.to_bytes(py),)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.known_by == other.known_by && self.state == other.state
    }

    fn __str__(&self) -> String {
        describe::text(&self.state, self.known_by, &self.decisions(self.known_by))
    }

    fn __repr__(&self) -> String {
        let turn = match self.state.turn() {
            Turn::Call(seat) => format!("seat {seat} to call"),
            Turn::Play(seat) => format!("seat {seat} to play"),
            Turn::Over => "over".to_owned(),
        };
        let known = self.known_by.map_or_else(String::new, |seat| format!(", as seat {seat} knows it"));
        format!("<State of {}: {turn}{known}>", self.game.rules.preset_name().unwrap_or("custom rules"))
    }

    fn _repr_html_(&self) -> String {
        describe::html(&self.state, self.known_by, &self.decisions(self.known_by))
    }
}

/// The states before each decision of a record as a line of JSON; see `coinche.states`.
#[pyfunction]
#[pyo3(name = "_record_states")]
pub(crate) fn record_states(line: &str) -> PyResult<Vec<State>> {
    let record = Record::from_json(line).map_err(value_error)?;
    let game = RulesLike::Name(record.rules.rules().map_err(value_error)?.to_toml()).game()?;
    let mut states = Vec::new();
    let wrong = replay_steps(&record, |state, _| states.push(State::of(&game, state.clone())));
    match wrong.first() {
        Some(wrong) => Err(value_error(wrong)),
        None => Ok(states),
    }
}

/// The array to write into, or a new one, with these values.
fn filled<T: numpy::Element + Copy>(
    py: Python<'_>,
    out: Option<Bound<'_, PyArray1<T>>>,
    values: &[T],
) -> PyResult<Py<PyArray1<T>>> {
    let Some(out) = out else { return Ok(PyArray1::from_slice(py, values).unbind()) };
    if out.len() != values.len() {
        return Err(value_error(format!("out: {} places, expected {}", out.len(), values.len())));
    }
    let mut borrowed = out.try_readwrite().map_err(|error| value_error(format!("out: {error}")))?;
    match borrowed.as_slice_mut() {
        Ok(slice) => slice.copy_from_slice(values),
        Err(_) => borrowed.as_array_mut().iter_mut().zip(values).for_each(|(place, value)| *place = *value),
    }
    drop(borrowed);
    Ok(out.unbind())
}

/// The most bytes of rules in the bytes of a state.
const MOST_RULES: u32 = 0x00FF_FFFF;

/// The most states of one call of `resample`.
pub(crate) const MOST_WORLDS: usize = 1 << 20;

fn worlds(state: &DealState, seat: Seat, n: usize, key: Key) -> Option<Vec<DealState>> {
    let view = state.view(seat);
    let worlds = Worlds::try_of(&view)?;
    let mut rng = key.rng();
    (0..n).map(|_| retell(&view, &worlds.try_deal(&mut rng, 1_000_000)?, |_, _, _| {})).collect()
}
