//! How much one call may ask for. Beyond it there is an exception, where an allocation that fails would end the interpreter.

use std::hint::black_box;
use std::ops::RangeInclusive;

use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors::value_error;

/// The most rows, states or environments of one call.
pub(crate) const MOST: usize = 1 << 24;

/// Checks a number of rows that take so many bytes each.
pub(crate) fn check(name: &str, rows: usize, most: usize, bytes: usize) -> PyResult<()> {
    if rows > most {
        return Err(value_error(format!("{name}: {rows}, expected at most {most} in one call")));
    }
    let total = rows.saturating_mul(bytes);
    let mut room = Vec::<u8>::new();
    black_box(room.try_reserve_exact(total)).map_err(|_| {
        let megabytes = total >> 20;
        PyMemoryError::new_err(format!("{name}: {rows} need some {megabytes} MiB: ask for fewer in one call"))
    })?;
    // Not optimized away with its allocation.
    black_box(&room);
    Ok(())
}

/// A whole number as it was given, so that the name of the argument is said where it is none of those that are possible.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(pub(crate) i128);

impl Count {
    /// Returns the number of an argument that may be any of its type.
    pub(crate) fn of<T: TryFrom<i128>>(self, name: &str) -> PyResult<T> {
        T::try_from(self.0).map_err(|_| {
            let (bits, is_signed) = (8 * size_of::<T>(), T::try_from(-1).is_ok());
            let range =
                if is_signed { format!("-2^{0} to 2^{0}", bits - 1) } else { format!("0 to 2^{bits}") };
            self.outside(name, &format!("{range} - 1"))
        })
    }

    /// Returns the number of an argument that has bounds of its own.
    pub(crate) fn within(self, name: &str, bounds: RangeInclusive<usize>) -> PyResult<usize> {
        let number = usize::try_from(self.0).ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| self.outside(name, &format!("{} to {}", bounds.start(), bounds.end())))
    }

    /// A `ValueError` that says what was expected.
    pub(crate) fn outside(self, name: &str, expected: &str) -> PyErr {
        value_error(format!("{name}: {self}, expected {expected}"))
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            i128::MAX => f.write_str("2^127 or more"),
            i128::MIN => f.write_str("-2^127 or less"),
            number => number.fmt(f),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i128>() {
            Ok(number) => Ok(Self(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(if object.lt(0)? { i128::MIN } else { i128::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

/// A list that is read one by one, whatever length it says it has.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<pyo3::types::PyString>() {
            return Err(PyTypeError::new_err("expected a list, not a text"));
        }
        // What has no length, as an iterator, is no list.
        let length = object.len().map_err(|_| other_type("a list", object))?;
        check("list", length, MOST, size_of::<T>())?;
        let mut items = Vec::new();
        for item in object.try_iter()? {
            check("list", items.len() + 1, MOST, 0)?;
            items.push(item?.extract::<T>().map_err(Into::into)?);
        }
        Ok(Self(items))
    }
}

/// The name of an object's type, with its form where it is an array.
fn kind(object: Borrowed<'_, '_, PyAny>) -> String {
    let form = || -> PyResult<String> {
        let (dtype, shape) = (object.getattr("dtype")?.str()?, object.getattr("shape")?.repr()?);
        Ok(format!(" of {dtype} with the shape {shape}"))
    };
    let name = |object: &Bound<'_, PyAny>| {
        object.get_type().name().map_or_else(|_| "an object".to_owned(), |name| name.to_string())
    };
    let mut kind = name(&object) + &form().unwrap_or_default();
    if let Ok(list) = object.cast::<PyList>() {
        let mut kinds: Vec<String> = list.iter().take(8).map(|item| name(&item)).collect();
        kinds.dedup();
        kind = format!("{kind} of {}", kinds.join(", "));
    }
    kind
}

/// A `TypeError` that says what was expected, and what is there.
pub(crate) fn other_type(expected: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("expected {expected}, not {}", kind(object)))
}

/// Rows of four sets of cards.
pub(crate) struct HandRows<'py>(pub(crate) PyReadonlyArray2<'py, u32>);

impl<'py> FromPyObject<'_, 'py> for HandRows<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|_| other_type("a uint32 array with the shape (n, 4)", object))
    }
}

/// Reads an argument that may be of several types, and says in one sentence which.
///
/// A value of the right type that cannot be, as a number that is too large, keeps its own error.
macro_rules! either {
    ($name:ident, $expected:literal: $($variant:ident),+) => {
        impl<'py> FromPyObject<'_, 'py> for $name {
            type Error = PyErr;

            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                let mut kept = None;
                $(match object.extract().map_err(PyErr::from) {
                    Ok(value) => return Ok(Self::$variant(value)),
                    Err(error) => kept = $crate::sizes::says_more(error, object).or(kept),
                })+
                Err(kept.unwrap_or_else(|| $crate::sizes::other_type($expected, object)))
            }
        }
    };
}

/// Returns the error if it is about a value and not about its type; of tuples it is about their length.
pub(crate) fn says_more(error: PyErr, object: Borrowed<'_, '_, PyAny>) -> Option<PyErr> {
    let is_of_type = error.is_instance_of::<PyTypeError>(object.py()) || object.is_instance_of::<PyTuple>();
    (!is_of_type).then_some(error)
}

pub(crate) use either;
