//! Rule sets.

use std::sync::{Arc, LazyLock};

use coinche_engine::RuleSet;
use coinche_engine::encoding::ActionSpace;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

use crate::actions::Actions;
use crate::errors::{rules_error, value_error};
use crate::sizes::either;

/// A rule set with the numbers of its actions, shared by everything that plays by it.
#[derive(Debug)]
pub(crate) struct Game {
    pub(crate) rules: RuleSet,
    pub(crate) space: ActionSpace,
}

impl Game {
    pub(crate) fn new(rules: RuleSet) -> Arc<Self> {
        Arc::new(Self { rules, space: ActionSpace::new(&rules) })
    }

    /// Returns the number of an action by its name.
    pub(crate) fn index(&self, text: &str) -> PyResult<usize> {
        let action = text.parse().map_err(value_error)?;
        let number = self.space.index(action);
        number.ok_or_else(|| value_error(format!("these rules do not have the action `{text}`")))
    }

    /// Returns a preset, made once: naming its actions takes some 10 µs, a third of a whole deal.
    fn preset(name: &str) -> Option<Arc<Self>> {
        static PRESETS: LazyLock<Vec<(&str, Arc<Game>)>> =
            LazyLock::new(|| RuleSet::ALL.iter().map(|(name, rules)| (*name, Game::new(*rules))).collect());
        PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, game)| Arc::clone(game))
    }
}

/// A validated rule set: a preset, or the text of a rule file, with single options changed.
///
///     Rules("bga")
///     Rules("bga", **{"scoring.solo_slam": 500})
///     Rules(Path("club.toml").read_text())
///
/// Raises RulesError when there is no such preset or option, or a value is out of range.
#[pyclass(frozen, from_py_object, module = "coinche", name = "Rules")]
#[derive(Debug, Clone)]
pub(crate) struct Rules(pub(crate) Arc<Game>);

/// The names of the presets.
#[pyfunction]
pub(crate) fn presets() -> Vec<&'static str> {
    RuleSet::ALL.iter().map(|(name, _)| *name).collect()
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (rules = "bga", **options))]
    fn new(rules: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut set = match RuleSet::preset(rules) {
            Some(preset) => preset,
            None if rules.contains(['\n', '=']) => RuleSet::from_toml(rules).map_err(rules_error)?,
            None => {
                let mut text = format!("there is no preset `{rules}`; presets: {}", presets().join(", "));
                let names = presets();
                if let Some(near) = coinche_engine::nearest_name(rules, names.iter().copied()) {
                    text = format!("{text} (did you mean `{near}`?)");
                }
                return Err(rules_error(text));
            }
        };
        let mut settings = Vec::new();
        for (path, value) in options.into_iter().flatten() {
            settings.push(format!("{}={}", path.extract::<String>()?, setting(&value)?));
        }
        // All together, since some options are legal only with others.
        set = set.with_settings(settings.iter().map(String::as_str)).map_err(rules_error)?;
        Ok(Self(Game::new(set)))
    }

    /// The whole rule set as TOML, which `Rules` reads.
    fn to_toml(&self) -> String {
        self.0.rules.to_toml()
    }

    /// The preset's name, or `None`.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.rules.preset_name()
    }

    /// The numbers of the calls and cards under these rules.
    #[getter]
    fn actions(&self) -> Actions {
        Actions(Arc::clone(&self.0))
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.to_toml(),))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.rules == other.0.rules
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.rules.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        match self.name() {
            Some(name) => format!("Rules('{name}')"),
            None => format!("Rules('''\n{}''')", self.to_toml()),
        }
    }
}

/// A value as in a rule file.
fn setting(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.extract::<bool>() {
        Ok(truth.to_string())
    } else if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyString>() {
        Ok(value.str()?.to_string())
    } else if let Ok(list) = value.cast::<PyList>() {
        let values: PyResult<Vec<String>> = list.iter().map(|value| setting(&value)).collect();
        Ok(format!("[{}]", values?.join(", ")))
    } else {
        let kind = if value.is_instance_of::<PyFloat>() {
            "a float".to_owned()
        } else {
            value.get_type().to_string()
        };
        Err(rules_error(format!("{kind} is no value of a rule: expected a number, text, bool or list")))
    }
}

/// What a function takes as rules: an object, or the name of a preset.
pub(crate) enum RulesLike {
    Object(Rules),
    Name(String),
}

either!(RulesLike, "the name of a preset, the text of a rule file or Rules": Object, Name);

impl RulesLike {
    pub(crate) fn game(self) -> PyResult<Arc<Game>> {
        match self {
            Self::Object(rules) => Ok(rules.0),
            Self::Name(name) => match Game::preset(&name) {
                Some(game) => Ok(game),
                None => Rules::new(&name, None).map(|rules| rules.0),
            },
        }
    }
}
