//! How much one call may ask for. Beyond it there is an exception, where an allocation that fails would end the interpreter.

use std::hint::black_box;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

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

/// A list that is read one by one, whatever length it says it has.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<pyo3::types::PyString>() {
            return Err(pyo3::exceptions::PyTypeError::new_err("expected a list, not a text"));
        }
        // What has no length, as an iterator, is no list.
        check("list", object.len()?, MOST, size_of::<T>())?;
        let mut items = Vec::new();
        for item in object.try_iter()? {
            check("list", items.len() + 1, MOST, 0)?;
            items.push(item?.extract::<T>().map_err(Into::into)?);
        }
        Ok(Self(items))
    }
}
