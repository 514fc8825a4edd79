//! Records and tables: what is written, read and refused.

mod bounds;
mod forms;
mod inspect;
mod presets;
mod writers;
