//! The words of the language: what each is called, what it is, and where it has a meaning.

/// What a word is: a condition or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// It holds or not.
    Condition,
    /// A number.
    Number,
}

/// What a word is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The trump suit in question.
    Trump,
    /// The hand in the strain in question: what is beside the trump suit; without a strain the whole hand.
    Hand,
    /// What was said about the strain in question.
    Strain,
    /// The auction and the match.
    Auction,
    /// The rules.
    Rules,
}

impl About {
    /// All of them, in the order in which people read them.
    pub const ALL: [Self; 5] = [Self::Trump, Self::Hand, Self::Strain, Self::Auction, Self::Rules];

    /// Returns the heading for people.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Trump => "the trump suit in question",
            Self::Hand => "the hand: beside the trump suit, or all of it in SA and TA",
            Self::Strain => "the strain in question",
            Self::Auction => "auction and match",
            Self::Rules => "the rules",
        }
    }
}

macro_rules! words {
    ($($word:ident $name:literal $kind:ident $about:ident $doc:literal)*) => {
        /// A word of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "`Word::doc` says what each is")]
        pub enum Word { $($word),* }

        impl Word {
            /// All words.
            pub const ALL: &'static [Self] = &[$(Self::$word),*];

            /// Returns how it is written.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$word => $name),* }
            }

            /// Tells whether it is a condition or a number.
            pub const fn kind(self) -> WordKind {
                match self { $(Self::$word => WordKind::$kind),* }
            }

            /// Tells what it is about.
            pub const fn about(self) -> About {
                match self { $(Self::$word => About::$about),* }
            }

            /// Returns what it is, for people.
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$word => $doc),* }
            }
        }
    };
}

words! {
    Trumps "trumps" Number Trump "cards of the suit"
    Length "length" Number Trump "the same, for a suit looked at with others(…) or any(…)"
    Belote "belote" Condition Trump "king and queen of the suit"
    TrumpPoints "trump_points" Number Trump "card points of the suit as trump"
    Aces "aces" Number Hand "aces"
    Tens "tens" Number Hand "tens"
    GuardedTens "guarded_tens" Number Hand "tens with another card of their suit"
    Kings "kings" Number Hand "kings"
    Queens "queens" Number Hand "queens"
    Jacks "jacks" Number Hand "jacks"
    Nines "nines" Number Hand "nines"
    Voids "voids" Number Hand "suits without a card"
    Singletons "singletons" Number Hand "suits with one card"
    Doubletons "doubletons" Number Hand "suits with two cards"
    Longest "longest" Number Hand "cards of the longest suit"
    SideMasters "side_masters" Number Hand "cards beside the suit that no card of another hand beats in theirs"
    Masters "masters" Number Hand "cards that no card of another hand beats in their suit, trumps too"
    Losers "losers" Number Hand "cards of the whole hand that are no masters"
    Points "points" Number Hand "card points of the whole hand in the strain"
    Melds "melds" Number Hand "points of the hand's melds; 0 where the rules have none"
    Cards "cards" Number Hand "cards of the hand: 8, or 6 with the card turned up"
    IsSuit "is_suit" Condition Strain "it is a suit"
    IsSa "is_sa" Condition Strain "it is no trump (SA)"
    IsTa "is_ta" Condition Strain "it is all trump (TA)"
    IsTurned "is_turned" Condition Strain "it is the suit turned up"
    OfPartner "of_partner" Condition Strain "the partner has bid it"
    OfMine "of_mine" Condition Strain "I have bid it"
    OfTheirs "of_theirs" Condition Strain "an opponent has bid it"
    IsNew "is_new" Condition Strain "nobody has bid it"
    Opening "opening" Condition Auction "nobody has bid"
    Position "position" Number Auction "place in the order of speaking: 1 after the dealer, to 4"
    Round "round" Number Auction "which of my turns this is, from 1"
    Bids "bids" Number Auction "bids so far"
    MyBids "my_bids" Number Auction "bids of mine"
    PartnerBids "partner_bids" Number Auction "bids of the partner"
    TheirBids "their_bids" Number Auction "bids of the opponents"
    IOpened "i_opened" Condition Auction "I made the first bid"
    PartnerOpened "partner_opened" Condition Auction "the partner made the first bid"
    TheyOpened "they_opened" Condition Auction "an opponent made the first bid"
    IPassed "i_passed" Condition Auction "I have spoken and not bid"
    PartnerPassed "partner_passed" Condition Auction "the partner has spoken and not bid"
    TheirPasses "their_passes" Number Auction "opponents who have spoken and not bid"
    PartnerWaited "partner_waited" Condition Auction "the partner has made the signal pass (wait)"
    Level "level" Number Auction "points of the last bid; 0 before one"
    MyLevel "my_level" Number Auction "points of my last bid; 0 without one"
    PartnerLevel "partner_level" Number Auction "points of the partner's last bid; 0 without one"
    PartnerFirst "partner_first" Number Auction "points of the partner's first bid; 0 without one"
    PartnerJump "partner_jump" Number Auction "levels that the partner's last bid skipped"
    TheirLevel "their_level" Number Auction "points of the opponents' last bid; 0 without one"
    Next "next" Number Auction "points of the lowest bid that is legal now; 0 when none is"
    OurBid "our_bid" Condition Auction "the last bid is of our side"
    TheirBid "their_bid" Condition Auction "the last bid is of the opponents"
    PartnersBid "partners_bid" Condition Auction "the last bid is the partner's"
    PartnerRaised "partner_raised" Condition Auction "the partner has bid what I had bid before"
    PartnerChanged "partner_changed" Condition Auction "the partner's last bid is another strain than mine before it"
    IRaised "i_raised" Condition Auction "I have bid what the partner had bid before"
    Coinched "coinched" Condition Auction "the last bid is coinched"
    Surcoinched "surcoinched" Condition Auction "the last bid is surcoinched"
    Offered "offered" Condition Auction "a coinche or surcoinche at any time is offered to me"
    SecondRound "second_round" Condition Auction "the second round of the turn-up game"
    TurnedJack "turned_jack" Condition Auction "the card turned up is a jack"
    TurnedNine "turned_nine" Condition Auction "the card turned up is a nine"
    TurnedAce "turned_ace" Condition Auction "the card turned up is an ace"
    OurScore "our_score" Number Auction "our score of the match; 0 outside of a match"
    TheirScore "their_score" Number Auction "theirs"
    Target "target" Number Rules "the points that end a match"
    Lowest "lowest" Number Rules "points of the lowest bid"
    Highest "highest" Number Rules "points of the highest bid that is a number"
    TurnUp "turn_up" Condition Rules "it is the turn-up game"
    HasSa "has_sa" Condition Rules "no trump (SA) can be bid"
    HasTa "has_ta" Condition Rules "all trump (TA) can be bid"
    HasCapot "has_capot" Condition Rules "capot can be bid"
    HasGenerale "has_generale" Condition Rules "générale can be bid"
    HasWait "has_wait" Condition Rules "there is a signal pass (wait)"
    HasCoinche "has_coinche" Condition Rules "bids can be coinched"
    HasMelds "has_melds" Condition Rules "melds count for the contract"
}

impl Word {
    /// Finds a word by its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.name() == name)
    }
}

/// The number of words.
pub(super) const WORDS: usize = Word::ALL.len();
