//! A question contains what a seat at the table knows, and the answer is the bot's answer there.

use coinche_bots::{Bidder, BotSpec, Choice, Registry, Thought};
use coinche_engine::{
    AuctionTurn, ByTeam, Call, Deal, DealState, Deck, Key, Play, RuleSet, Seat, Suit, Turn, View,
};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::solvers::Solvers;

use super::audit::{Audit, Told, audit};
use super::sentences::{others, why_not_the_best_in_most};
use super::{
    Advice, Adviser, Asked, Budget, Models, Question, Weighed, advise, ask, brief, document, json, quick,
};
use crate::typed::Language;

/// Asks a bidder for a call.
fn ask_bidder(bidder: &mut dyn Bidder, view: &View<'_>, key: Key) -> (Call, Option<Thought>) {
    ask(bidder, |bidder| bidder.call(view, &view.auction().state().legal_calls(), key))
}

/// The text of a question, with what it refers to.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub(super) hand: String,
    pub(super) auction: String,
    pub(super) tricks: Option<String>,
    turned: Option<String>,
    dealer: Seat,
    offered: Option<Seat>,
    score: String,
    melds: Option<String>,
    shown: Option<String>,
    belotes: Vec<String>,
}

impl Typed {
    /// Writes down what a seat knows at its decision.
    fn of(view: &View<'_>) -> Self {
        let rules = view.rules();
        let plays = view.contract().is_some();
        let call = |(seat, call): &(Seat, Call)| match call {
            Call::Coinche | Call::Surcoinche => format!("{seat}:{call}"),
            _ => call.to_string(),
        };
        let auction: Vec<_> = view.auction().calls().iter().map(call).collect();
        let mut tricks: Vec<String> =
            view.tricks().iter().map(|trick| trick.cards.map(|card| card.to_string()).join(" ")).collect();
        tricks.push(view.trick().map(|(_, card)| card.to_string()).collect::<Vec<_>>().join(" "));
        let melds: Vec<_> = Seat::ALL
            .into_iter()
            .flat_map(|seat| view.announced_kinds(seat).map(move |kind| format!("{seat}:{kind}")))
            .collect();
        let shown = view.scored_melds().map(|scored| {
            let melds: Vec<_> = scored
                .iter()
                .flat_map(|(seat, melds)| melds.iter().map(move |meld| format!("{seat}:{}", meld.cards)))
                .collect();
            if melds.is_empty() { "none".to_owned() } else { melds.join(" ") }
        });
        let belote = |suit: Suit| {
            let belote = view.belote(suit)?;
            (belote.seat != view.seat() && belote.announced == Some(true))
                .then(|| format!("{}:{suit}", belote.seat))
        };
        let offer = view.auction().state().turn();
        let offered = matches!(offer, AuctionTurn::OfferCoinche(_) | AuctionTurn::OfferSurcoinche(_));
        let own = view.seat().team();
        let enabled = rules.melds.enabled && plays;
        Self {
            hand: view.first_hand().to_string(),
            auction: auction.join(" "),
            tricks: plays.then(|| tricks.join(" / ")),
            turned: view.turned().map(|card| card.to_string()),
            dealer: view.dealer(),
            offered: offered.then_some(view.seat()),
            score: format!("{},{}", view.match_score()[own], view.match_score()[own.other()]),
            melds: (enabled && !melds.is_empty()).then(|| melds.join(" ")),
            shown: shown.filter(|_| enabled),
            belotes: Suit::ALL.into_iter().filter_map(belote).collect(),
        }
    }

    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            hand: &self.hand,
            auction: &self.auction,
            tricks: self.tricks.as_deref(),
            turned: self.turned.as_deref(),
            dealer: self.dealer,
            seat: None,
            offered: self.offered,
            score: &self.score,
            melds: self.melds.as_deref(),
            shown: self.shown.as_deref(),
            belotes: &self.belotes,
        }
    }
}

