//! No process of a bot survives, however the run ends.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Writes a program that leaves its group in three ways before it plays, and writes the numbers of the processes that
/// it starts and its own into a file. `inject` is what the engine does wrong.
fn program(directory: &Path, inject: &str) {
    let arena = assert_cmd::cargo::cargo_bin("arena");
    let text = format!(
        "echo $$ >> pids\nsleep 600 & echo $! >> pids\nsetsid sleep 600 & echo $! >> pids\n\
         (setsid sh -c 'echo $$ >> pids; sleep 600; exit' </dev/null >/dev/null 2>&1 &)\n\
         exec '{}' engine rules {inject}\n",
        arena.display()
    );
    fs::write(directory.join("bot.sh"), text).unwrap();
}

/// The processes of the program, and the guards above them, that are there.
fn there(directory: &Path) -> Vec<String> {
    let pids = fs::read_to_string(directory.join("pids")).unwrap_or_default();
    let stat = |pid: &str| fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    // A zombie that nobody waits for is no process any more.
    let is_there = |pid: &&str| stat(pid).is_some_and(|stat| !stat.contains(") Z "));
    pids.lines().filter(is_there).map(|pid| stat(pid).unwrap_or_default()).collect()
}

fn wait(what: &str, mut is_true: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_true() {
        assert!(began.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A run, which is killed when a test fails.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn signal(Run(child): &Run, signal: &str) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

fn spawn(directory: &Path, options: &str) -> Run {
    let bot = format!("cmd:{options}run=sh bot.sh");
    let child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
        .args(["run", &bot, "rules", "--deals", "1000000", "--seed", "6", "--threads", "2", "--out", "out"])
        .args(["--progress", "none"])
        .current_dir(directory)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Run(child.unwrap())
}

/// How many processes there are once two threads play: four seats, and four of each. (Of the start before the run some
/// may be there or not.)
const ALL: usize = 2 * 4 * 4;

fn started(directory: &Path) -> usize {
    fs::read_to_string(directory.join("pids")).unwrap_or_default().lines().count()
}

#[test]
fn processes_that_left_their_group_end_with_the_program() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "--inject crash/200");
    let words = "run cmd:processes=1,run=PROGRAM rules --deals 20 --seed 6 --threads 1 --out out";
    let words = words.split(' ').map(|word| word.replace("PROGRAM", "sh bot.sh"));
    crate::common::arena(dir.path()).args(words).assert().code(&[0, 11][..]);
    // Before the run, at its begin, and after each fault.
    assert!(started(dir.path()) > 2 * 4, "{}", started(dir.path()));
    assert_eq!(there(dir.path()), [""; 0]);
}

/// A process that starts itself again and again, each time in a session of its own.
#[test]
fn a_process_that_starts_itself_again_is_caught() {
    let dir = tempfile::tempdir().unwrap();
    let [again, bot] = ["again.sh", "bot.sh"].map(|name| dir.path().join(name));
    fs::write(&again, "[ -e stop ] && exit\necho $$ >> pids\nsetsid sh again.sh &\nsleep 0.02\n").unwrap();
    let arena = assert_cmd::cargo::cargo_bin("arena");
    let engine = format!("exec '{}' engine rules\n", arena.display());
    fs::write(bot, format!("setsid sh again.sh </dev/null >/dev/null 2>&1 &\n{engine}")).unwrap();
    let words =
        ["run", "cmd:sh bot.sh", "rules", "--deals", "5", "--seed", "1", "--threads", "1", "--out", "out"];
    crate::common::arena(dir.path()).args(words).assert().success();
    let last = started(dir.path());
    std::thread::sleep(Duration::from_millis(500));
    let now = started(dir.path());
    // It must not outlive the test, whatever becomes of it.
    fs::write(dir.path().join("stop"), "").unwrap();
    assert!(last > 5 && now == last, "{last} {now}");
}

#[test]
fn none_survives_a_killed_run() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "");
    let mut child = spawn(dir.path(), "");
    wait("the programs start", || started(dir.path()) >= ALL);
    assert!(!there(dir.path()).is_empty());
    signal(&child, "-KILL");
    child.0.wait().unwrap();
    wait("the programs end", || there(dir.path()).is_empty());
}

#[test]
fn a_silent_bot_does_not_hold_up_ctrl_c() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "--inject hang/1");
    let mut child = spawn(dir.path(), "timeout=600s,");
    wait("the programs start", || started(dir.path()) >= ALL);
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    signal(&child, "-INT");
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(there(dir.path()), [""; 0]);
}

#[test]
fn none_survives_a_second_ctrl_c() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "--inject hang/1");
    let mut child = spawn(dir.path(), "timeout=600s,");
    wait("the programs start", || started(dir.path()) >= ALL);
    let began = Instant::now();
    signal(&child, "-INT");
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, "-INT");
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    wait("the programs end", || there(dir.path()).is_empty());
}

#[test]
fn a_program_that_is_silent_at_its_start_does_not_hold_up_ctrl_c() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), "--inject no-hello");
    let mut child = spawn(dir.path(), "start=600s,");
    wait("the program starts", || started(dir.path()) >= 4);
    signal(&child, "-INT");
    let began = Instant::now();
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    wait("the programs end", || there(dir.path()).is_empty());
}

/// A program that leaves its group and then kills the guard above it: the arena itself ends what is left.
#[test]
fn a_program_that_kills_its_guard_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let arena = assert_cmd::cargo::cargo_bin("arena");
    let text = format!(
        "echo $$ >> pids\n(setsid sh -c 'echo $$ >> pids; sleep 0.1; kill -KILL '$PPID' \
         && echo >> killed; sleep 600; exit' \
         </dev/null >/dev/null 2>&1 &)\nexec '{}' engine rules\n",
        arena.display()
    );
    fs::write(dir.path().join("bot.sh"), text).unwrap();
    let words = "run cmd:processes=1,run=PROGRAM rules --deals 4000 --seed 6 --threads 1 --forfeit --out out";
    let words = words.split(' ').map(|word| word.replace("PROGRAM", "sh bot.sh"));
    crate::common::arena(dir.path()).args(words).assert().success();
    assert!(dir.path().join("killed").exists(), "the guard lives as long as the run");
    wait("the programs end", || there(dir.path()).is_empty());
}
