//! A process with its three pipes, none of which can block the arena or the process.
//!
//! The pipes are non-blocking. Output to the process is buffered until it reads; its stdout and stderr are read
//! whenever data is available, so that it never waits for a full pipe. Each process leads a process group of its own,
//! so a Ctrl-C for the arena does not reach it. Its descendants end with it ([`child`](super::child)).

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};

use crate::programs::child::{Child, Pipes};

/// The longest accepted line of a bot.
pub(super) const LONGEST_LINE: usize = 1 << 20;
/// The most bytes read at once.
const CHUNK: usize = 1 << 16;
/// The timeout for a process to exit after it closed its stdout.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);

/// The result of reading stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadStatus {
    /// Data, complete lines or not: see [`Process::line`].
    Data,
    /// Stdout is closed.
    Closed,
    /// A line is longer than [`LONGEST_LINE`].
    TooLong,
}

/// The pipes of a link that are ready to read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReadyPipes {
    pub(super) out: bool,
    pub(super) err: bool,
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<PipeWriter>,
    stdout: PipeReader,
    stderr: Option<PipeReader>,
    /// The output buffer, and how much of it has been sent.
    outbox: Vec<u8>,
    sent: usize,
    /// The input buffer: unread from `taken` on, without a line end before `searched`.
    inbox: Vec<u8>,
    taken: usize,
    searched: usize,
    chunk: Box<[u8]>,
    /// An incomplete line of stderr.
    stderr_line: Vec<u8>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let (child, Pipes { stdin, stdout, stderr }) = Child::start(words)?;
        for pipe in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Self {
            child,
            stdin: Some(stdin),
            stdout,
            stderr: Some(stderr),
            outbox: Vec::new(),
            sent: 0,
            inbox: Vec::new(),
            taken: 0,
            searched: 0,
            chunk: vec![0; CHUNK].into(),
            stderr_line: Vec::new(),
        })
    }

    /// Returns the output buffer.
    pub(super) const fn outbox(&mut self) -> &mut Vec<u8> {
        &mut self.outbox
    }

    /// Sends as much as the process accepts. A process that stops reading is detected by its exit.
    pub(super) fn send(&mut self) {
        let Some(stdin) = &mut self.stdin else { return };
        while self.sent < self.outbox.len() {
            match stdin.write(&self.outbox[self.sent..]) {
                Ok(sent) => self.sent += sent,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.stdin = None;
                    break;
                }
            }
        }
        self.outbox.clear();
        self.sent = 0;
    }

    /// Reads available data from stdout, up to a chunk.
    pub(super) fn read_stdout(&mut self) -> ReadStatus {
        if self.taken > 0 {
            self.inbox.drain(..self.taken);
            self.searched -= self.taken;
            self.taken = 0;
        }
        let read = read(&mut self.stdout, &mut self.chunk);
        let status = if read.is_some() { ReadStatus::Data } else { ReadStatus::Closed };
        self.inbox.extend_from_slice(&self.chunk[..read.unwrap_or(0)]);
        if self.inbox.len() > LONGEST_LINE && !self.inbox.contains(&b'\n') {
            ReadStatus::TooLong
        } else {
            status
        }
    }

    /// Takes the next complete line, without its end.
    pub(super) fn line(&mut self) -> Option<&[u8]> {
        let end = self.inbox[self.searched..].iter().position(|byte| *byte == b'\n');
        let Some(end) = end.map(|end| self.searched + end) else {
            self.searched = self.inbox.len();
            return None;
        };
        let from = self.taken;
        self.taken = end + 1;
        self.searched = self.taken;
        let line = &self.inbox[from..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the data after the last complete line.
    pub(super) fn rest(&self) -> &[u8] {
        &self.inbox[self.taken..]
    }

    /// Reads stderr, up to a chunk, and returns complete lines (or what is too long for one).
    pub(super) fn read_stderr(&mut self) -> Option<Vec<u8>> {
        let mut chunk = [0; 4096];
        loop {
            match read(self.stderr.as_mut()?, &mut chunk) {
                Some(0) => return None,
                Some(read) => self.stderr_line.extend_from_slice(&chunk[..read]),
                None => {
                    self.stderr = None;
                    return Some(core::mem::take(&mut self.stderr_line));
                }
            }
            let whole = match self.stderr_line.iter().rposition(|byte| *byte == b'\n') {
                Some(end) => end + 1,
                None if self.stderr_line.len() > CHUNK => self.stderr_line.len(),
                None => continue,
            };
            return Some(self.stderr_line.drain(..whole).collect());
        }
    }

    /// Closes stdin, which asks the program to exit.
    pub(super) fn close(&mut self) {
        self.send();
        self.stdin = None;
    }

    /// Tests if the process has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        self.child.ended().is_some()
    }

    /// Waits briefly for the exit of a process that closed its stdout; returns how it ended.
    pub(super) fn end(&mut self) -> String {
        let began = Instant::now();
        while !self.has_ended() && began.elapsed() < EXIT_TIMEOUT {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.child.ended().unwrap_or("closed its output").to_owned()
    }
}

/// Reads what is available: the number of bytes, which may be 0; `None` once the pipe is closed.
fn read(pipe: &mut PipeReader, chunk: &mut [u8]) -> Option<usize> {
    match pipe.read(chunk) {
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            Some(0)
        }
        read => read.ok().filter(|read| *read > 0),
    }
}

/// Waits until one of the processes is readable or writable, or a timeout expires; returns which are readable.
pub(super) fn wait<'a>(
    processes: impl Iterator<Item = Option<&'a Process>>,
    time: Duration,
) -> Vec<ReadyPipes> {
    let (mut fds, mut of, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    for process in processes {
        let link = ready.len();
        ready.push(ReadyPipes::default());
        let Some(process) = process else { continue };
        let mut watch = |pipe: Option<BorrowedFd<'a>>, flags, is_out| {
            if let Some(pipe) = pipe {
                fds.push(PollFd::from_borrowed_fd(pipe, flags));
                of.push((link, is_out));
            }
        };
        watch(Some(process.stdout.as_fd()), PollFlags::IN, true);
        watch(process.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN, false);
        let unsent = process.sent < process.outbox.len();
        watch(process.stdin.as_ref().filter(|_| unsent).map(AsFd::as_fd), PollFlags::OUT, false);
    }
    let time = Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    // An interrupted poll counts as no data: the caller polls again.
    if rustix::event::poll(&mut fds, Some(&time)).is_err() {
        return ready;
    }
    for (fd, (link, is_out)) in fds.iter().zip(of) {
        if !fd.revents().is_empty() {
            *(if is_out { &mut ready[link].out } else { &mut ready[link].err }) = true;
        }
    }
    ready
}