/// Returns the state before decision number `steps` of a deal among four bots, or before the last one.
fn position(rules: &RuleSet, seed: u64, steps: usize) -> DealState {
    let dealer = Seat::from_index(usize::try_from(seed % 4).unwrap());
    let deal = Deal::new(&rules.deal, Deck::shuffled(seed, 0), dealer);
    let mut state = DealState::new(rules, &deal);
    state.set_match(ByTeam([110, -20]), 0, &[]);
    // Odd seeds produce wilder auctions.
    let name = if seed.is_multiple_of(2) { "rules" } else { "random:pass=0.6+rules" };
    let mut bot = Registry::builtin().parse(name).unwrap().build();
    let mut before = state.clone();
    for step in 0..=steps {
        before = if state.turn() == Turn::Over { before } else { state.clone() };
        let key = Key::decisions(seed, 0, Seat::S0).and(step as u64);
        match state.turn() {
            Turn::Over => break,
            Turn::Call(seat) => {
                let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                state.call(call).unwrap();
            }
            Turn::Play(seat) => {
                let card = bot.player.play(&state, seat, state.legal_plays(), key);
                let melds = state.meld_options(seat).last().copied();
                state.play(Play { card, announce_belote: true, melds }).unwrap();
            }
        }
    }
    before
}

fn turn(state: &DealState) -> Seat {
    match state.turn() {
        Turn::Call(seat) | Turn::Play(seat) => seat,
        Turn::Over => panic!("there is a decision"),
    }
}

/// Returns what a person would type at a decision of a deal.
pub(super) fn some_question(rules: &RuleSet, seed: u64, steps: usize) -> Typed {
    let state = position(rules, seed, steps);
    Typed::of(&state.view(turn(&state)))
}

fn is_the_same(state: &DealState, question: &Question) {
    let (live, told) = (state.view(turn(state)), question.view());
    assert_eq!(live.seat(), told.seat());
    assert_eq!((live.hand(), live.first_hand()), (told.hand(), told.first_hand()));
    assert_eq!(live.auction(), told.auction());
    assert_eq!(live.tricks(), told.tricks());
    assert!(live.trick().eq(told.trick()));
    assert_eq!((live.match_score(), live.turned()), (told.match_score(), told.turned()));
    assert_eq!(live.scored_melds(), told.scored_melds());
    assert_eq!(state.legal_plays(), question.legal_cards());
    for seat in Seat::ALL {
        assert_eq!(live.could_hold(seat), told.could_hold(seat), "seat {seat}");
        assert_eq!(live.known(seat), told.known(seat), "seat {seat}");
        assert!(live.announced_kinds(seat).eq(told.announced_kinds(seat)));
    }
    for suit in Suit::ALL {
        assert_eq!(live.belote(suit), told.belote(suit));
    }
}

#[test]
fn a_question_tells_what_a_seat_at_the_table_knows() {
    for (name, rules) in RuleSet::PRESETS {
        for seed in 0..30 {
            for steps in [0, 1, 2, 3, 5, 8, 12, 17, 23, 30, 50] {
                let state = position(&rules, seed, steps);
                let typed = Typed::of(&state.view(turn(&state)));
                match Question::read(&rules, &typed.asked()) {
                    Ok(question) => is_the_same(&state, &question),
                    Err(error) => panic!("{name}, seed {seed}, step {steps}: {error}\n{typed:?}"),
                }
            }
        }
    }
}

fn adviser<'a>(solvers: &'a Solvers, by: Option<&'a BotSpec>, worlds: u32) -> Adviser<'a> {
    let (models, key) = (models("rules", "rules"), Key::decisions(7, 0, Seat::S0));
    Adviser { solvers, budget: Budget::Worlds(worlds), by, models: Box::leak(Box::new(models)), key }
}

