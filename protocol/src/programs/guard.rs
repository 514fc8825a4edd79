//! The guard: a small process above a program, which ends everything that the program has started.
//!
//! For each process of a bot the arena starts its own executable once more, under the name [`GUARD_NAME`], with the command
//! as arguments and a socket as stdin. The program's three pipes are passed over the socket; the guard starts the
//! program with them and keeps no copy, so no question or answer passes through it. When the program ends, the guard
//! reports how. When the socket closes, the arena has dropped the program or has ended, however it ended (`kill -9`
//! too): the guard ends the program. In both cases it ends all remaining descendants of the program.
//!
//! On Linux it is a *subreaper*: orphaned descendants are reparented to it, including those that left the process group
//! (`setsid`, a daemon). On other systems only the program's process group is found. The arena is a subreaper too, for
//! the descendants of a program that has killed its guard.

use std::ffi::OsString;
use std::io::{self, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitCode};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, kill_process, kill_process_group, wait,
    waitid,
};

/// The first word of a guard's command line, which also identifies it in process lists.
pub(super) const GUARD_NAME: &str = "coinche-guard";

/// How long a guard tries to end processes that keep starting others.
pub(super) const KILL_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the guard if this process was started as one; otherwise returns `None`.
pub fn guard() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    if words.next()? != GUARD_NAME {
        return None;
    }
    // The arena detects a failed guard by its socket, which closes.
    Some(if supervise(words.collect()).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the guard's message on how a program ended, without the end of the line.
pub(super) fn ending(status: &WaitIdStatus) -> String {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("ended with exit code {code}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

/// Starts the program, and waits until it and all its descendants have ended.
fn supervise(words: Vec<OsString>) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // Otherwise process lists show it as `exe` or under the arena's name, and `killall arena` would end it.
        let _ = std::fs::write("/proc/self/comm", GUARD_NAME);
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    }
    let mut socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let pipes = receive(&socket)?;
    let child = match start(words, pipes) {
        Ok(child) => child,
        Err(error) => return writeln!(socket, "error {}", error.raw_os_error().unwrap_or(0)),
    };
    let program = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::NotFound)?;
    let watched = watch(socket, program);
    end_all(program);
    watched
}

/// Waits for the program to end, and reports how it ended; ends it when the socket closes.
fn watch(mut socket: UnixStream, program: Pid) -> io::Result<()> {
    writeln!(socket, "pid {}", program.as_raw_nonzero())?;
    let mut watched = socket.try_clone()?;
    thread::spawn(move || {
        // The socket carries no data: a read returns when it closes.
        let _ = watched.read(&mut [0]);
        end_all(program);
        std::process::exit(0);
    });
    // It stays a zombie, so that its process id is not reused.
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    let status = loop {
        match waitid(WaitId::Pid(program), options) {
            Err(rustix::io::Errno::INTR) => {}
            status => break status?,
        }
    };
    writeln!(socket, "{}", status.map_or_else(|| "ended".to_owned(), |status| ending(&status)))
}

/// Receives the program's stdin, stdout and stderr.
fn receive(socket: &UnixStream) -> io::Result<[OwnedFd; 3]> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::empty())?;
    let mut fds = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(more) = message {
            fds.extend(more);
        }
    }
    for fd in &fds {
        // The program gets them as its first three descriptors, and no others.
        fcntl_setfd(fd, FdFlags::CLOEXEC)?;
    }
    fds.try_into().map_err(|_| io::ErrorKind::InvalidData.into())
}

fn start(words: Vec<OsString>, [stdin, stdout, stderr]: [OwnedFd; 3]) -> io::Result<Child> {
    let mut words = words.into_iter();
    let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
    // Dropping the command closes the guard's copies of the pipes.
    Command::new(program).args(words).stdin(stdin).stdout(stdout).stderr(stderr).process_group(0).spawn()
}

/// Ends the program, its process group, and every process reparented to this one; runs once, and a second caller waits.
fn end_all(program: Pid) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| end_each(program));
}

fn end_each(program: Pid) {
    let _ = kill_process_group(program, Signal::KILL);
    let until = Instant::now() + KILL_TIMEOUT;
    while Instant::now() < until {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => continue,
            Ok(None) => {}
            // No children are left.
            Err(_) => return,
        }
        let children = children();
        for child in &children {
            let _ = kill_process(*child, Signal::KILL);
        }
        // No pause while there are any: a process that keeps restarting itself must be caught before it does.
        if children.is_empty() {
            thread::sleep(Duration::from_micros(100));
        }
    }
}

/// Returns the children of this process. Only this process can wait for them, so their ids are not reused.
#[cfg(target_os = "linux")]
pub(super) fn children() -> Vec<Pid> {
    quick_children().unwrap_or_else(searched_children)
}

/// Asks the kernel, if it supports that: fast enough for a program that keeps restarting itself.
#[cfg(target_os = "linux")]
fn quick_children() -> Option<Vec<Pid>> {
    let mut found = Vec::new();
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("children")).ok()?;
        found.extend(text.split_whitespace().filter_map(|word| Pid::from_raw(word.parse().ok()?)));
    }
    Some(found)
}

/// Searches the parents of all processes.
#[cfg(target_os = "linux")]
fn searched_children() -> Vec<Pid> {
    let own = rustix::process::getpid().as_raw_nonzero().to_string();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let child = |entry: io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name();
        let number: i32 = name.to_str()?.parse().ok()?;
        let stat = std::fs::read(format!("/proc/{number}/stat")).ok()?;
        // `pid (name) state parent …`, where the name may contain any characters.
        let after = stat.iter().rposition(|byte| *byte == b')')? + 1;
        let parent = stat[after..].split(|byte| *byte == b' ').nth(2)?;
        (parent == own.as_bytes()).then(|| Pid::from_raw(number)).flatten()
    };
    entries.filter_map(child).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn children() -> Vec<Pid> {
    Vec::new()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_found_either_way() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let found = [quick_children().unwrap_or_else(|| vec![pid]), searched_children()];
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(found.iter().all(|children| children.contains(&pid)), "{found:?}");
    }
}
