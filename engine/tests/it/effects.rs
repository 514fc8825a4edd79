//! No setting without effect: of every preset every field is changed to every value to try, and each change is either
//! refused or makes another game.

use crate::common::book::to_deal;
use crate::common::deal::{random_call, random_deck};
use crate::common::rng::Rng;
use crate::common::rules::{BothRules, set, values};
use crate::common::size;
use crate::rulebook::random_result;
use coinche_conformance as book;
use coinche_engine::ParseRulesError;
use coinche_engine::rules::{BeloteAllTrump, ClosedBy, CoincheMode, FIELDS};
use coinche_engine::{
    BidValue, ByTeam, Call, Deal, DealScore, DealState, Deck, Goal, Ladder, MatchState, PastDeal, Play,
    RuleSet, Seat, Stake, Strain, Team, Turn,
};
use serde_json::Value;

/// Fields that make no other deal or match in the engine, and where their effect is tested.
const ELSEWHERE: [(&str, &str); 1] = [
    // What a rotation changes is how the seats are named and drawn.
    ("deal.rotation", "arena/tests/it/document/report.rs: the players of a page sit by the rotation"),
];

/// How many deals and matches may be needed until one comes out otherwise; the rarest are slams and ties.
const TRIES: u64 = 20_000;

#[test]
fn every_field_of_every_preset_has_an_effect_or_is_refused() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let check = || {
        let (mut changed, mut refused) = (0, 0);
        loop {
            let n = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some((name, rules)) = RuleSet::ALL.get(n) else { return (changed, refused) };
            for field in FIELDS {
                let (all, idle) = check_field(name, rules, field.path);
                changed += all;
                refused += idle;
            }
        }
    };
    let mut total = (0, 0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(check)).collect();
        for thread in threads {
            let (changed, refused) = thread.join().unwrap();
            total = (total.0 + changed, total.1 + refused);
        }
    });
    // Both kinds must occur, or the test looks at nothing.
    assert!(total.0 > 500 && total.1 > 200, "{total:?}");
}

/// Tries all values of a field; returns how many make another game and how many are refused as without effect.
fn check_field(name: &str, rules: &RuleSet, path: &str) -> (u32, u32) {
    let (mut changed, mut refused) = (0, 0);
    let from = BothRules::preset(name).json_of(path);
    for to in values(path) {
        if to == from {
            continue;
        }
        let setting = format!("{path}={to}");
        let what = format!("{name} with {setting}");
        match rules.with_settings([setting.as_str()].into_iter().chain(needed_by(&to).iter().copied())) {
            Ok(other) if ELSEWHERE.iter().any(|(field, _)| *field == path) => assert_ne!(other, *rules),
            Ok(other) => {
                assert!(is_another_game(rules, &other), "{what} is accepted, and is the same game");
                changed += 1;
            }
            Err(error) => {
                let named = error.to_string().contains(path);
                // Of a method it is the fields that it rules out which are named.
                assert!(named || path == "deal.method", "{what}: {error}");
                if matches!(error, ParseRulesError::NoEffect { .. }) {
                    check_refused(rules, &[&setting], &[], path, &what);
                    refused += 1;
                }
            }
        }
    }
    (changed, refused)
}

/// What a way to deal or to bid needs.
fn needed_by(value: &Value) -> &'static [&'static str] {
    match value.as_str() {
        Some("full") => &["deal.packets=[3,2,3]"],
        Some("turn-up" | "split") => &["deal.packets=[3,2]"],
        Some("strains") => &["auction.capot=false", "auction.generale=false", "scoring.made=tricks"],
        _ => &[],
    }
}

