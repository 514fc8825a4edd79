//! A bot in Python, as the arena's tables ask it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use coinche_bots::worlds::stand_in;
use coinche_bots::{BatchBot, MakeBatchBot, Question};
use coinche_engine::View;
use coinche_engine::encoding::{ActionSpace, Encoder, Memory, ObservationForm, SuitOrder, Suits};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// The first exception of the bots in Python.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// A bot in Python.
pub(crate) struct PythonBot {
    /// Makes the object of a seat: its `send` takes observations, masks, players, keys and views, and its `receive` returns actions
    /// as `int64`.
    pub(crate) make: Py<PyAny>,
    pub(crate) form: ObservationForm,
    pub(crate) suits: Suits,
    /// Whether it wants all that its seats know.
    pub(crate) wants_views: bool,
    /// For the rules of the run.
    pub(crate) encoder: OnceLock<Encoder>,
    /// How many legs are to be in flight.
    pub(crate) batch: usize,
    /// Whether its objects are in processes of their own.
    pub(crate) is_apart: bool,
    pub(crate) raised: Raised,
}

/// Makes the objects of a bot in Python.
pub(crate) struct PythonBots(pub(crate) Arc<PythonBot>);

impl MakeBatchBot for PythonBots {
    fn make(&self) -> Box<dyn BatchBot> {
        Box::new(PythonSeat { bot: Arc::clone(&self.0), object: None, sent: None })
    }

    fn batch(&self) -> usize {
        self.0.batch
    }

    fn is_apart(&self) -> bool {
        self.0.is_apart
    }
}

/// The object of a seat, made when it is first asked.
struct PythonSeat {
    bot: Arc<PythonBot>,
    object: Option<Py<PyAny>>,
    /// Of questions that were sent and not answered: the orders of their suits, or why they could not be sent.
    sent: Option<Result<Vec<SuitOrder>, String>>,
}

/// Questions as rows.
struct Rows {
    obs: Vec<u8>,
    mask: Vec<u8>,
    player: Vec<u8>,
    key: Vec<u64>,
    /// States that have what the seat knows, as `coinche` reads them: of each the number of its bytes, two bytes, and these.
    views: Vec<u8>,
    /// The order of the suits in what the bot sees.
    orders: Vec<SuitOrder>,
}

/// What a seat knows as `coinche` reads it: the number of bytes of a state, two bytes, and these; 0 if no deal fits.
pub(crate) fn view_bytes(view: &View<'_>) -> Vec<u8> {
    let bytes = stand_in(view).map_or_else(Vec::new, |state| state.to_bytes());
    [&u16::try_from(bytes.len()).unwrap_or(0).to_le_bytes()[..], &bytes].concat()
}

impl PythonBot {
    fn rows(&self, space: &ActionSpace, questions: &[Question<'_>]) -> Rows {
        let (count, width) = (questions.len(), self.form.row_len());
        let mut rows = Rows {
            obs: vec![0; count * width],
            mask: vec![0; count * space.len()],
            player: Vec::with_capacity(count),
            key: Vec::with_capacity(count),
            views: Vec::new(),
            orders: Vec::with_capacity(count),
        };
        let mut masks = rows.mask.chunks_exact_mut(space.len());
        for (row, Question { view, key }) in questions.iter().enumerate() {
            let encoder = self.encoder.get_or_init(|| Encoder::new(view.rules(), self.suits));
            let obs = &mut rows.obs[row * width..][..width];
            let order = self.form.write(encoder, &mut Memory::new(), view, obs);
            if let Some(mask) = masks.next() {
                space.mask_of(view, mask);
                space.rename_mask(mask, order);
            }
            rows.player.push(view.seat() as u8);
            rows.key.push(key.bits());
            if self.wants_views {
                rows.views.extend(view_bytes(view));
            }
            rows.orders.push(order);
        }
        rows
    }

    /// Keeps the first exception, and returns its text.
    fn raised(&self, error: PyErr) -> String {
        let text = error.to_string();
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        text
    }
}

impl PythonSeat {
    fn pass_on(&mut self, py: Python<'_>, rows: Rows, space: &ActionSpace) -> PyResult<Vec<SuitOrder>> {
        let object = match &mut self.object {
            Some(object) => object,
            none => none.insert(self.bot.make.call0(py)?),
        };
        let count = rows.player.len();
        let obs = PyArray1::from_vec(py, rows.obs).reshape([count, self.bot.form.row_len()])?;
        let mask = PyArray1::from_vec(py, rows.mask).reshape([count, space.len()])?;
        let (player, key) = (PyArray1::from_vec(py, rows.player), PyArray1::from_vec(py, rows.key));
        let views = PyArray1::from_vec(py, rows.views);
        object.bind(py).call_method1("send", (obs, mask, player, key, views))?;
        Ok(rows.orders)
    }

    fn receive(
        &self,
        py: Python<'_>,
        orders: Vec<SuitOrder>,
        space: &ActionSpace,
        actions: &mut Vec<i64>,
    ) -> PyResult<()> {
        let Some(object) = &self.object else { return Ok(()) };
        let answer = object.bind(py).call_method0("receive")?;
        let answer: PyReadonlyArray1<'_, i64> = answer.extract()?;
        for (action, order) in answer.as_array().iter().zip(orders) {
            let renamed =
                usize::try_from(*action).ok().and_then(|action| space.rename(action, order.inverse()));
            // What is no action is passed on as it was given.
            actions.push(renamed.and_then(|action| i64::try_from(action).ok()).unwrap_or(*action));
        }
        Ok(())
    }
}

impl BatchBot for PythonSeat {
    fn act(
        &mut self,
        space: &ActionSpace,
        questions: &[Question<'_>],
        actions: &mut Vec<i64>,
    ) -> Result<(), String> {
        if self.sent.is_none() {
            self.send(space, questions);
        }
        let orders = self.sent.take().unwrap_or_else(|| Ok(Vec::new()))?;
        let received = Python::attach(|py| self.receive(py, orders, space, actions));
        received.map_err(|error| self.bot.raised(error))
    }

    fn send(&mut self, space: &ActionSpace, questions: &[Question<'_>]) {
        let rows = self.bot.rows(space, questions);
        let sent = Python::attach(|py| self.pass_on(py, rows, space));
        self.sent = Some(sent.map_err(|error| self.bot.raised(error)));
    }
}
