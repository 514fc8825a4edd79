//! The summary table, one row per played leg: its row, what writes it and what reads it.

mod read;
mod record;
mod row;
mod rows;
mod table;

pub use read::{Place, ReadError, RowsError, SummaryFile};
pub use row::{Calls, LegEnd, SummaryContract, SummaryRow, schema, schema_of, schemas};
pub use rows::{Rows, RowsPart};
pub use table::SummaryTable;

#[cfg(test)]
mod tests;
