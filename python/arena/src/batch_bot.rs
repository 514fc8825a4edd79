//! A bot in Python, as the arena's tables ask it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use coinche_bots::{BatchBot, Question};
use coinche_engine::encoding::{ActionSpace, Encoder, Memory, ObservationForm, SuitOrder, Suits};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// The first exception of the bots in Python.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// A bot in Python.
pub(crate) struct PythonBot {
    /// Takes observations, masks, players and keys, and returns actions as `int64`.
    pub(crate) act: Py<PyAny>,
    pub(crate) form: ObservationForm,
    pub(crate) suits: Suits,
    /// For the rules of the run.
    pub(crate) encoder: OnceLock<Encoder>,
    /// How many legs are to be in flight.
    pub(crate) batch: usize,
    pub(crate) raised: Raised,
}

/// Questions as rows.
struct Rows {
    obs: Vec<u8>,
    mask: Vec<u8>,
    player: Vec<u8>,
    key: Vec<u64>,
    /// The order of the suits in what the bot sees.
    orders: Vec<SuitOrder>,
}

impl PythonBot {
    fn rows(&self, space: &ActionSpace, questions: &[Question<'_>]) -> Rows {
        let (count, width) = (questions.len(), self.form.row_len());
        let mut rows = Rows {
            obs: vec![0; count * width],
            mask: vec![0; count * space.len()],
            player: Vec::with_capacity(count),
            key: Vec::with_capacity(count),
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
            rows.orders.push(order);
        }
        rows
    }

    fn ask(&self, py: Python<'_>, rows: Rows, space: &ActionSpace, actions: &mut Vec<i64>) -> PyResult<()> {
        let count = rows.player.len();
        let obs = PyArray1::from_vec(py, rows.obs).reshape([count, self.form.row_len()])?;
        let mask = PyArray1::from_vec(py, rows.mask).reshape([count, space.len()])?;
        let (player, key) = (PyArray1::from_vec(py, rows.player), PyArray1::from_vec(py, rows.key));
        let answer = self.act.bind(py).call1((obs, mask, player, key))?;
        let answer: PyReadonlyArray1<'_, i64> = answer.extract()?;
        for (action, order) in answer.as_array().iter().zip(rows.orders) {
            let renamed =
                usize::try_from(*action).ok().and_then(|action| space.rename(action, order.inverse()));
            // What is no action is passed on as it was given.
            actions.push(renamed.and_then(|action| i64::try_from(action).ok()).unwrap_or(*action));
        }
        Ok(())
    }
}

impl BatchBot for PythonBot {
    fn act(
        &self,
        space: &ActionSpace,
        questions: &[Question<'_>],
        actions: &mut Vec<i64>,
    ) -> Result<(), String> {
        let rows = self.rows(space, questions);
        Python::attach(|py| {
            self.ask(py, rows, space, actions).map_err(|error| {
                let text = error.to_string();
                let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
                text
            })
        })
    }

    fn batch(&self) -> usize {
        self.batch
    }
}
