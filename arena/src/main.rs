//! Arena.
fn main() {}