#[test]
fn a_bot_says_the_same_as_at_the_table() {
    let solvers = Solvers::new(Some(1)).unwrap();
    let spec = Registry::builtin().parse("dd:worlds=2+pimc:worlds=4,read=calls").unwrap();
    for (name, rules) in RuleSet::PRESETS {
        for (seed, steps) in [(2, 1), (3, 2), (4, 25), (5, 30)] {
            let state = position(&rules, seed, steps);
            let view = state.view(turn(&state));
            let typed = Typed::of(&view);
            let question = Question::read(&rules, &typed.asked()).unwrap();
            let adviser = adviser(&solvers, Some(&spec), 2);
            let advice = advise(&question, &adviser);
            let mut bot = spec.build();
            let (choice, thought): (Choice, _) = if view.contract().is_some() {
                let mut player = bot.player.into_fair().unwrap();
                let (card, thought) =
                    ask(&mut *player, |player| player.play(&view, state.legal_plays(), adviser.key));
                (card.into(), thought)
            } else {
                let (call, thought) = ask_bidder(&mut *bot.bidder, &view, adviser.key);
                (call.into(), thought)
            };
            assert_eq!(advice.choice, choice, "{name} {typed:?}");
            for considered in thought.iter().flat_map(|thought| &thought.options) {
                let told = advice.options.iter().find(|it| it.choice == considered.choice).unwrap();
                assert_eq!(told.score, Some([considered.mean, considered.half_width]));
                assert_eq!((told.chance, told.worlds), (considered.chance, considered.worlds));
            }
        }
    }
}

#[test]
fn answers_of_so_many_worlds_do_not_depend_on_threads() {
    let [one, three] = [1, 3].map(|threads| Solvers::new(Some(threads)).unwrap());
    for (rules, seed, steps) in [(RuleSet::BGA, 2, 2), (RuleSet::BGA, 2, 20), (RuleSet::COINCHEE, 6, 1)] {
        let typed = some_question(&rules, seed, steps);
        let question = Question::read(&rules, &typed.asked()).unwrap();
        let [a, b] = [&one, &three].map(|solvers| advise(&question, &adviser(solvers, None, 20)));
        assert_eq!(a, b);
        assert_eq!(
            brief(&question, &a, Language::English).render(Detail::Full),
            brief(&question, &b, Language::English).render(Detail::Full)
        );
        let more = advise(&question, &adviser(&three, None, 21));
        assert!(more.options.iter().all(|option| option.worlds <= 21));
    }
}

#[test]
fn figures_are_what_they_say() {
    let solvers = Solvers::new(Some(2)).unwrap();
    for (name, rules) in RuleSet::PRESETS {
        for (seed, steps) in [(1, 0), (1, 2), (8, 14), (8, 33)] {
            let typed = some_question(&rules, seed, steps);
            let question = Question::read(&rules, &typed.asked()).unwrap();
            let advice = advise(&question, &adviser(&solvers, None, 3));
            let view = question.view();
            let chosen = advice.options.iter().filter(|option| option.choice == advice.choice);
            assert_eq!(chosen.count(), 1, "{name}");
            if view.contract().is_some() {
                assert_eq!(advice.options.len(), question.legal_cards().len());
            } else {
                assert!(advice.options.iter().any(|option| option.choice == Choice::Call(Call::Pass)));
            }
            for option in &advice.options {
                let is_share = |share: f64| (0.0..=1.0 + 1e-9).contains(&share);
                assert!(option.chance.is_none_or(is_share) && option.best.is_none_or(is_share), "{option:?}");
            }
            if advice.options.iter().any(|option| option.worlds > 0) {
                let best: f64 = advice.options.iter().filter_map(|option| option.best).sum();
                assert!(best >= 1.0 - 1e-9, "in every world something is best: {best}");
            }
            // Every hidden card is in one of three hands, or in the stock of the turn-up game.
            for card in view.unseen() {
                let others = Seat::ALL.into_iter().filter(|seat| *seat != view.seat());
                let sum: f64 = others.map(|seat| advice.holdings.chance(seat, card)).sum();
                let stock = view.turned().is_some() && view.contract().is_none();
                assert!(if stock { sum < 1.0 } else { (sum - 1.0).abs() < 1e-9 }, "{name} {card} {sum}");
            }
            let told = brief(&question, &advice, Language::English).render(Detail::Full);
            assert!(
                told.contains(&advice.choice.to_string()) && told.lines().all(|line| !line.ends_with(' '))
            );
            assert_eq!(json(&question, &advice)["advice"], advice.choice.to_string());
            assert_eq!(document(&question, &advice, Language::English).sections.len(), 2);
        }
    }
}

