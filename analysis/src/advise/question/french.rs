//! What is wrong with a question, in French; in English it is what the error prints.

use coinche_engine::observation::ObservationError;
use coinche_engine::{CardSet, Contract, ParseHandError};

use super::error::CardPlace;
use super::{QuestionError, cards_text, contract_text};
use crate::picture::legal_calls;
use crate::texts::{call_error, error_in, meld_kind, play_error, texts, typed_error};
use crate::typed::{Language, ReadHandError};

const FRENCH: Language = Language::French;

impl QuestionError {
    /// Returns what is wrong, in a language.
    pub fn told(&self, language: Language) -> String {
        match language {
            Language::English => self.to_string(),
            Language::French => self.in_french(),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a text for each mistake")]
    fn in_french(&self) -> String {
        let card = |card| FRENCH.card(card);
        let cards = |cards: &CardSet| cards_text(FRENCH, *cards);
        let contract = |contract: &Contract| contract_text(FRENCH, contract);
        match self {
            Self::Card { place: at, error } => format!("{} : {}", place(*at), typed_error(FRENCH, error)),
            Self::Hand(error) => format!("la main : {}", hand(error)),
            Self::Twice { card: twice, first, second } => {
                format!("{} : {} est là deux fois, d’abord : {}", place(*second), card(*twice), place(*first))
            }
            Self::HandSize { found, expected: 5 } => format!(
                "cartes dans la main : {found} au lieu de 5 ; donnez les cinq reçues d’abord : la retourne va dans --turned"
            ),
            Self::HandSize { found, expected } => format!(
                "cartes dans la main : {found} au lieu de {expected} ; donnez toutes celles du début du jeu, déjà jouées ou non"
            ),
            Self::NoTurned => "une carte est retournée avec ces règles : donnez-la par --turned".to_owned(),
            Self::NotTurnUp => "--turned : aucune carte n’est retournée avec ces règles".to_owned(),
            Self::TurnedInHand(turned) => {
                format!(
                    "{} est la retourne, que personne n’a avant la prise : ôtez-la de la main",
                    card(*turned)
                )
            }
            Self::TurnedTaken { card: turned, taker, asker } => {
                let wrong = if taker == asker {
                    "elle manque dans la main".to_owned()
                } else {
                    format!("elle ne peut pas être dans la main, qui est celle de la place {asker}")
                };
                format!("la place {taker} a pris {}, la retourne : {wrong}", card(*turned))
            }
            Self::Call { at, error } => format!("--auction, annonce {at} : {}", typed_error(FRENCH, error)),
            Self::CallSeat { at, .. } => {
                format!("--auction, annonce {at} : une place est un nombre de 0 à 3")
            }
            Self::OutOfTurn { at, seat, call, turn } => format!(
                "--auction, annonce {at} : {} par la place {seat}, mais c’est à la place {turn} de parler",
                FRENCH.call(*call)
            ),
            Self::IllegalCall { at, seat, error, legal } => format!(
                "--auction, annonce {at}, place {seat} : {} ; permis : {}",
                call_error(FRENCH, *error),
                legal_calls(FRENCH, legal)
            ),
            Self::AfterTheEnd { at, call, how } => format!(
                "--auction, annonce {at} : {} après la fin des enchères ({}) : ôtez-la",
                FRENCH.call(*call),
                how.as_ref().map_or_else(|| texts(FRENCH).all_passed.to_owned(), contract)
            ),
            Self::ThrownIn => "tout le monde a passé : il n’y a rien à décider".to_owned(),
            Self::AuctionOver { contract: made, leader } => format!(
                "les enchères sont finies ({}) : pour l’entame, à la place {leader}, ajoutez --tricks ''",
                contract(made)
            ),
            Self::AuctionOpen(seat) => format!(
                "les enchères ne sont pas finies, c’est à la place {seat} de parler : donnez-les toutes à --auction avant --tricks"
            ),
            Self::Score(text) => {
                format!("--score {text} : il faut deux nombres de points, NOUS,EUX, comme `340,-20`")
            }
            Self::NotTheTurn { wanted, turn, plays } => format!(
                "--seat {wanted} : c’est à la place {turn} de {}",
                if *plays { "jouer" } else { "parler" }
            ),
            Self::NoOffer(seat) => {
                format!(
                    "--offered {seat} : ni coinche ni surcoinche n’est offerte à cette place en ce moment"
                )
            }
            Self::NoDeal => {
                "aucune donne ne convient à tout cela : vérifiez la main, --tricks et ce qui a été annoncé"
                    .to_owned()
            }
            Self::TrickSize { trick, cards } => format!(
                "--tricks, pli {trick}, nombre de cartes : {cards} ; un pli en a quatre, et `/` le termine"
            ),
            Self::AllPlayed(cards) => {
                format!("--tricks : les {cards} cartes sont jouées, il n’y a rien à décider")
            }
            Self::NotInHand { place: at, card: played, seat } => format!(
                "{} : la place {seat}, celle qui demande, joue {}, qui n’est pas dans la main (avec les huit cartes du début du jeu)",
                place(*at),
                card(*played)
            ),
            Self::Held { place: at, card: played, seat, asker } => format!(
                "{} : la place {seat} joue {}, qui est dans la main de la place {asker}, dont c’est le tour",
                place(*at),
                card(*played)
            ),
            Self::IllegalCard { place: at, seat, error, legal } => format!(
                "{}, place {seat} : {} ; permis : {}",
                place(*at),
                play_error(FRENCH, *error),
                cards(legal)
            ),
            Self::Excluded { place: at, card: played, seat, shown } => format!(
                "{} : la place {seat} joue {}, mais a montré au pli {shown} qu’elle ne l’a pas",
                place(*at),
                card(*played)
            ),
            Self::TurnedPlayed { place: at, card: played, seat, taker } => format!(
                "{} : la place {seat} joue {}, la retourne, que seule la place {taker}, le preneur, peut avoir",
                place(*at),
                card(*played)
            ),
            Self::OwnMelds { seat, hand, expected } => format!(
                "--melds : la place {seat} demande, et {} n’a pas ces annonces ; il faut {}",
                cards(hand),
                expected.replace(", or ", " ou ").replace("none", "none, aucune")
            ),
            Self::NoMeld(shown) => format!(
                "--shown : {} n’est pas une annonce ; il faut au moins trois cartes qui se suivent dans une couleur, ou quatre d’une \
                 hauteur",
                cards(shown)
            ),
            Self::ShownElsewhere { seat, kind, cards: shown, own } => format!(
                "--shown : {} {} de la place {seat} : {}",
                meld_kind(FRENCH, *kind),
                cards(shown),
                if *own {
                    "ces cartes ne sont pas dans sa main"
                } else {
                    "des cartes sont dans la main, ou jouées par une autre place"
                }
            ),
            Self::NoBelote { seat, suit } => format!(
                "--belote : la place {seat} n’a joué ni roi ni dame de {}, ou ne peut pas avoir les deux",
                FRENCH.suit(*suit)
            ),
            Self::Observation(ObservationError::Call(error)) => call_error(FRENCH, *error),
            other => error_in(FRENCH, &other.to_string()),
        }
    }
}

fn place(place: CardPlace) -> String {
    match place {
        CardPlace::Hand(card) => format!("la main, carte {card}"),
        CardPlace::Trick(trick, card) => format!("--tricks, pli {trick}, carte {card}"),
        CardPlace::Turned => "--turned".to_owned(),
        CardPlace::Shown(word) => format!("--shown, mot {word}"),
    }
}

fn hand(error: &ReadHandError) -> String {
    match error {
        ReadHandError::AmbiguousSuit => {
            "la couleur C peut être trèfle (T:, ♣:) ou cœur (H:, ♥:) : tapez l’un des deux".to_owned()
        }
        ReadHandError::Hand(ParseHandError::Duplicate(card)) => {
            format!("{} est là deux fois", FRENCH.card(*card))
        }
        ReadHandError::Hand(ParseHandError::DuplicateSuit(suit)) => {
            format!("la couleur {} est là deux fois", FRENCH.suit(*suit))
        }
        ReadHandError::Hand(ParseHandError::ShortForm(text)) => {
            format!("`{text}` n’est pas une couleur et ses cartes, comme dans `P:RD87 C:- K:A T:V97`")
        }
        ReadHandError::Hand(other) => error_in(FRENCH, &other.to_string()),
    }
}
