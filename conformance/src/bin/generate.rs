//! Writes the conformance suite into `conformance/data/`.

use std::path::Path;
use std::{fs, io};

use coinche_conformance::generate::suite;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    fs::create_dir_all(&folder)?;
    for file in suite() {
        fs::write(folder.join(&file.name), &file.text)?;
        println!("{} {} lines", file.name, file.text.lines().count());
    }
    Ok(())
}
