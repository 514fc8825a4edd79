//! Worlds and the searching card players, one thread: what a draw costs, and what a decision with a fixed budget.
//!
//! The decisions are those of the fixed deals played by `rules`: the first lead, and the first card from trick 4 on.

use coinche_bots::net::reading::{Population, Reader};
use coinche_bots::worlds::{CallReader, Component, Draws, OpponentModel, Weigher, Worlds};
use coinche_bots::{Bot, Registry, RulesBidder};
use coinche_engine::{Deal, DealState, Deck, Key, RuleSet, Seat, Turn};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_xoshiro::Xoshiro256PlusPlus;

const DEALS: u64 = 40;

fn bot(spec: &str) -> Bot {
    Registry::builtin().parse(spec).expect("a bot of the registry").build()
}

/// The states of the benchmark deals at the first decision with so many tricks played and several legal cards.
fn decisions(tricks: usize) -> Vec<(DealState, Seat)> {
    let (rules, mut club, key) = (RuleSet::BGA, bot("rules"), Key::from_bits(0));
    let mut decisions = Vec::new();
    for index in 0..DEALS {
        let deck = Deck::shuffled(coinche_benches::SEED, index);
        let mut state = DealState::new(&rules, &Deal::new(&rules.deal, deck, Seat::S3));
        while let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
            if let Turn::Play(_) = state.turn()
                && state.tricks().len() == tricks
                && state.legal_plays().len() > 1
            {
                decisions.push((state, seat));
                break;
            }
            coinche_benches::act(&mut state, &mut club, key);
        }
    }
    decisions
}

/// Draws and weighs 50 worlds of each.
fn weigh(all: &[Worlds<'_>], model: &mut OpponentModel, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let sums = all.iter().map(|worlds| {
        let mut weigher = Weigher::new(worlds, model);
        let mut weight = |_| {
            let hands = worlds.hands(rng);
            weigher.weight(worlds, &hands, 0.0, rng)
        };
        (0..50).map(&mut weight).sum::<f64>()
    });
    sums.fold(0.0, f64::max)
}

fn worlds(c: &mut Criterion) {
    for tricks in [0, 3, 5] {
        let decisions = decisions(tricks);
        let mut group = c.benchmark_group(format!("worlds after {tricks} tricks"));
        group.throughput(Throughput::Elements(decisions.len() as u64)).sample_size(20);
        let mut rng = Key::from_bits(1).rng();
        let all: Vec<_> = decisions.iter().map(|(state, seat)| Worlds::of(&state.view(*seat))).collect();
        group.bench_function("know", |b| {
            b.iter(|| decisions.iter().map(|(state, seat)| Worlds::of(&state.view(*seat)).total()).max());
        });
        group.bench_function("draw hands", |b| {
            b.iter(|| all.iter().map(|worlds| worlds.hands(&mut rng)[Seat::S0].bits()).max());
        });
        let club = bot("rules");
        let mut model = OpponentModel::new(club.bidder, club.player.into_fair());
        group.bench_function("draw and weigh 50 worlds, each told from the start", |b| {
            b.iter(|| {
                let decisions = decisions.iter().zip(&all);
                let sums = decisions.map(|((state, seat), worlds)| {
                    let weight = |_| model.weight(&state.view(*seat), &worlds.deal(&mut rng));
                    (0..50).map(weight).sum::<f64>()
                });
                sums.fold(0.0, f64::max)
            });
        });
        group.bench_function("draw and weigh 50 worlds on a scale", |b| {
            b.iter(|| weigh(&all, &mut model, &mut rng));
        });
        let reader = CallReader::Population(Reader::new(Population::built_in()));
        let mut population =
            OpponentModel::of(vec![Component { weight: 1.0, reader }], bot("rules").player.into_fair());
        group.bench_function("draw and weigh 50 worlds on a scale, by a population", |b| {
            b.iter(|| weigh(&all, &mut population, &mut rng));
        });
        let mut unknown = OpponentModel::of(
            Component::unknown_bidder(Box::new(RulesBidder::default()), Population::built_in()),
            bot("rules").player.into_fair(),
        );
        group.bench_function("draw 20 worlds by weight, seat by seat", |b| {
            b.iter(|| {
                let drawn = all.iter().map(|worlds| {
                    let mut draws = Draws::new(worlds, &mut unknown, 200);
                    (0..20).map(|_| draws.next(worlds, &mut rng).1).sum::<f64>()
                });
                drawn.fold(0.0, f64::max)
            });
        });
        if tricks == 5 {
            group.bench_function("list all up to 400", |b| {
                b.iter(|| all.iter().filter_map(|worlds| worlds.all(400)).map(|all| all.len()).max());
            });
        }
        group.finish();
    }
}

fn players(c: &mut Criterion) {
    let specs = [
        "rules",
        "net",
        "pimc:worlds=20,read=none",
        "pimc:worlds=20",
        "pimc:worlds=20,model=population",
        "alphamu:worlds=20",
        "mc:worlds=20",
        "mc:worlds=20,tricks=1",
        "ismcts:iterations=200,policy=random,worlds=20",
    ];
    for tricks in [0, 3] {
        let decisions = decisions(tricks);
        let mut group = c.benchmark_group(format!("a decision after {tricks} tricks"));
        group.throughput(Throughput::Elements(decisions.len() as u64)).sample_size(10);
        for spec in specs {
            let mut bot = bot(&format!("rules+{spec}"));
            group.bench_function(spec, |b| {
                b.iter(|| {
                    let cards = decisions.iter().map(|(state, seat)| {
                        bot.start();
                        bot.player.play(state, *seat, state.legal_plays(), Key::from_bits(2))
                    });
                    cards.filter(|card| card.rank().index() == 0).count()
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, worlds, players);
criterion_main!(benches);
