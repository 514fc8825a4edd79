//! Records and tables: what is written, read and refused.

mod forms;
mod inspect;
mod presets;
mod writers;
