//! `arena leaderboard`: rates all bots of a file by time limit, from runs between every two of them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::threads;
use coinche_selfplay::{Detail, Exit, Forms, ProgressMode, Result, print, tell, thousands};

use super::count::count;
use super::flags::ConfineFlag;
use coinche_analysis::leaderboard::{
    Board, BoardError, COMMITMENT, Draw, JSON, Leaderboard, Plan, Results, Stored, Table, entrant, read,
};
use coinche_protocol::STOP;
use coinche_runs::CommandLine;
use coinche_runs::commit::COMMIT;

/// The flags of `arena leaderboard`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("leaderboard"))]
pub(crate) struct LeaderboardArgs {
    /// The leaderboard, a TOML file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Play a bot that is no entry: where would it stand?
    ///
    /// `cmd:COMMAND` is a program of your own.
    #[arg(long, value_name = "BOT", requires = "class")]
    pub enter: Option<String>,
    /// The class in which it plays
    #[arg(long, value_name = "NAME", requires = "enter")]
    pub class: Option<String>,
    /// Play it under these rules only [default: all]
    ///
    /// One of the presets that FILE has.
    #[arg(long, value_name = "NAME", requires = "enter")]
    pub rules: Option<String>,
    /// Its name [default: entrant]
    ///
    /// An entry of the same name and bot that is added to FILE later has these runs.
    #[arg(long, value_name = "NAME", requires = "enter")]
    pub name: Option<String>,
    /// Take nothing from leaderboard.json: play it again
    ///
    /// Runs that are in the directory are still taken as they are; to play those again, remove them.
    #[arg(long, conflicts_with = "enter")]
    pub fresh: bool,
    /// Play on a seed that is drawn when the entries are fixed
    ///
    /// Instead of the seeds in FILE, which everybody knows. DIR/commitment.toml has a hash of the seed and of the entries with their programs before anything is played, and the seed afterwards; `arena verify DIR` compares them. The same command resumes; other entries draw another seed.
    #[arg(long, conflicts_with = "enter")]
    pub draw: bool,
    /// The sandbox.
    #[command(flatten)]
    pub confine: ConfineFlag,
    /// Output directory [default: that of FILE]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the charts as SVG files
    #[arg(long, value_name = "DIR", conflicts_with = "enter")]
    pub svg: Option<PathBuf>,
    /// Write all tables as CSV files
    #[arg(long, value_name = "DIR", conflicts_with = "enter")]
    pub csv: Option<PathBuf>,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

impl LeaderboardArgs {
    /// Returns the command that resumes where this one stopped.
    fn to_resume(&self) -> String {
        CommandLine::new("leaderboard")
            .words(coinche_bots::shell_quoted(&self.file.to_string_lossy()))
            .flag_of("enter", self.enter.as_ref())
            .flag_of("class", self.class.as_ref())
            .flag_of("rules", self.rules.as_ref())
            .flag_of("name", self.name.as_ref())
            .flag_of("out", self.out.as_ref().map(|out| out.display()))
            .words_if(self.fresh, "--fresh")
            .words_if(self.draw, "--draw")
            .confine(self.confine.confine)
            .finish()
    }

    /// Plays and reports missing runs of some boards; tests if all were completed.
    fn play(
        &self,
        plan: &Plan,
        boards: &[Board],
        stored: &Stored,
        results: &mut Results,
        registry: &Registry,
    ) -> Result<bool> {
        for board in boards {
            let missing = results.take(board, stored, false)?;
            if missing.is_empty() {
                continue;
            }
            if self.progress != ProgressMode::None {
                let [number, of] = [missing.len(), board.jobs.len()].map(|n| thousands(n as u64));
                tell(&format!("{}: {number} of {of} pairings to play", plan.title(board)));
            }
            if !results.play(&missing, self.progress, registry, &STOP)? || STOP.load(Ordering::Relaxed) {
                if self.progress != ProgressMode::None {
                    tell(&format!("resume with: {}", self.to_resume()));
                }
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Plays a bot against a class, and reports where it would rank.
    fn enter(&self, bot: &str, mut plan: Plan, table: Table<'_>, out: &mut dyn Write) -> Result<Exit> {
        let class = plan
            .class(self.class.as_deref().unwrap_or_default())
            .map_err(|why| BoardError::Class(Box::new(why)))?;
        if let Some(rules) = &self.rules {
            plan.keep_rules(rules)?;
        }
        let name = self.name.as_deref().unwrap_or("entrant");
        if plan.entries.iter().any(|entry| entry.name == name) {
            return Err(BoardError::NameTaken(name.to_owned()).into());
        }
        let number = plan.enter(name, bot, class, table.registry);
        let number = number.map_err(|why| BoardError::Entrant(Box::new(why)))?;
        let boards = (0..plan.rules.len()).map(|rules| plan.board(rules, Some(class), table));
        let boards: Vec<_> = boards.collect::<Result<_, _>>()?;
        let (file, mut results) = (table.out.join(JSON), Results::default());
        let stored = Stored::read(&file)?;
        for board in &boards {
            let missing = results.take(board, &stored, true)?;
            if let Some(job) = missing.iter().find(|job| !job.ends.contains(&number)) {
                return Err(BoardError::NotPlayed { run: job.run.clone(), file }.into());
            }
        }
        if !self.play(&plan, &boards, &stored, &mut results, table.registry)? {
            return Ok(Exit::Interrupted);
        }
        let board = Leaderboard::new(plan, boards, results)?;
        print(out, &entrant(&board, number).render(Detail::Full))?;
        Ok(exit_of(&board))
    }
}

/// Runs the command.
pub(crate) fn leaderboard(args: &LeaderboardArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let mut plan = read(&args.file, registry)?;
    let beside = args.file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = args.out.as_deref().or(beside).unwrap_or(Path::new("."));
    let threads = Some(threads::check(args.threads)?);
    let table = Table { out: directory, threads, confine: args.confine.confine, registry };
    // What was played on a drawn seed goes on with it.
    if let Some(drawn) = Draw::revealed(directory, &plan)? {
        drawn.seed(&mut plan);
    }
    if let Some(bot) = &args.enter {
        return args.enter(bot, plan, table, out);
    }
    let draw = args.draw.then(|| Draw::open(directory, &plan)).transpose()?;
    if let Some(draw) = &draw {
        draw.seed(&mut plan);
        if args.progress != ProgressMode::None {
            tell(&format!("commitment {}, in {}", draw.commitment(), directory.join(COMMITMENT).display()));
        }
    }
    let boards = plan.boards(table)?;
    let stored = if args.fresh { Stored::default() } else { Stored::read(&directory.join(JSON))? };
    let mut results = Results::default();
    if !args.play(&plan, &boards, &stored, &mut results, registry)? {
        return Ok(Exit::Interrupted);
    }
    if let Some(others) = results.of_other_commits(COMMIT) {
        tell(&format!("{others}; to play all by this program, remove runs/ and give --fresh"));
    }
    let board = Leaderboard::new(plan, boards, results)?;
    let tables = Forms { svg: args.svg.as_deref(), csv: args.csv.as_deref(), ..Forms::default() };
    let written = board.write(directory, &args.file, tables)?;
    draw.map_or(Ok(()), Draw::reveal)?;
    print(out, &format!("{}\n{written}", board.verdicts().join("\n")))?;
    Ok(exit_of(&board))
}

/// Returns how the command ends: undecided where too many legs were forfeited.
fn exit_of(board: &Leaderboard) -> Exit {
    if board.is_void() { Exit::Undecided } else { Exit::Done }
}
