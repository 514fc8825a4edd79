//! `arena plan`: what it refuses, and its scripts, carried out by shells and by schedulers that are stood in for.
//!
//! `arena/tests/slurm.sh` and `arena/tests/hyperqueue.sh` do it with the real ones.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

use crate::common::{arena, fails, run, stdout};

/// Runs a command in a directory, with these programs before others and these variables.
pub(super) fn shell(
    directory: &Path,
    words: &[&str],
    path: Option<&Path>,
    variables: &[(&str, &str)],
) -> Output {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(directory).stdin(Stdio::null());
    if let Some(path) = path {
        let others = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{others}", path.display()));
    }
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

pub(super) fn text(output: &Output) -> String {
    let [out, err] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    format!("{:?}\n{out}\n{err}", output.status)
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Makes a plan of a command that is given as words.
pub(super) fn plan(directory: &Path, flags: &[&str], words: &[&str]) -> String {
    let mut command = arena(directory);
    command.args(["plan", "--no-estimate"]).args(flags).arg("--").args(words);
    stdout(&command.assert().success())
}

/// The files of a run that do not differ from time to time.
fn assert_same_run(one: &Path, other: &Path) {
    for name in ["config.toml", "part.json", "summary.csv", "records.jsonl"] {
        assert!(fs::read(one.join(name)).unwrap() == fs::read(other.join(name)).unwrap(), "{name} differs");
    }
}

/// A directory whose name a shell would take apart, with rules of such a name; and an undivided run in it.
fn awkward() -> (tempfile::TempDir, PathBuf, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("it's a $HOME \"of\" @SHARDS@ 100%\\");
    fs::create_dir(&place).unwrap();
    fs::write(place.join("my $ru'les.toml"), "base = \"coinche\"\n").unwrap();
    let words =
        ["run", "rules:caution=5", "random", "--deals", "210", "--seed", "o'ne $1", "--records", "full"];
    let rules = ["--rules", "my $ru'les.toml"];
    let words: Vec<String> = words.iter().chain(&rules).map(|word| (*word).to_owned()).collect();
    arena(&place)
        .args(&words)
        .args(["--out", "one", "--threads", "2", "--progress", "none"])
        .assert()
        .success();
    (dir, place, words)
}

#[test]
fn a_shell_carries_a_plan_out_and_makes_only_what_is_missing() {
    let (_dir, place, words) = awkward();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    plan(&place, &["--shards", "7", "--for", "shell", "--out", "a plan"], &words);
    let at = place.join("a plan");
    // One part is made by hand, from elsewhere and twice at once; another one is stopped at its beginning.
    let twice: Vec<_> = [2, 2]
        .map(|part| {
            Command::new("sh").arg(at.join("part.sh")).arg(part.to_string()).current_dir("/").spawn().unwrap()
        })
        .into_iter()
        .map(|mut child| child.wait().unwrap().code())
        .collect();
    assert!(twice.contains(&Some(0)), "{twice:?}");
    let before = fs::metadata(at.join("parts/0002/part.json")).unwrap().modified().unwrap();
    let output = shell(&at, &["sh", "run.sh", "3"], None, &[]);
    assert!(output.status.success(), "{}", text(&output));
    assert_same_run(&place.join("one"), &at.join("whole"));
    assert!(fs::read_to_string(at.join("whole.txt")).unwrap().starts_with("rules:caution=5 beats random"));
    assert_eq!(fs::metadata(at.join("parts/0002/part.json")).unwrap().modified().unwrap(), before);

    // A part that is lost is named, and only it is made.
    for lost in ["whole", "parts/0003"] {
        fs::remove_dir_all(at.join(lost)).unwrap();
    }
    let output = shell(&at, &["sh", "merge.sh"], None, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("parts that are not done: 3 \n"), "{}", text(&output));
    let missing = arena(&place).args(["status", "--missing", "a plan"]).assert().success();
    assert_eq!(stdout(&missing), "3\n");
    let attempts = |part: &str| {
        let text = fs::read_to_string(at.join(format!("logs/{part}.err"))).unwrap();
        text.lines().filter(|line| line.starts_with("== ")).count()
    };
    let [third, fourth] = ["0003", "0004"].map(attempts);
    let output = shell(&at, &["sh", "run.sh"], None, &[]);
    assert!(output.status.success(), "{}", text(&output));
    assert_same_run(&place.join("one"), &at.join("whole"));
    assert_eq!(["0003", "0004"].map(attempts), [third + 1, fourth]);
}

#[test]
fn make_carries_a_plan_out() {
    if !has("make") {
        return;
    }
    let (_dir, place, words) = awkward();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    plan(&place, &["--shards", "3", "--for", "make", "--out", "made"], &words);
    let at = place.join("made");
    let output = shell(&at, &["make", "-j3"], None, &[]);
    assert!(output.status.success(), "{}", text(&output));
    assert_same_run(&place.join("one"), &at.join("whole"));
    for lost in ["whole", "parts/0002"] {
        fs::remove_dir_all(at.join(lost)).unwrap();
    }
    let output = shell(&at, &["make"], None, &[]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(
        text(&output).contains("part.sh 0002") && !text(&output).contains("part.sh 0001"),
        "{}",
        text(&output)
    );
    assert_same_run(&place.join("one"), &at.join("whole"));
}

/// Writes a program.
fn program(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A directory with a stand-in for `arena` that makes three waves, and notes what it is asked.
fn waves() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let real = cargo_bin("arena");
    let calls = dir.path().join("calls");
    let stand_in = format!(
        "case $1 in\n\
         status) exec '{}' \"$@\" ;;\n\
         merge) echo merge >>'{calls}'; [ \"$(grep -c merge '{calls}')\" -lt 3 ] && exit 12; echo lower; exit 10 ;;\n\
         *) echo \"$@\" | grep -o 'shard [0-9/]*' >>'{calls}' ;;\n\
         esac\n",
        real.display(),
        calls = calls.display()
    );
    program(&bin.join("stand-in"), &stand_in);
    let flags = ["--shards", "3", "--for", "shell", "--out", "p"];
    let words = ["sprt", "rules", "random", "--lower", "0", "--upper", "5", "--seed", "1"];
    for scheduler in ["shell", "make", "slurm", "hq"] {
        let flags: Vec<&str> = flags.map(|flag| if flag == "shell" { scheduler } else { flag }).to_vec();
        plan(dir.path(), &flags, &words);
    }
    let at = dir.path().join("p");
    (dir, at, bin)
}

/// Three waves of three parts, and what they came to.
fn assert_three_waves(dir: &Path, at: &Path, output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", text(output));
    let calls = fs::read_to_string(dir.join("calls")).unwrap();
    let mut lines: Vec<&str> = calls.lines().collect();
    for wave in lines.chunks_mut(4) {
        wave[..3].sort_unstable();
        assert_eq!(wave, ["shard 1/3", "shard 2/3", "shard 3/3", "merge"], "{calls}");
    }
    assert_eq!(lines.len(), 12, "{calls}");
    assert_eq!(fs::read_to_string(at.join("whole.txt")).unwrap(), "lower\n");
    let missing = arena(dir).args(["status", "--missing", "p"]).assert().success();
    assert_eq!(stdout(&missing), "", "it is over");
    let said = stdout(&arena(dir).args(["status", "p"]).assert().success());
    assert!(said.contains("over: ") && said.contains("done: p/whole.txt"), "{said}");
}

#[test]
fn a_command_in_waves_goes_on_until_it_is_over() {
    let (dir, at, bin) = waves();
    let stand_in = bin.join("stand-in");
    let stand_in = stand_in.to_str().unwrap();
    let before = || {
        for lost in [dir.path().join("calls"), at.join("whole.txt"), at.join("logs/merge.exit")] {
            let _ = fs::remove_file(lost);
        }
    };
    let output = shell(&at, &["sh", "run.sh", "3"], None, &[("ARENA", stand_in)]);
    assert_three_waves(dir.path(), &at, &output, 10);
    if has("make") {
        before();
        let output = shell(&at, &["make", "-j3"], None, &[("ARENA", stand_in)]);
        assert_three_waves(dir.path(), &at, &output, 0);
    }
    before();
    program(
        &bin.join("srun"),
        "while [ \"${1#--}\" != \"$1\" ]; do shift; done\n\
         for task in 0 1 2; do SLURM_PROCID=$task \"$@\" || exit; done\n",
    );
    let output = shell(&at, &["sh", "plan.sbatch"], Some(&bin), &[("ARENA", stand_in)]);
    assert_three_waves(dir.path(), &at, &output, 0);
    before();
    // Variables of the job are words such as `--env=PLAN=…`.
    program(
        &bin.join("hq"),
        "while [ \"$1\" != -- ]; do case $1 in --env=*) export \"${1#--env=}\" ;; esac; shift; done\n\
         shift\n\
         for task in 1 2 3; do HQ_TASK_ID=$task \"$@\" || exit; done\n",
    );
    let output = shell(&at, &["sh", "waves-hq.sh"], Some(&bin), &[("ARENA", stand_in)]);
    assert_three_waves(dir.path(), &at, &output, 10);

    // A part that fails ends it, and is named.
    before();
    program(
        &bin.join("stand-in"),
        &format!(
            "case $1 in status) exec '{}' \"$@\" ;; esac\necho no bot >&2\nexit 4\n",
            cargo_bin("arena").display()
        ),
    );
    let output = shell(&at, &["sh", "run.sh", "3"], None, &[("ARENA", stand_in)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let status = stdout(&arena(dir.path()).args(["status", "p"]).assert().success());
    assert!(
        status.contains("3 failed (1-3)") && status.contains("part 2 failed with exit code 4:\n  no bot\n"),
        "{status}"
    );
}

#[test]
fn slurm_gets_arrays_of_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["run", "random", "random", "--deals", "2500", "--seed", "1", "--records", "none"];
    plan(dir.path(), &["--shards", "2500", "--for", "slurm", "--threads", "2", "--out", "p"], &words);
    let (at, bin) = (dir.path().join("p"), dir.path().join("bin"));
    fs::create_dir(&bin).unwrap();
    let jobs = dir.path().join("jobs");
    program(&bin.join("squeue"), "");
    program(
        &bin.join("sbatch"),
        &format!("echo \"$@\" >>'{jobs}'; echo \"$(wc -l <'{jobs}');cluster\"\n", jobs = jobs.display()),
    );
    for part in [1, 3, 4, 1000, 1001, 2499] {
        let output = shell(&at, &["sh", "part.sh", &part.to_string()], None, &[]);
        assert!(output.status.success(), "{}", text(&output));
    }
    let output = shell(
        Path::new("/"),
        &["sh", at.join("submit.sh").to_str().unwrap(), "--partition=x"],
        Some(&bin),
        &[],
    );
    assert!(output.status.success(), "{}", text(&output));
    let submitted = fs::read_to_string(&jobs).unwrap();
    let expected = "\
        --parsable --export=ALL,OFFSET=0 --array=2,5-999 --partition=x plan.sbatch\n\
        --parsable --export=ALL,OFFSET=1000 --array=2-1000 --partition=x plan.sbatch\n\
        --parsable --export=ALL,OFFSET=2000 --array=1-498,500 --partition=x plan.sbatch\n\
        --parsable --dependency=afterok:1:2:3 --kill-on-invalid-dep=yes --partition=x merge.sbatch\n";
    assert_eq!(submitted, expected);
    let script = fs::read_to_string(at.join("plan.sbatch")).unwrap();
    assert!(script.contains("#SBATCH --cpus-per-task=2\n#SBATCH --time=24:00:00\n"), "{script}");
    // A task of the second array, and its threads.
    let output = shell(
        &at,
        &["sh", "plan.sbatch"],
        None,
        &[("OFFSET", "1000"), ("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_CPUS_PER_TASK", "1")],
    );
    assert!(output.status.success(), "{}", text(&output));
    assert!(at.join("parts/1002/part.json").is_file());
    // What is queued is not submitted again.
    program(&bin.join("squeue"), "echo 17 queued\n");
    let output = shell(&at, &["sh", "submit.sh"], Some(&bin), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(fs::read_to_string(&jobs).unwrap(), expected);
}

#[test]
fn the_job_file_of_hyperqueue_has_a_task_for_each_part() {
    let (_dir, place, words) = awkward();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    plan(&place, &["--shards", "12", "--for", "hq", "--threads", "3", "--out", "q"], &words);
    let text = fs::read_to_string(place.join("q/plan.hq.toml")).unwrap();
    let job: toml::Table = text.parse().unwrap();
    let tasks = job["task"].as_array().unwrap();
    assert_eq!(tasks.len(), 13);
    for (n, task) in tasks.iter().enumerate() {
        assert_eq!(task["id"].as_integer(), Some(i64::try_from(n).unwrap() + 1));
        let command: Vec<&str> =
            task["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let output = shell(Path::new("/"), &command, None, &[]);
        assert!(output.status.success(), "{}", self::text(&output));
    }
    assert_eq!(tasks[0]["request"][0]["resources"]["cpus"].as_integer(), Some(3));
    assert_eq!(tasks[12]["deps"].as_array().unwrap().len(), 12);
    assert_same_run(&place.join("one"), &place.join("q/whole"));
}

#[test]
fn what_cannot_be_divided_is_refused_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let refused = |command: &str, flags: &str, code: i32, parts: &[&str]| {
        let mut words = vec!["plan", command];
        words.extend(flags.split_whitespace());
        words.extend(["--for", "shell", "--out", "p"]);
        fails(arena(dir.path()).args(words).assert(), code, parts);
        assert!(!dir.path().join("p").exists(), "{command}");
    };
    for (command, parts) in [
        (
            "run rules random --out x",
            &["--out: the plan says it itself", "name the directory of the plan"][..],
        ),
        ("run rules random --threads=4", &["--threads", "give `arena plan` --threads"]),
        ("run rules random --shard 1/2", &["--shard", "--shards"]),
        ("run rules random --progress none", &["--progress: the plan says it itself; leave it out"]),
        ("report x", &["`arena report` cannot be divided", "run, label"]),
        ("stats mine", &["reads files", "--deals"]),
        ("train cards", &["learns in rounds", "--rows"]),
        ("train bidding", &["give it as it is"]),
        ("", &["expected a command"]),
        ("run 'rules", &["a quote that is not closed"]),
        ("run rulez random", &["there is no bot `rulez` (did you mean `rules`?)"]),
        ("run rules random --dealz 5", &["the command is refused:\nunexpected argument '--dealz'"]),
        ("run rules 'cmd:/no/such/program'", &["the command is refused:\n", "/no/such/program"]),
        ("run rules random --config none.toml", &["none.toml"]),
        ("run rules random --deals 7", &["8 shards of 7 deals: choose at most 7"]),
        ("label --decisions --deals 100k --chunk 20k", &["8 shards of 5 files of --chunk deals"]),
    ] {
        refused(command, "--shards 8", 2, parts);
    }
    refused("run rules random", "--shards 0", 2, &["shards: 0 is not in 1 to 10000"]);
    refused("run rules random", "--shards 2 --threads 0", 2, &["threads: 0 is not in"]);
    refused("run rules random", "--shards 2 --workers 2", 2, &["--shards <N>", "cannot be used with"]);
    refused("run rules random", "", 2, &["--shards <N>"]);
    // A directory of a run is not one for a plan.
    run(dir.path(), "run rules random --deals 3 --out p").success();
    let plan = arena(dir.path())
        .args(["plan", "run rules random", "--shards", "2", "--for", "hq", "--out", "p"])
        .assert();
    fails(plan, 3, &["already holds a run"]);
}

#[test]
fn a_plan_that_is_given_again_changes_nothing_and_another_one_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let plan = |words: &[&str]| {
        let mut command = arena(dir.path());
        command.args(["plan", "--out", "p"]).args(words).assert()
    };
    let command = "run rules random --deals 20k";
    let first = stdout(&plan(&[command, "--workers", "2", "--for", "shell"]).success());
    assert!(first.contains("core-hours in all") && first.contains("part.sh, merge.sh, run.sh"), "{first}");
    // The seed was drawn, and is in the plan; so is what was estimated.
    let file: toml::Table = fs::read_to_string(dir.path().join("p/plan.toml")).unwrap().parse().unwrap();
    let seed = file["seed"].as_str().unwrap();
    assert_eq!(seed.len(), 32);
    assert!(first.starts_with(&format!("arena {command} --seed {seed}\n")), "{first}");
    assert!(file["estimate"]["core_seconds_per_deal"].as_float().unwrap() > 0.0);
    let shards = file["shards"].as_integer().unwrap();
    assert!((1..=16).contains(&shards), "{shards}");
    // What its owner changed stays.
    fs::write(dir.path().join("p/run.sh"), "mine").unwrap();
    let read = || {
        let mut files: Vec<_> =
            fs::read_dir(dir.path().join("p")).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).unwrap_or_default(), path)).collect::<Vec<_>>()
    };
    let before = read();
    let again = stdout(&plan(&[command, "--workers", "2", "--for", "shell"]).success());
    assert!(again.contains("already; nothing was changed"), "{again}");
    assert_eq!(read(), before);
    // A script for another scheduler lies beside it.
    let other = stdout(&plan(&[command, "--workers", "2", "--for", "make"]).success());
    assert!(other.contains("written to p: Makefile\n"), "{other}");
    let shards = (shards + 1).to_string();
    for (words, part) in [
        (&["run rules random --deals 30k", "--workers", "2"][..], "command: run rules random --deals 20k"),
        (&["run rules random --deals 20k --seed 7", "--workers", "2"], "--seed 7 now"),
        (&[command, "--shards", &shards], "shards: "),
        (&[command, "--workers", "2", "--threads", "2"], "threads: 1 there, 2 now"),
    ] {
        let mut words = words.to_vec();
        words.extend(["--for", "shell"]);
        fails(plan(&words), 2, &["holds another plan: ", part, "choose another directory"]);
    }
}