/// Prints what is told of calls and what comes with `COINCHE_FORECASTS=5000:400` (deals and worlds) and `--nocapture`:
/// docs/strategy.md.
#[test]
fn what_is_told_of_calls_comes_true() {
    let given = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let long = std::env::var_os("COINCHE_LONG").is_some();
    let size = given("COINCHE_FORECASTS", if long { "400:200" } else { "40:20" });
    let (deals, worlds) = size.split_once(':').unwrap();
    let bots = given("COINCHE_FORECAST_BOTS", "rules");
    let by = std::env::var("COINCHE_FORECAST_BY").ok().map(|by| Registry::builtin().parse(&by).unwrap());
    for name in given("COINCHE_FORECAST_RULES", if long { "bga,contree,belote" } else { "bga" }).split(',') {
        let asked = Audit {
            rules: RuleSet::preset(name).unwrap(),
            seed: given("COINCHE_FORECAST_SEED", "77").parse().unwrap(),
            deals: deals.parse().unwrap(),
            worlds: worlds.parse().unwrap(),
            models: &models(&bots, &bots),
            by: by.as_ref(),
        };
        let rows = audit(&asked, &Solvers::new(None).unwrap());
        println!("{name}, {bots}\n{rows:#?}");
        assert!(rows.iter().all(|row| row.fifth > 0 || row.claims > 0), "{rows:?}");
        // Of few worlds the figures are rough, and the highest are too high.
        let checked = |row: &&Told| row.fifth == 0 || deals.len() > 2;
        assert!(!rows.iter().filter(checked).any(|told| told.p.is_some_and(|p| p < 0.0005)), "{rows:?}");
    }
}

#[test]
fn partners_who_bid_a_suit_are_taken_to_hold_it() {
    let solvers = Solvers::new(Some(1)).unwrap();
    let rules = RuleSet::BGA;
    let ask = |auction: &str| {
        let typed = Typed {
            hand: "7S 8S 9C KD AD QC 7H 8H".to_owned(),
            auction: auction.to_owned(),
            ..some_question(&rules, 0, 0)
        };
        let asked = Asked { dealer: Seat::S3, ..typed.asked() };
        let question = Question::read(&rules, &asked).unwrap();
        let seat = question.view().seat().partner();
        let advice = advise(&question, &adviser(&solvers, None, 4));
        (advice.holdings.trumps(seat, Suit::Spades), advice.holdings.trumps(seat, Suit::Clubs))
    };
    let ((spades, clubs), (after_pass, _)) = (ask("110S P"), ask("P P"));
    assert!(spades > clubs + 1.0 && spades > after_pass + 1.0, "{spades} {clubs} {after_pass}");
}

fn models(partner: &str, others: &str) -> Models {
    let [partner, others] = [partner, others].map(|bot| Registry::builtin().parse(bot).unwrap());
    Models::new(partner, others)
}

#[test]
fn answers_in_french_have_french_numbers() {
    let mut seen = 0;
    let solvers = Solvers::new(Some(1)).unwrap();
    for (seed, steps) in [(4, 3), (8, 14)] {
        let typed = some_question(&RuleSet::BGA, seed, steps);
        let question = Question::read(&RuleSet::BGA, &typed.asked()).unwrap();
        let advice = advise(&question, &adviser(&solvers, None, 12));
        let page = document(&question, &advice, Language::French);
        let html = page.to_html();
        let drawn: Vec<_> =
            html.split("\"number\">").skip(1).filter_map(|rest| rest.split('<').next()).collect();
        assert_eq!(drawn.is_empty(), advice.options.iter().all(|it| it.score.is_none()), "{advice:?}");
        seen += drawn.len();
        let terminal = brief(&question, &advice, Language::French).render(Detail::Full);
        for text in [terminal, page.to_markdown(), drawn.concat()] {
            let letters: Vec<char> = text.chars().collect();
            let has = |point: char| {
                letters
                    .windows(3)
                    .any(|it| it[1] == point && it[0].is_ascii_digit() && it[2].is_ascii_digit())
            };
            assert!(!has('.') && !text.contains("yes"), "{text}");
        }
    }
    assert!(seen > 0);
}

