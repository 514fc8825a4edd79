//! Runs a program as a child process: under a guard, or directly.

use std::io::{self, IoSlice, PipeReader, PipeWriter, Read};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use coinche_bots::shell_quoted;
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid, waitpid,
};

use crate::programs::guard::{GUARD_NAME, KILL_TIMEOUT, children, ending};

/// The executable to start as a guard, if guards are enabled.
static GUARD: OnceLock<PathBuf> = OnceLock::new();

/// The running guards. A child of this process that is not listed is an orphan.
static GUARDS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// The timeout for a guard to report that the program started.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// The timeout for a guard to end everything; its own timeout is shorter.
const EXIT_TIMEOUT: Duration = Duration::from_secs(25);

/// Runs every program under a guard: only for a process whose `main` calls [`guard`](super::guard) first, because its
/// own executable is started again.
pub fn use_guards() {
    // On Linux this path refers to the running executable even after a build has replaced the file.
    let own = Path::new("/proc/self/exe");
    let path = if own.exists() { Some(own.to_owned()) } else { std::env::current_exe().ok() };
    if let Some(path) = path {
        let _ = GUARD.set(path);
    }
    // If a guard is killed, its children are reparented to this process, which ends them.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Returns the program that is this one once more, as a bot of its registry behind the line protocol; `None` where this process was
/// not started as an arena.
pub fn own_engine(spec: &str) -> Option<String> {
    let path = shell_quoted(&GUARD.get()?.to_string_lossy());
    let spec = spec.replace('\'', "'\\''");
    Some(format!("cmd:timeout=3600s,run={path} engine '{spec}'"))
}

/// Tests if these words start this program once more.
pub(super) fn is_own(words: &[String]) -> bool {
    GUARD.get().zip(words.first()).is_some_and(|(own, word)| own.to_string_lossy() == word.as_str())
}

fn guards() -> MutexGuard<'static, Vec<Pid>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the processes that were reparented from a killed guard, and any that they start meanwhile.
fn end_orphans() {
    let until = Instant::now() + KILL_TIMEOUT;
    while Instant::now() < until {
        {
            // Holds the lock so that no guard starts meanwhile, which would be a child not yet in the list.
            let guards = guards();
            let mut orphans = children();
            orphans.retain(|child| !guards.contains(child));
            if orphans.is_empty() {
                return;
            }
            for orphan in orphans {
                let _ = kill_process(orphan, Signal::KILL);
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
        }
        // No pause: a process that keeps restarting itself must be caught before it does.
        thread::yield_now();
    }
}

/// The arena's ends of a program's pipes.
pub(super) struct Pipes {
    pub(super) stdin: PipeWriter,
    pub(super) stdout: PipeReader,
    pub(super) stderr: PipeReader,
}

/// A started program. Dropping it ends the program and what it started: all descendants if there is a guard, its
/// process group if there is none.
#[derive(Debug)]
pub(super) struct Child {
    /// The guard, or the program if there is no guard.
    process: process::Child,
    program: Pid,
    /// The socket to the guard, and the bytes read from it.
    guard: Option<(UnixStream, Vec<u8>)>,
    /// How the program ended.
    ended: Option<String>,
}

fn pid(number: u32) -> io::Result<Pid> {
    i32::try_from(number).ok().and_then(Pid::from_raw).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

impl Child {
    /// Starts a program.
    pub(super) fn start(words: &[String]) -> io::Result<(Self, Pipes)> {
        // From now on no program of the same user reads this process's memory or open files.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let ((input, stdin), (stdout, output), (stderr, error)) = (io::pipe()?, io::pipe()?, io::pipe()?);
        let child = if let Some(path) = GUARD.get() {
            let (near, far) = UnixStream::pair()?;
            let mut command = Command::new(path);
            command.arg0(GUARD_NAME).args(words).stdin(Stdio::from(std::os::fd::OwnedFd::from(far)));
            command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
            let process = {
                let mut guards = guards();
                let process = command.spawn()?;
                guards.push(pid(process.id())?);
                process
            };
            // Drops this copy of the guard's end of the socket; otherwise its closing could not be detected.
            drop(command);
            let mut child =
                Self { program: pid(process.id())?, process, guard: Some((near, Vec::new())), ended: None };
            child.program = child.hand_over([input.as_fd(), output.as_fd(), error.as_fd()])?;
            child
        } else {
            let mut command = Command::new(program);
            command.args(arguments).stdin(input).stdout(output).stderr(error).process_group(0);
            let process = command.spawn()?;
            Self { program: pid(process.id())?, process, guard: None, ended: None }
        };
        Ok((child, Pipes { stdin, stdout, stderr }))
    }

    /// Sends the guard the program's ends of the pipes, and returns the program's process id.
    fn hand_over(&mut self, pipes: [std::os::fd::BorrowedFd<'_>; 3]) -> io::Result<Pid> {
        let Some((socket, _)) = &mut self.guard else { return Ok(self.program) };
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&pipes));
        sendmsg(&*socket, &[IoSlice::new(&[0])], &mut control, SendFlags::empty())?;
        socket.set_read_timeout(Some(START_TIMEOUT))?;
        // Byte by byte, because the exit message of a short-lived program may follow.
        let (mut line, mut byte) = (Vec::new(), [0]);
        loop {
            socket.read_exact(&mut byte).map_err(|_| io::Error::other("its guard has ended"))?;
            if byte == *b"\n" {
                break;
            }
            line.extend(byte);
        }
        socket.set_nonblocking(true)?;
        let line = String::from_utf8_lossy(&line);
        match line.split_once(' ').map(|(word, number)| (word, number.parse::<u32>())) {
            Some(("pid", Ok(number))) => pid(number),
            Some(("error", Ok(number))) => {
                Err(io::Error::from_raw_os_error(i32::try_from(number).unwrap_or(0)))
            }
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Returns how the program ended, if it has; its process id is not reused until this is dropped.
    pub(super) fn ended(&mut self) -> Option<&str> {
        if self.ended.is_none() {
            self.ended = match &mut self.guard {
                None => {
                    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
                    let status = waitid(WaitId::Pid(self.program), options);
                    status.ok().flatten().map(|status| ending(&status))
                }
                Some((socket, read)) => read_exit_message(socket, read),
            };
        }
        self.ended.as_deref()
    }
}

/// Reads the exit message of a guard: `None` if incomplete, else a line, or that the guard is gone.
fn read_exit_message(socket: &mut UnixStream, read: &mut Vec<u8>) -> Option<String> {
    let mut chunk = [0; 64];
    loop {
        match socket.read(&mut chunk) {
            Ok(0) => break,
            Ok(more) => read.extend_from_slice(&chunk[..more]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                read.contains(&b'\n').then_some(())?;
                break;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let line = String::from_utf8_lossy(read).trim_end().to_owned();
    Some(if line.is_empty() { "ended with its guard".to_owned() } else { line })
}

impl Drop for Child {
    fn drop(&mut self) {
        let mut guard_succeeded = false;
        if let Some((socket, _)) = &self.guard {
            let _ = socket.shutdown(Shutdown::Both);
            let until = Instant::now() + EXIT_TIMEOUT;
            while matches!(self.process.try_wait(), Ok(None)) && Instant::now() <= until {
                thread::sleep(Duration::from_micros(200));
            }
            guard_succeeded = matches!(self.process.try_wait(), Ok(Some(status)) if status.success());
        }
        if !guard_succeeded {
            // If there is no guard, or it was stopped or killed, ends the process group here.
            let _ = kill_process_group(self.program, Signal::KILL);
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
        if self.guard.is_some() {
            guards().retain(|guard| pid(self.process.id()).ok() != Some(*guard));
            if !guard_succeeded {
                // Ends what has left the process group.
                end_orphans();
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn programs_cannot_read_this_process() {
        drop(Child::start(&["true".to_owned()]).unwrap());
        let behavior = rustix::process::dumpable_behavior().unwrap();
        assert_eq!(behavior, rustix::process::DumpableBehavior::NotDumpable);
    }
}
