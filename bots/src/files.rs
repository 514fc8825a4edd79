//! The files that a specification names.

use core::fmt;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read as _};
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of a file that a specification names.
const MOST: u64 = 1 << 24;

/// The files that a specification names, each of which is read once.
#[derive(Clone, Default)]
pub(crate) struct Files(Arc<Mutex<HashMap<String, Arc<[u8]>>>>);

impl Files {
    pub(crate) fn read(&self, path: &str) -> io::Result<Arc<[u8]>> {
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = read.get(path) {
            return Ok(Arc::clone(bytes));
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 16 MB"));
        }
        let bytes: Arc<[u8]> = bytes.into();
        read.insert(path.to_owned(), Arc::clone(&bytes));
        Ok(bytes)
    }

    /// Returns the names of those that were read, each with a checksum of its bytes.
    pub(crate) fn sums(&self) -> BTreeMap<String, String> {
        let read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().map(|(path, bytes)| (path.clone(), checksum(bytes.iter().copied()))).collect()
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

/// A checksum of 64 bits, as hexadecimal digits.
pub(crate) fn checksum(bytes: impl Iterator<Item = u8>) -> String {
    // FNV-1a (Fowler, Noll & Vo).
    let sum = bytes
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{sum:016x}")
}
