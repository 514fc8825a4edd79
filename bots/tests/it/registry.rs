//! Bots from elsewhere in a registry: they are named, built and changed as those built in, and their files are read
//! once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use coinche_bots::{
    Agent, Bidder, BotInfo, CardPlayer, OpenPlayer, ParamInfo, Registry, RegistryError, RulesPlayer,
};
use coinche_engine::{Call, Card, CardSet, DealState, Key, LegalCalls, View};

/// Passes, and plays the card of this number.
struct Nth(usize);

impl Agent for Nth {}

impl Bidder for Nth {
    fn call(&mut self, _view: &View<'_>, _legal: &LegalCalls, _key: Key) -> Call {
        Call::Pass
    }
}

impl CardPlayer for Nth {
    fn play(&mut self, _view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        legal.nth(self.0.min(legal.len() - 1)).unwrap()
    }
}

impl OpenPlayer for Nth {
    fn play(&mut self, state: &DealState, _key: Key) -> Card {
        state.legal_plays().first().unwrap()
    }
}

const NUMBER: ParamInfo =
    ParamInfo { name: "number", default: "0", legal: "0 to 7", about: "the number of the card" };
const FILE: ParamInfo = ParamInfo {
    name: "file",
    default: "none",
    legal: "a file with a number",
    about: "the number of the card",
};

fn nth() -> BotInfo {
    BotInfo::new("nth", "plays the card of a number").bidder(&[], |_| Ok(|| Nth(0))).player(
        &[NUMBER],
        |params| {
            let number = params.number("number", 0..=7)?;
            Ok(move || Nth(number))
        },
    )
}

fn with(bot: BotInfo) -> Registry {
    Registry::builtin().with(bot).unwrap()
}

#[test]
fn bots_from_elsewhere_are_bots_as_any_other() {
    let registry = with(nth());
    assert_eq!(registry.bots().filter(|bot| bot.name() == "nth").count(), 1);
    assert!(registry.bots().map(BotInfo::name).is_sorted());
    for text in ["nth", "nth:number=3", "rules+nth:number=3", "nth+pimc:worlds=20", "nth+cmd:./x"] {
        assert_eq!(registry.parse(text).unwrap().as_str(), text);
        assert_eq!(registry.parse(text).unwrap().build().name(), text);
    }
    assert_eq!(registry.parse_team("nth&rules").unwrap().as_str(), "nth&rules");
    assert_eq!(registry.parse_bidder("nth").unwrap().as_str(), "nth");
    let spec = registry.parse("rules:caution=1+nth").unwrap();
    assert_eq!(spec.param("number").unwrap().as_deref(), Some("0"));
    assert_eq!(spec.with_param("number", "5").unwrap().as_str(), "rules:caution=1+nth:number=5");

    let error = |text: &str| registry.parse(text).unwrap_err().to_string();
    assert!(error("nobody").contains("mc, net, nth, open"), "{}", error("nobody"));
    assert!(error("nth:number=8").contains("0 to 7"));
    assert!(error("nth+rules:number=8").contains("no parameter `number`"));
    assert!(spec.with_param("number", "8").unwrap_err().to_string().contains("0 to 7"));
    // What one registry has is not in another.
    assert!(Registry::builtin().parse("nth").is_err());
    assert!(Registry::empty().parse("rules").unwrap_err().to_string().contains("no bot `rules`"));
}

#[test]
fn names_are_taken_once() {
    let error = |bot: BotInfo| Registry::builtin().with(bot).unwrap_err();
    let named = |name: &'static str| BotInfo::new(name, "…").player(&[], |_| Ok(|| RulesPlayer));
    assert_eq!(error(named("rules")), RegistryError::Taken("rules".to_owned()));
    assert_eq!(with(nth()).with(nth()).unwrap_err(), RegistryError::Taken("nth".to_owned()));
    assert_eq!(error(BotInfo::new("idle", "…")), RegistryError::Nothing("idle".to_owned()));
    for name in ["", "cmd", "a+b", "a:b", "a&b", "a b", "a,b", "a=b"] {
        assert_eq!(error(named(name)), RegistryError::Name(name.to_owned()));
    }
    for params in [vec![NUMBER, NUMBER], vec![ParamInfo { name: "a=b", ..NUMBER }]] {
        let bot = BotInfo::new("double", "…").player(&params, |_| Ok(|| RulesPlayer));
        assert!(matches!(error(bot), RegistryError::Param { .. }));
    }
}

