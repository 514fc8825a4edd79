//! Programs in a sandbox of Bubblewrap: each sees the system and what its command names, read-only, and nothing else: no file of
//! the run, no other process, no network.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use coinche_selfplay::ModuleError;

use crate::programs::child::is_own;

/// The directories of the system that a program sees, where they exist.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc"];

/// The sandbox of all programs that are started from now on, if they have one.
static SANDBOX: Mutex<Option<Sandbox>> = Mutex::new(None);

/// Why programs cannot be confined.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// There is no Bubblewrap.
    #[error(
        "confine: there is no program `bwrap` on the PATH: install Bubblewrap (package bubblewrap), or leave it out"
    )]
    Missing,
    /// It cannot make a sandbox.
    #[error(
        "confine: `bwrap` cannot make a sandbox ({0}): let users make namespaces (on Ubuntu an AppArmor profile for bwrap, in \
         a container --security-opt seccomp=unconfined), or leave it out"
    )]
    Refused(String),
    /// The run is where every program can read.
    #[error("confine: {} is in {system}, which programs can read: choose another directory", path.display())]
    InSystem {
        /// What they must not see.
        path: PathBuf,
        /// What they see.
        system: &'static str,
    },
}

impl ModuleError for ConfineError {}

#[derive(Debug, Clone)]
struct Sandbox {
    network: bool,
    /// What no program may see.
    hidden: Vec<PathBuf>,
}

/// Confines all programs that are started from now on, with or without the network, from the working directory and the
/// directory of the run; or none.
///
/// # Errors
///
/// When no sandbox can be made.
pub fn confine(sandbox: Option<(bool, Option<&Path>)>) -> Result<(), ConfineError> {
    let made = sandbox.map(|(network, run)| Sandbox::new(network, run)).transpose()?;
    *SANDBOX.lock().unwrap_or_else(PoisonError::into_inner) = made;
    Ok(())
}

/// Returns the words that start a program: confined, if programs are and it is not this one once more.
pub(super) fn words(program: &[String]) -> io::Result<Vec<String>> {
    let sandbox = SANDBOX.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let sandbox = sandbox.filter(|_| !is_own(program));
    sandbox.map_or_else(|| Ok(program.to_vec()), |sandbox| sandbox.words(program))
}

/// Returns a path without links, of which the end need not exist yet.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    let Some((part, real)) = existing else { return path };
    let rest = path.strip_prefix(part).unwrap_or(Path::new(""));
    // Without the `/` that an empty rest leaves at the end.
    real.join(rest).components().collect()
}

impl Sandbox {
    fn new(network: bool, run: Option<&Path>) -> Result<Self, ConfineError> {
        // A run that is given no directory gets one below `results/runs`.
        let usual = [Path::new("."), Path::new("results/runs")];
        let hidden: Vec<_> = usual.into_iter().chain(run).map(real).collect();
        for path in &hidden {
            if let Some(system) = SYSTEM.into_iter().find(|system| path.starts_with(real(Path::new(system))))
            {
                return Err(ConfineError::InSystem { path: path.clone(), system });
            }
        }
        let this = Self { network, hidden };
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => ConfineError::Missing,
            _ => ConfineError::Refused(error.to_string()),
        };
        let words = this.words(&["/bin/sh", "-c", ":"].map(str::to_owned)).map_err(refused)?;
        let tried =
            Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output().map_err(refused)?;
        let error = String::from_utf8_lossy(&tried.stderr);
        if tried.status.success() { Ok(this) } else { Err(ConfineError::Refused(error.trim().to_owned())) }
    }

    /// Tests if what must not be seen is in a directory.
    fn is_open(&self, directory: &Path) -> bool {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let shared =
            home.into_iter().chain([PathBuf::from("/"), PathBuf::from("/tmp"), std::env::temp_dir()]);
        self.hidden.iter().any(|hidden| hidden.starts_with(directory))
            || shared.map(|shared| real(&shared)).any(|shared| shared == directory)
    }

    /// Returns what a program sees for one word of its command: that file or directory; of a file in a directory of its own all
    /// of it; of a program in `bin`, beside which there is `lib`, both.
    fn shown(&self, path: &Path) -> io::Result<PathBuf> {
        if path.is_dir() {
            let why = format!(
                "confine: the command names {}, which has the run or the working directory in it: move one of them",
                path.display()
            );
            return if self.is_open(&real(path)) { Err(io::Error::other(why)) } else { Ok(path.to_owned()) };
        }
        let parent = path.parent().filter(|parent| !self.is_open(&real(parent)));
        let above = parent.filter(|parent| parent.ends_with("bin")).and_then(Path::parent);
        let above = above.filter(|above| above.join("lib").is_dir() && !self.is_open(&real(above)));
        Ok(above.or(parent).unwrap_or(path).to_owned())
    }

    fn words(&self, program: &[String]) -> io::Result<Vec<String>> {
        let directory = std::env::current_dir()?.to_string_lossy().into_owned();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut words: Vec<String> =
            ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
                .into_iter()
                .chain(self.network.then_some("--share-net"))
                .chain("--clearenv --setenv HOME /tmp --setenv LANG C.UTF-8 --setenv PATH".split(' '))
                .chain([path.as_str()])
                .chain(SYSTEM.into_iter().flat_map(|path| ["--ro-bind-try", path, path]))
                .chain(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"])
                .map(str::to_owned)
                .collect();
        let found = |(n, word): (usize, &String)| match n {
            0 if !word.contains('/') => {
                std::env::split_paths(&path).map(|path| path.join(word)).find(|it| it.is_file())
            }
            // A word may name what is in a file: `bot.py:Bot`.
            _ => std::iter::once(word.as_str())
                .chain(word.rsplit_once(':').map(|(file, _)| file))
                .filter_map(|word| std::path::absolute(word).ok())
                .find(|path| path.exists()),
        };
        for named in program.iter().enumerate().filter_map(found) {
            for path in [real(&named), named] {
                if !SYSTEM.iter().any(|system| path.starts_with(system)) {
                    let shown = self.shown(&path)?.to_string_lossy().into_owned();
                    words.extend(["--ro-bind".to_owned(), shown.clone(), shown]);
                }
            }
        }
        words.extend(["--dir", &directory, "--chdir", &directory, "--"].map(str::to_owned));
        words.extend_from_slice(program);
        Ok(words)
    }
}