/// Of two fields set together each makes another game than the other alone, or the pair is refused by name: of every preset some
/// pairs of values, as many as `COINCHE_PAIRS` says; all of one preset where it is a name.
#[test]
fn two_fields_together_have_an_effect_each_or_are_refused() {
    let counts: Vec<usize> = FIELDS.iter().map(|field| values(field.path).len()).collect();
    let fields = 0..FIELDS.len();
    let pairs = fields.flat_map(|second| (0..second).map(move |first| (first, second)));
    let all: Vec<[usize; 4]> = pairs
        .flat_map(|(first, second)| {
            let of_second = counts[second];
            (0..counts[first] * of_second).map(move |n| [first, n / of_second, second, n % of_second])
        })
        .collect();
    let all = &all[..];
    let total = all.len() * RuleSet::ALL.len();
    let wanted = std::env::var("COINCHE_PAIRS").unwrap_or_else(|_| size(400, 20_000).to_string());
    let preset = RuleSet::ALL.iter().position(|(name, _)| *name == wanted);
    let wanted = match preset {
        Some(preset) => preset * all.len()..(preset + 1) * all.len(),
        None => 0..wanted.parse::<usize>().expect("COINCHE_PAIRS is a number or a preset").min(total),
    };
    let draws = preset.is_none() && wanted.end < total;
    let next = std::sync::atomic::AtomicUsize::new(wanted.start);
    let check = || {
        let (mut changed, mut refused) = (0, 0);
        loop {
            let n = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if n >= wanted.end {
                return (changed, refused);
            }
            let n = if draws { Rng::new(n as u64).below(total) } else { n };
            let (preset, [first, a, second, b]) = (RuleSet::ALL[n / all.len()], all[n % all.len()]);
            let pair = [(first, a), (second, b)].map(|(field, at)| {
                let path = FIELDS[field].path;
                (path, values(path).swap_remove(at))
            });
            let (games, idle) = check_pair(preset, &pair);
            changed += games;
            refused += idle;
        }
    };
    let (mut changed, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(check)).collect();
        for thread in threads {
            let (games, idle) = thread.join().unwrap();
            (changed, refused) = (changed + games, refused + idle);
        }
    });
    assert!(changed > 100 && refused > 50, "{changed} {refused}");
}