#[test]
fn who_sees_all_hands_is_called_so_wherever_it_comes_from() {
    let open = BotInfo::new("oracle", "…").bidder(&[], |_| Ok(|| Nth(0)));
    let registry = with(open.open_player(&[NUMBER], |_| Ok(|| Nth(0))));
    for (text, name) in [
        ("oracle", "oracle:sees=all"),
        ("rules+oracle:number=3", "rules+oracle:number=3,sees=all"),
        ("oracle:sees=all,number=3", "oracle:sees=all,number=3"),
    ] {
        let spec = registry.parse(text).unwrap();
        assert!(spec.sees_all() && spec.build().player.sees_all());
        assert_eq!(spec.as_str(), name);
        assert_eq!(registry.parse(name).unwrap(), spec);
        let changed = spec.with_param("number", "4").unwrap();
        assert!(changed.sees_all() && registry.parse(changed.as_str()).unwrap() == changed);
    }
    assert!(registry.parse("oracle:sees=own").unwrap_err().to_string().contains("expected all"));
}

#[test]
fn files_are_read_once_when_a_specification_is_parsed() {
    let reads = Arc::new(AtomicUsize::new(0));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("number");
    std::fs::write(&path, "3").unwrap();
    let counted = Arc::clone(&reads);
    let read = move |params: &coinche_bots::Params| {
        counted.fetch_add(1, Ordering::Relaxed);
        let bytes = params.file("file").map_err(|error| params.illegal_file("file", &error))?;
        let text = str::from_utf8(&bytes).unwrap_or_default();
        let number = text.parse().map_err(|error| params.illegal_file("file", &error))?;
        Ok(move || Nth(number))
    };
    let bot = BotInfo::new("filed", "…").bidder(&[FILE], read.clone()).player(&[FILE, NUMBER], read);
    let registry = with(bot);
    let spec = registry.parse(&format!("filed:file={}", path.display())).unwrap();
    assert_eq!(reads.load(Ordering::Relaxed), 2, "once for the bidder, once for the player");
    // The file is gone: nobody needs it any more, not even for another value of another parameter.
    std::fs::remove_file(&path).unwrap();
    for _ in 0..8 {
        let _ = spec.build();
    }
    assert_eq!(reads.load(Ordering::Relaxed), 2);
    assert!(spec.with_param("number", "5").is_ok());
    let error = registry.parse(spec.as_str()).unwrap_err().to_string();
    assert!(error.contains("bot `filed`: `file`: "), "{error}");
}

#[test]
fn a_table_outlives_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("table");
    std::fs::write(&path, coinche_bots::table::BiddingTable::built_in().to_text()).unwrap();
    let registry = Registry::builtin();
    let specs = ["table:file=PATH+rules", "dd:file=PATH,worlds=2+rules"]
        .map(|text| registry.parse(&text.replace("PATH", path.to_str().unwrap())).unwrap());
    std::fs::remove_file(&path).unwrap();
    for spec in specs {
        assert!(registry.parse(spec.as_str()).is_err());
        let _ = spec.build();
    }
}

/// The table is fed through a pipe, which can be read once.
#[cfg(unix)]
#[test]
fn a_file_may_be_a_pipe() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let text = coinche_bots::table::BiddingTable::built_in().to_text();
    let path = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(path, text).unwrap());
    let spec = Registry::builtin().parse(&format!("table:file={}+rules", pipe.display())).unwrap();
    writer.join().unwrap();
    let _ = (spec.build(), spec.build());
}

#[test]
fn the_old_name_of_a_parameter_is_told() {
    let error = Registry::builtin().parse("rules+pimc:strike=no").unwrap_err().to_string();
    assert_eq!(error, "bot `pimc` has no parameter `strike`: it is now called `prune`");
    let error = Registry::builtin().parse("rules+ismcts:strike=no").unwrap_err().to_string();
    assert!(error.contains("has no parameter `strike`: expected iterations"), "{error}");
}