#[test]
fn a_partners_rules_are_quoted_in_french() {
    let (rules, solvers) = (RuleSet::preset("contree").unwrap(), Solvers::new(Some(1)).unwrap());
    let hand = "JS 9S AS TS AD KD 7C 8C".to_owned();
    let typed =
        Typed { hand, auction: "P 80H P".to_owned(), dealer: Seat::S3, ..some_question(&rules, 3, 0) };
    let question = Question::read(&rules, &typed.asked()).unwrap();
    let said = |language| {
        let models = models("system:name=jack-or-nine+rules", "rules");
        let adviser = Adviser { models: &models, ..adviser(&solvers, None, 4) };
        brief(&question, &advise(&question, &adviser), language).render(Detail::Full)
    };
    let english = said(Language::English);
    assert!(english.contains("\"one of the two\": jack or nine, and masters"), "{english}");
    let french = said(Language::French);
    assert!(french.contains("«\u{a0}one of the two\u{a0}»\u{a0}: le valet ou le neuf"), "{french}");
    assert!(!french.contains("masters"), "{french}");
}

#[test]
fn seats_follow_the_rotation() {
    for (name, left, right) in [("bga", 1, 3), ("coinchee", 3, 1)] {
        let rules = RuleSet::preset(name).unwrap();
        let typed = Typed { hand: "JS 9S AS TS AD KD 7C 8C".to_owned(), ..some_question(&rules, 3, 0) };
        let question = Question::read(&rules, &typed.asked()).unwrap();
        assert_eq!(question.view().seat(), Seat::S0);
        let seats = others(&question.view(), Language::English).map(|(seat, who)| (who, seat as u8));
        assert_eq!(seats, [("partner", 2), ("left", left), ("right", right)], "{name}");
    }
}

#[test]
fn who_the_others_are_changes_the_answer_and_is_said() {
    let (rules, solvers) = (RuleSet::BGA, Solvers::new(Some(2)).unwrap());
    let mut changed = 0;
    for (seed, steps) in [(4, 3), (8, 14), (9, 3)] {
        let typed = some_question(&rules, seed, steps);
        let question = Question::read(&rules, &typed.asked()).unwrap();
        let ask = |models: &Models| {
            let adviser = Adviser { models, ..adviser(&solvers, None, 6) };
            brief(&question, &advise(&question, &adviser), Language::English).render(Detail::Full)
        };
        let plain = ask(&models("rules", "rules"));
        assert!(plain.contains("all four players bid and play like rules."));
        let table = ask(&models("table+rules", "rules"));
        assert!(table.contains("like table+rules, the opponents like rules."), "{table}");
        changed += u32::from(plain.lines().skip(2).ne(table.lines().skip(2)));
        // Naming `rules` as a model is the same as the default.
        let named = Registry::builtin().parse("rules+rules").unwrap();
        let same = ask(&Models::new(named.clone(), named));
        assert!(plain.lines().skip(2).eq(same.lines().skip(2)));
    }
    // More than the sentence changed.
    assert!(changed >= 2, "{changed}");
}

#[test]
fn bots_that_search_are_no_models() {
    let registry = Registry::builtin();
    for (bot, model) in [
        ("rules", "rules"),
        ("table+rules", "table+rules"),
        ("rules:caution=5", "rules:caution=5"),
        ("table+pimc:worlds=3", "table+rules"),
        ("net+rules", "net+rules"),
        ("net+pimc:worlds=3", "net+rules"),
        ("champion", "champion+net"),
        ("champion:time=1s", "champion+net"),
        ("champion:time=1s,style=natural", "champion:style=natural+net"),
        ("champion+rules", "champion+rules"),
        ("champion:style=natural+rules", "champion:style=natural+rules"),
        ("mc+pimc", "rules"),
        ("rules:caution=5+pimc", "rules:caution=5"),
        ("dd+rules", "rules"),
        ("rules+open", "rules"),
    ] {
        assert_eq!(quick(&registry.parse(bot).unwrap(), &registry).unwrap().as_str(), model, "{bot}");
    }
}