/// Tries two values; returns how many make another game and how many are refused as without effect.
fn check_pair((name, rules): (&str, RuleSet), pair: &[(&'static str, Value); 2]) -> (u32, u32) {
    if pair.iter().any(|(path, value)| BothRules::preset(name).json_of(path) == *value) {
        return (0, 0);
    }
    let settings = pair.each_ref().map(|(path, value)| format!("{path}={value}"));
    let mut needed: Vec<&str> = pair.iter().flat_map(|(_, value)| needed_by(value)).copied().collect();
    needed.retain(|setting| pair.iter().all(|(path, _)| setting.split_once('=').unwrap().0 != *path));
    let with =
        |settings: &[&str]| rules.with_settings(settings.iter().copied().chain(needed.iter().copied()));
    let ([a, b], [first, second]) = (settings.each_ref(), pair.each_ref().map(|(path, _)| *path));
    let what = format!("{name} with {a} and {b}");
    match with(&[a, b]) {
        Ok(both) => {
            let mut changed = 0;
            for (path, without) in [(first, b), (second, a)] {
                let Ok(one) = with(&[without]) else { continue };
                if ELSEWHERE.iter().any(|(field, _)| *field == path) {
                    assert_ne!(one, both);
                } else {
                    assert!(is_another_game(&one, &both), "{what}: {path} is accepted, and is the same game");
                    changed += 1;
                }
            }
            (changed, 0)
        }
        Err(error) => {
            let text = error.to_string();
            let method = ["deal.method", "auction.bids"].iter().any(|path| [first, second].contains(path))
                || text.contains("deal.packets");
            assert!(text.contains(first) || text.contains(second) || method, "{what}: {error}");
            let ParseRulesError::NoEffect { path, .. } = &error else { return (0, 0) };
            check_refused(&rules, &[a, b].map(String::as_str), &needed, path, &what);
            (0, 1)
        }
    }
}

/// Checks that a field that is refused as without effect has none.
fn check_refused(rules: &RuleSet, settings: &[&str], needed: &[&str], path: &str, what: &str) {
    let whole = |settings: &[&str]| {
        let mut json = serde_json::to_value(rules).unwrap();
        for setting in settings.iter().chain(needed) {
            let (path, value) = setting.split_once('=').unwrap();
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            set(&mut json, path, value);
        }
        serde_json::from_value::<RuleSet>(json).ok()
    };
    let others: Vec<&str> =
        settings.iter().copied().filter(|setting| setting.split_once('=').unwrap().0 != path).collect();
    if let (Some(one), Some(both)) = (whole(&others), whole(settings)) {
        assert!(!differ(&one, &both, 100), "{what}: {path} is refused, and is another game");
    }
}

fn is_another_game(rules: &RuleSet, other: &RuleSet) -> bool {
    differ(rules, other, TRIES)
}

/// Tells if some deals, scores or matches differ.
fn differ(rules: &RuleSet, other: &RuleSet, tries: u64) -> bool {
    let both = [rules, other].map(|rules| BothRules::whole(&serde_json::to_value(rules).unwrap()));
    (0..tries).any(|seed| {
        scores_differ(&both, seed)
            || deals_differ(&both, seed)
            || (seed < 200 && decks_differ(&both, seed))
            || (seed < 2000 && matches_differ(rules, other, seed))
    })
}

/// Tells if the rule book scores a deal otherwise that both rule sets can have, often one on an edge.
fn scores_differ(both: &[BothRules; 2], seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut result = random_result(&both[0], &mut rng);
    let strain = result.contract.strain;
    let aces = both.each_ref().map(|rules| rules.engine.melds.carre_of_aces);
    if aces[0] == aces[1] && rng.chance(20) {
        // Four aces, which some rules make worth more than all cards.
        result.melds = result.melds.map(|points| if points > 0 { aces[0] } else { 0 });
    }
    for rules in both {
        let rules = &rules.engine;
        let of_slams = matches!(result.contract.goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE));
        let closed = rules.auction.closed_by == ClosedBy::Bid
            || (of_slams && rules.auction.closed_by == ClosedBy::Slam);
        if closed || rules.auction.coinche == CoincheMode::Off {
            result.contract.stake = Stake::Plain;
        }
        let can_be = |goal| match goal {
            Goal::Bid(value) => rules.has_values() && Ladder::new(rules).index_of(value).is_some(),
            Goal::Majority => !rules.has_values(),
        };
        if !rules.allows_strain(strain) || !can_be(result.contract.goal) {
            return false;
        }
        let has_belote = rules.belote.exists()
            && (strain.trump().is_some()
                || (strain == Strain::AllTrump && rules.belote.all_trump != BeloteAllTrump::None));
        if !has_belote {
            result.belote = ByTeam([0; 2]);
        } else if strain.trump().is_some() && result.belote == ByTeam([20, 20]) {
            result.belote = ByTeam([20, 0]);
        }
        if !rules.melds.in_strain(strain) {
            result.melds = ByTeam([0; 2]);
        }
    }
    let all = both.each_ref().map(|rules| rules.engine.all_points(strain));
    let of_team = |team: usize| result.tricks.0[team] + result.tricks.0[team + 2];
    if let Some(team) = (0..2).find(|team| of_team(*team) == 8) {
        result.card_points = ByTeam([0; 2]);
        result.card_points.0[team] = all[0];
    }
    // A single point is in no card, nor are others that are left out here.
    let is_odd = result.card_points.0.contains(&1);
    let deal = to_deal(&result);
    all[0] == all[1]
        && !is_odd
        && book::score_deal(&both[0].book, &deal) != book::score_deal(&both[1].book, &deal)
}

/// Deals a few deals of a match under both rule sets, half of them passed out where they can be, and tells if the decks differ.
fn decks_differ(both: &[BothRules; 2], seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut past = [Vec::new(), Vec::new()];
    (0..6).any(|number| {
        let passes = rng.chance(50);
        let decks = [0, 1].map(|n| {
            let rules = &both[n].engine;
            let deck = Deck::of_match(&rules.deal, &past[n], 5, seed, number);
            let mut state = DealState::new(rules, &Deal::new(&rules.deal, deck, Seat::S0));
            play_on(&mut state, passes);
            PastDeal::remember(&rules.deal, &mut past[n], state.to_past());
            deck
        });
        decks[0] != decks[1]
    })
}

/// Plays the first card that may be, after the first bid or only passes.
fn play_on(state: &mut DealState, passes: bool) {
    loop {
        match state.turn() {
            Turn::Over => return,
            Turn::Call(_) => {
                let legal = state.legal_calls();
                let is_open = !passes && state.auction().calls().is_empty();
                let call = legal.iter().find(|call| (*call == Call::Pass) != is_open);
                state.call(call.or(legal.nth(0)).unwrap()).unwrap();
            }
            Turn::Play(_) => {
                let card = state.legal_plays().first().unwrap();
                state.play(card).unwrap();
            }
        }
    }
}

/// Plays a deal under both rule sets, and tells if anything that may be done or comes out differs.
fn deals_differ(both: &[BothRules; 2], seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let dealer = rng.pick(&Seat::ALL);
    let deck = random_deck(&both[0], &mut rng, dealer);
    let mut states = both.each_ref().map(|rules| {
        let deal = Deal::new(&rules.engine.deal, deck, dealer);
        DealState::new(&rules.engine, &deal)
    });
    let differ =
        |states: &[DealState; 2], what: &dyn Fn(&DealState) -> String| what(&states[0]) != what(&states[1]);
    if states[0].deal().hands() != states[1].deal().hands()
        || states[0].deal().turned() != states[1].deal().turned()
    {
        return true;
    }
    loop {
        if states[0].turn() != states[1].turn() {
            return true;
        }
        match states[0].turn() {
            Turn::Over => break,
            Turn::Call(_) => {
                let legal = states[0].legal_calls();
                if differ(&states, &|state| format!("{:?}", state.legal_calls().iter().collect::<Vec<_>>())) {
                    return true;
                }
                let call = random_call(&mut rng, &legal);
                for state in &mut states {
                    state.call(call).unwrap();
                }
            }
            Turn::Play(seat) => {
                let legal = states[0].legal_plays();
                if legal != states[1].legal_plays() {
                    return true;
                }
                let card = legal.nth(rng.below(legal.len())).unwrap();
                let mut play = Play { announce_belote: rng.chance(50), ..Play::from(card) };
                if states[0].may_announce_belote(card) != states[1].may_announce_belote(card) {
                    return true;
                }
                if states[0].tricks().is_empty() && both[0].engine.melds.enabled {
                    let options = states[0].meld_options(seat);
                    if options != states[1].meld_options(seat) {
                        return true;
                    }
                    play.melds = Some(rng.pick(&options));
                }
                for state in &mut states {
                    state.play(play).unwrap();
                }
            }
        }
    }
    states[0].outcome() != states[1].outcome()
        || differ(&states, &|state| format!("{:?} {:?}", state.announced_melds(), state.scored_melds()))
}

/// Plays a match of the same scores under both rule sets, often level near the target, and tells if the scores,
/// the dealers or the ends differ.
fn matches_differ(rules: &RuleSet, other: &RuleSet, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut games = [rules, other].map(|rules| MatchState::new(rules, Seat::S0));
    let target = i32::try_from(rules.game.target).unwrap();
    for _ in 0..30 {
        if rng.chance(5) {
            for game in &mut games {
                game.misdeal();
            }
        }
        if rng.chance(5) {
            for game in &mut games {
                game.add_thrown_in();
            }
        }
        // Matches of a number of deals go on above the target.
        let [a, b] = games[0].score().0;
        let level = target.max(a).max(b) + rng.between(-1, 2);
        let points = if rng.chance(30) {
            let near = |score: i32| (level - score).max(0);
            games[0].score().0.map(|score| if rng.chance(70) { near(score) } else { rng.between(0, 40) })
        } else {
            [rng.between(0, target / 3 + 1), rng.between(0, target / 3 + 1)]
        };
        let (made, held) = if rng.chance(10) { (false, 80) } else { (rng.chance(50), 0) };
        let slam = rng.chance(20).then(|| rng.pick(&Team::ALL));
        let score = DealScore { made, points: ByTeam(points), held, slam };
        let declarers = rng.pick(&Team::ALL);
        for game in &mut games {
            game.add(&score, declarers);
        }
        let told = games.map(|game| (game.score(), game.winner(), game.dealer()));
        if told[0] != told[1] {
            return true;
        }
        if games[0].winner().is_some() {
            break;
        }
    }
    false
}

/// What is wrong with a rule file.
fn error(text: &str) -> String {
    RuleSet::from_toml(text).unwrap_err().to_string()
}

#[test]
fn what_a_turn_up_game_does_not_have_is_refused() {
    for setting in [
        "signal_pass = true",
        "over_coinche = \"raise\"",
        "closed_by = \"bid\"",
        "capot = true",
        "lowest = 90",
        "bids = \"strains\"",
    ] {
        let text = format!("base = \"belote\"\n[auction]\n{setting}\n");
        let message = error(&text);
        let field = setting.split_once(' ').unwrap().0;
        assert!(message.contains(&format!("`auction.{field}`")) && message.contains("line 3"), "{message}");
        assert!(message.contains("no effect") && message.contains("`deal.method` is turn-up"), "{message}");
    }
    // In a whole rule set, as records have them, too.
    for (field, value) in [("signal_pass", Value::from(true)), ("capot", Value::from(true))] {
        let mut json = serde_json::to_value(RuleSet::BELOTE).unwrap();
        json["auction"][field] = value;
        let message = serde_json::from_value::<RuleSet>(json).unwrap_err().to_string();
        assert!(message.contains(&format!("`auction.{field}` cannot be")), "{message}");
    }
}

#[test]
fn a_field_without_effect_is_refused_and_its_remedy_is_named() {
    let message = error("base = \"bga\"\n[contract]\ngenerale = 1000\n");
    assert_eq!(
        message,
        "`contract.generale` = 1000 has no effect (line 3): générale cannot be bid (`auction.generale` is false); \
         leave it out, or change what it depends on"
    );
    let rules = RuleSet::from_toml("[contract]\ngenerale = 1000\n[auction]\ngenerale = true\n").unwrap();
    assert_eq!(rules.contract.generale, 1000);
    // What the base has already may be said again.
    assert_eq!(RuleSet::from_toml("[contract]\ngenerale = 500\n"), Ok(RuleSet::BGA));
    // Turned off, a feature keeps the fields that describe it.
    let off = RuleSet::CONTREE.with_settings(["auction.coinche=off"]).unwrap();
    assert_eq!(off.scoring.coinche, RuleSet::CONTREE.scoring.coinche);
    assert_eq!(RuleSet::from_toml(&off.to_toml()), Ok(off));
    // Together two fields may have the effect that neither has alone.
    let message = RuleSet::BELOTE.with_settings(["belote.multiplied=true"]).unwrap_err().to_string();
    assert!(message.contains("`scoring.plain.contract`"), "{message}");
    assert!(RuleSet::BELOTE.with_settings(["belote.multiplied=true", "scoring.plain.contract=2"]).is_ok());
    // A highest bid that no bid reaches, and points that rounding takes away again.
    for (rules, setting) in [
        (RuleSet::BGA_JA, "auction.highest=185"),
        (RuleSet::BGA, "auction.highest=165"),
        (RuleSet::COINCHEE, "auction.highest=990"),
        (RuleSet::COINCHEE, "scoring.unbid_slam=252"),
        (RuleSet::COINCHEE, "scoring.solo_slam=504"),
    ] {
        assert!(matches!(rules.with_settings([setting]), Err(ParseRulesError::NoEffect { .. })), "{setting}");
    }
    assert!(RuleSet::COINCHEE.with_settings(["scoring.unbid_slam=255"]).is_ok());
    // What makes a coinche impossible leaves nothing to say over it.
    assert!(RuleSet::BGA.with_settings(["auction.coinche=off", "auction.over_coinche=raise"]).is_err());
    // 80 that needs 82.
    assert!(RuleSet::BGA.with_settings(["contract.floor=82"]).is_err());
    assert!(RuleSet::BGA.with_settings(["contract.floor=82", "auction.lowest=80"]).is_ok());
}
