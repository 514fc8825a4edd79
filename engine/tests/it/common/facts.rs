//! Everything that a view tells, as text.

use std::fmt::Write as _;

use coinche_engine::{Seat, Suit, Team, View};

/// All facts of a view: two views are the same if and only if their facts are.
pub(crate) fn facts(view: &View<'_>) -> String {
    let mut text = format!(
        "seat {} dealer {} turned {:?} hand [{}] first [{}] match {:?} held {} left {}\n",
        view.seat(),
        view.dealer(),
        view.turned(),
        view.hand(),
        view.first_hand(),
        view.match_score(),
        view.held(),
        view.deals_left(),
    );
    let (state, calls) = (view.auction().state(), view.auction().calls());
    writeln!(text, "auction {calls:?} {state:?} legal {:?}", state.legal_calls()).unwrap();
    writeln!(text, "contract {:?} strain {:?}", view.contract(), view.strain()).unwrap();
    writeln!(text, "tricks {:?}", view.tricks()).unwrap();
    let trick: Vec<_> = view.trick().collect();
    writeln!(text, "trick {trick:?} {} winning {:?}", view.cards_in_trick(), view.winning()).unwrap();
    let taken = Team::ALL.map(|team| view.taken(team));
    writeln!(text, "played [{}] taken {taken:?} points {:?}", view.played(), view.points_taken()).unwrap();
    writeln!(text, "unseen [{}]", view.unseen()).unwrap();
    for seat in Seat::ALL {
        let kinds: Vec<_> = view.announced_kinds(seat).collect();
        let voids = Suit::ALL.map(|suit| view.is_void(seat, suit));
        let (known, could_hold) = (view.known(seat), view.could_hold(seat));
        write!(text, "of {seat}: tricks {} kinds {kinds:?} void {voids:?} ", view.tricks_by(seat)).unwrap();
        writeln!(text, "known [{known}] could hold [{could_hold}]").unwrap();
    }
    let belotes = Suit::ALL.map(|suit| view.belote(suit));
    writeln!(text, "belotes {belotes:?} scored {:?}", view.scored_melds()).unwrap();
    for past in view.past() {
        writeln!(text, "past: {} [{}] {:?}", past.dealer(), past.hand(), past.tricks()).unwrap();
    }
    writeln!(text, "debug {view:?} {:?}", view.rules()).unwrap();
    text
}
