//! `arena run`: compares two or more bots: which is better, and by how much.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::{BotSpec, Registry, TeamSpec};
use coinche_selfplay::{
    ArenaError, Exit, Format, LinesForm, ProgressMode, Result, TableForm, print, print_early, tell, thousands,
};

use super::count::count;
use super::flags::PlayFlags;
use coinche_protocol::STOP;
use coinche_runs::progress::Progress;
use coinche_runs::verdict::{is_void, verdict};
use coinche_runs::{COMMIT, Records, RunConfig, RunDir, RunFile, Shard, State, TimesMode, Totals, session};

/// The flags of `arena run`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("run"))]
pub(crate) struct RunArgs {
    /// The bots; `arena bots` lists them
    ///
    /// Two bots, A and B, or more. `A&B` is a team of two different partners; quote it for the shell.
    #[arg(value_name = "BOT")]
    pub bots: Vec<String>,
    /// Format: match, round-robin, gauntlet, crossplay
    ///
    /// Who plays whom; all pairings play the same deals. Default: match for two bots, round-robin for more.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Opponents in crossplay [default: the first bot]
    ///
    /// With --format crossplay, every partnership plays against two copies of this bot.
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,
    /// Split the difference into bidding and cards
    ///
    /// Adds A's bidding with B's cards and B's bidding with A's cards, and plays a round robin of all four on the same deals. The share of a half is what it adds on average, before or after the other is exchanged (Shapley value), against A and against B; the shares add up to the difference of A and B.
    #[arg(long, conflicts_with_all = ["format", "against"])]
    pub split: bool,
    /// A cheap pair on the same deals, to remove luck
    ///
    /// C and D are two fast bots whose difference correlates with that of A and B, such as `--control table+rules rules` for
    /// `dd+rules` against `rules`. Their mean difference is measured on other deals. Their result on the deals of the
    /// run then shows how lucky these are, and regression removes that luck (a control variate). With more than two bots each
    /// pairing is adjusted, but not the ratings.
    #[arg(long, value_names = ["C", "D"], num_args = 2)]
    pub control: Option<Vec<String>>,
    /// Number of other deals for the control [default: 1M]
    ///
    /// They give the mean of the control; its uncertainty is part of the interval.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub control_deals: Option<u64>,
    /// Number of deals [default: 10000]
    ///
    /// Each is played in two legs. With --match, the number of matches. `10k`, `1e5` and `10_000` work for every count.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// Play matches; --deals is their number
    #[arg(long = "match")]
    pub matches: bool,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
    /// Keep none, summary, full, sample:P or swing:POINTS
    ///
    /// none: figures only. summary (the default): a table with one row per leg. The others add records of every call and
    /// card: full of all deals; sample:P of a random share P, such as sample:0.01; swing:POINTS of deals with a paired
    /// difference of POINTS or more, such as swing:500.
    #[arg(long, value_name = "WHAT")]
    pub records: Option<Records>,
    /// Table: csv, csv.zst or parquet [default: csv]
    #[arg(long, value_enum, value_name = "FORM")]
    pub table: Option<TableForm>,
    /// Records: jsonl or jsonl.zst [default: jsonl]
    #[arg(long, value_enum, value_name = "FORM")]
    pub lines: Option<LinesForm>,
    /// Play only the i-th of n shards, from 1
    ///
    /// `arena merge` joins all shards into the whole run.
    #[arg(long, value_name = "i/n")]
    pub shard: Option<Shard>,
    /// Decisions to time: none, some or all [default: some]
    ///
    /// run.json then has the processor time per decision of each bot.
    #[arg(long, value_enum, value_name = "WHICH")]
    pub times: Option<TimesMode>,
    /// Read flags from a TOML file
    ///
    /// Its keys are the names of these flags; flags on the command line take precedence.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl RunArgs {
    /// Reads the file of flags, if there is one. That of a run must be of the run in its directory.
    pub(crate) fn file(&self) -> Result<RunFile> {
        let Some(path) = &self.config else { return Ok(RunFile::default()) };
        State::check_file(path)?;
        RunFile::read(path)
    }

    /// Merges flags and file and checks them.
    pub(crate) fn config(self, registry: &Registry) -> Result<RunConfig> {
        let file = self.file()?;
        let flags = RunFile {
            bots: (!self.bots.is_empty()).then_some(self.bots),
            deals: self.deals,
            matches: self.matches.then_some(true),
            format: self.format,
            against: self.against,
            control: self.control,
            control_deals: self.control_deals,
            records: self.records,
            table: self.table,
            lines: self.lines,
            shard: self.shard,
            times: self.times,
            ..self.play.into_file()
        };
        let [table, lines] = [flags.table.is_some(), flags.lines.is_some()];
        let mut asked = flags.over(file);
        if self.split {
            asked = asked.split(registry)?;
        }
        let set = asked.set.clone().unwrap_or_default();
        let config = asked.check(registry)?.of_flags(&set)?;
        config.check_forms(table, lines)?;
        Ok(config)
    }
}

/// Plays what is missing of a run and displays the progress; returns the first deal that was not played. The
/// directory is not closed yet.
pub(super) fn go_on(config: &RunConfig, dir: &mut RunDir) -> Result<u64> {
    let mut progress = Progress::new(config, dir.totals());
    let played = session::go_on(config, dir, &STOP, &mut |totals, _| progress.update(totals));
    progress.finish(dir.totals());
    played
}

/// Runs the command.
pub(crate) fn run(args: RunArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let (mut config, programs) = args.config(registry)?.meet(registry)?;
    print_early(out, &format!("{}\ncommit {COMMIT}\n\n", config.command()))?;
    let is_test = |path: &PathBuf| path.join("sprt.json").symlink_metadata().is_ok();
    if let Some(path) = config.out.clone().filter(is_test) {
        // A test resumes by its own looks.
        return Err(ArenaError::RunExists { path, file: "sprt.json" });
    }
    let mut dir = RunDir::open(&config)?;
    dir.name_programs(programs);
    // For the stderr output of programs.
    config.out = Some(dir.path().to_owned());
    let tells = config.progress != ProgressMode::None;
    let before = dir.totals().pairs();
    if tells && before > 0 {
        let (before, unit, path) = (thousands(before), config.unit.plural(), dir.path().display());
        // Which program a command starts, and what it does by now, the arena does not know.
        let has_program = config.bots.iter().flat_map(TeamSpec::partners).any(BotSpec::has_program);
        let remedy =
            if has_program { "; if the program has changed since, begin anew with --out" } else { "" };
        tell(&format!("{before} {unit} are already in {path}{remedy}"));
    }
    let played = go_on(&config, &mut dir);
    // Also after an error: what was written so far gets its figures.
    let closed = dir.close();
    let printed = print(out, &verdict(&config, dir.totals()));
    let interrupted = played.as_ref().is_ok_and(|done| *done < config.range().end);
    if tells && closed.is_ok() {
        let path = dir.path().display();
        tell(&format!("written to {path}"));
        if interrupted || played.is_err() {
            tell(&format!("resume with: arena run --config {path}/config.toml --out {path}"));
        }
    }
    played?;
    closed?;
    printed?;
    Ok(if interrupted { Exit::Interrupted } else { exit_of(&config, dir.totals()) })
}

/// Returns how a finished run ends: undecided where too many legs were forfeited, but for a part of it.
pub(super) fn exit_of(config: &RunConfig, totals: &Totals) -> Exit {
    if config.shard.is_none() && is_void(config, totals) { Exit::Undecided } else { Exit::Done }
}
