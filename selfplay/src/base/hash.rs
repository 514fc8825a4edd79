//! FNV-1a, 64 bits (Fowler, Noll & Vo): a short hash, not secure against collisions made on purpose.

/// The hash of what was added so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fnv(pub u64);

impl Default for Fnv {
    /// Starts an empty hash.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Hashes a text.
    pub fn of(text: &str) -> u64 {
        let mut fnv = Self::default();
        fnv.add(text.as_bytes());
        fnv.0
    }
}