#[test]
fn what_net_calls_is_told_with_what_it_gains() {
    let solvers = Solvers::new(Some(1)).unwrap();
    let typed = Typed { hand: "JS 9S AS TS AD KD 7C 8C".to_owned(), ..some_question(&RuleSet::BGA, 4, 0) };
    let question = Question::read(&RuleSet::BGA, &typed.asked()).unwrap();
    let by = Registry::builtin().parse("net+rules").unwrap();
    let advice = advise(&question, &adviser(&solvers, Some(&by), 2));
    let mut net = by.build().bidder;
    let (call, thought) = ask_bidder(&mut *net, &question.view(), Key::from_bits(0));
    let mean = |choice| thought.as_ref().unwrap().options.iter().find(|it| it.choice == choice).unwrap().mean;
    assert_eq!(advice.choice, call.into());
    for option in &advice.options {
        let gain = option.gain.map(|[gain, _]| gain);
        let pass = Choice::from(Call::Pass);
        assert_eq!(gain, (option.choice != pass).then(|| mean(option.choice) - mean(pass)), "{option:?}");
    }
    let text = brief(&question, &advice, Language::English).render(Detail::Full);
    assert!(
        text.contains("those that net+rules reports:") && text.contains("points per deal more than a pass.")
    );
    assert!(!text.contains('±'), "{text}");
}

#[test]
fn why_a_choice_is_not_the_best_in_most_deals_is_said() {
    let solvers = Solvers::new(Some(1)).unwrap();
    let question = Question::read(&RuleSet::BGA, &some_question(&RuleSet::BGA, 4, 0).asked()).unwrap();
    let advice = advise(&question, &adviser(&solvers, None, 2));
    let option = |call: &str, score: f64, best: f64| Weighed {
        choice: call.parse::<Call>().unwrap().into(),
        chance: None,
        is_final: None,
        score: Some([score, 5.0]),
        gain: None,
        best: Some(best),
        worlds: 10,
    };
    let why = |options: &[Weighed], figures_of_others| {
        let (choice, options) = (options[0].choice, options.to_vec());
        why_not_the_best_in_most(
            &Advice { choice, figures_of_others, options, ..advice.clone() },
            Language::English,
        )
    };
    let (best, other) = (option("90S", 120.0, 0.3), option("P", 90.0, 0.6));
    let text = why(&[best, other], false).unwrap();
    for part in [
        "P is best in more of the deals (60 % against 30 % for 90S)",
        "scores less on average (+90.0 against +120.0)",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert!(why(&[best, other], true).unwrap().contains("the bot's own"));
    assert!(why(&[other, best], false).is_none());
    assert!(why(&[best, option("P", 120.01, 0.6)], false).unwrap().contains("alike"));
}

#[test]
fn questions_are_read_in_french_too() {
    let typed = |hand: &str, auction: &str, tricks: &str| Typed {
        hand: hand.to_owned(),
        auction: auction.to_owned(),
        tricks: Some(tricks.to_owned()),
        ..some_question(&RuleSet::BGA, 3, 0)
    };
    let [english, french] = [
        typed("JS 9S AS TS AD KD 7C 8C", "100S P 110H P P 130S P P P", "QC JC TC"),
        typed(
            "valet de pique, 9♠ A♠ 10♠ as de carreau, RK 7T 8 trèfle",
            "100 pique, passe, 110 coeur, passe P 130 Pique je passe P passe",
            "DT V♣ dix de trèfle",
        ),
    ];
    let [english, french] = [english, french].map(|typed| {
        let asked = Asked { dealer: Seat::S0, ..typed.asked() };
        Question::read(&RuleSet::BGA, &asked).unwrap()
    });
    assert_eq!(format!("{:?}", english.view()), format!("{:?}", french.view()));
    assert_eq!(english.view().auction(), french.view().auction());
    assert!(english.view().trick().eq(french.view().trick()) && english.view().cards_in_trick() == 3);
}
