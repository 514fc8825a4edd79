//! Values cards with a card player.

use coinche_bots::search::same_card;
use coinche_bots::{BotSpec, CardPlayer, Choice, Params, PimcPlayer};
use coinche_engine::{Card, CardSet, View};

use super::holdings::Holdings;
use super::{Advice, Adviser, Budget, Weighed, ask, weighed};

/// Returns the default player, within the budget: it evaluates all cards in all worlds.
fn strongest(view: &View<'_>, adviser: &Adviser<'_>) -> Box<dyn CardPlayer> {
    let limit = match adviser.budget {
        Budget::Worlds(worlds) => format!("worlds={}", worlds.clamp(1, 1_000_000)),
        Budget::Time(time) => format!("time={}us", time.as_micros().clamp(1000, 3_600_000_000)),
    };
    let params = Params::parse("pimc", PimcPlayer::PARAMS, &format!("prune=no,prior=0,playout=0,{limit}"));
    let maker = params.and_then(|params| PimcPlayer::maker(&params)).expect("these are its parameters");
    Box::new(maker().reading(adviser.models.read_by(view)))
}

/// Recommends a card.
pub(super) fn advise(view: &View<'_>, legal: CardSet, adviser: &Adviser<'_>, holdings: Holdings) -> Advice {
    let ask =
        |mut player: Box<dyn CardPlayer>| ask(&mut *player, |player| player.play(view, legal, adviser.key));
    let player = match adviser.by {
        None => Some(strongest(view, adviser)),
        Some(spec) => spec.build().player.into_fair(),
    };
    let said = player.map(ask);
    let (choice, thought) = said.unwrap_or_else(|| (legal.first().expect("a card is legal"), None));
    let figures_of_others = adviser.by.is_some() && thought.is_none();
    let thought = if figures_of_others { ask(strongest(view, adviser)).1 } else { thought };
    let found = thought.map_or_else(Vec::new, |thought| weighed(&thought));
    let options = legal.into_iter().map(|card| of_card(view, card, &found)).collect();
    Advice {
        choice: choice.into(),
        by: adviser.by.map_or_else(|| "deals that fit, solved (pimc)".to_owned(), BotSpec::to_string),
        figures_of_others,
        options,
        holdings,
        agreed: Vec::new(),
        assumed: None,
        basis: adviser.models.basis(),
        strains: view.strain().into_iter().collect(),
    }
}

/// Returns the values of a card: those of an equivalent card if only that one was evaluated.
fn of_card(view: &View<'_>, card: Card, found: &[Weighed]) -> Weighed {
    let does_the_same =
        |it: &&Weighed| matches!(it.choice, Choice::Card(other) if same_card(view, card, other));
    let known =
        found.iter().find(|it| it.choice == Choice::Card(card)).or_else(|| found.iter().find(does_the_same));
    let nothing = Weighed {
        choice: card.into(),
        chance: None,
        is_final: None,
        score: None,
        gain: None,
        best: None,
        worlds: 0,
    };
    known.map_or(nothing, |known| Weighed { choice: card.into(), ..*known })
}
