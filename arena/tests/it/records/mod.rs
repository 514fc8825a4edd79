//! Records and tables: what is written, read and refused.

mod blocks;
mod bounds;
mod forms;
mod inspect;
mod presets;
mod writers;
