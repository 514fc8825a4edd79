//! Expressions as they are written.

use core::fmt;

use coinche_engine::Rank;

/// An expression with the byte of its text at which it begins, which does not count when two are compared.
#[derive(Debug, Clone, Eq)]
pub struct Node {
    /// What it says.
    pub expr: Expr,
    /// Where it begins.
    pub at: usize,
    /// How many levels it has, itself included.
    depth: usize,
}

impl Node {
    /// Makes an expression that begins at a byte.
    pub fn new(expr: Expr, at: usize) -> Self {
        let deepest = |nodes: &[&Self]| nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let below = match &expr {
            Expr::Number(_) | Expr::Truth(_) | Expr::Cards(_) | Expr::Name(_) => 0,
            Expr::Not(inner) | Expr::Minus(inner) => inner.depth,
            Expr::Binary(_, left, right) => deepest(&[left, right]),
            Expr::In(parts) => deepest(&parts.each_ref()),
            Expr::Call(_, arguments) => deepest(&arguments.iter().collect::<Vec<_>>()),
            Expr::Weigh(_, weights) => weights.iter().map(|(_, weight)| weight.depth).max().unwrap_or(0),
        };
        Self { expr, at, depth: below + 1 }
    }

    /// Returns how many levels it has, itself included: a chain `a + b + c` has one for each sign.
    pub const fn depth(&self) -> usize {
        self.depth
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.expr == other.expr
    }
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A number.
    Number(i32),
    /// `true` or `false`.
    Truth(bool),
    /// All of these cards of the trump suit are held: a bit for each rank, by [`Rank::index`]; at least one.
    Cards(u8),
    /// A word of the language, a definition, or a number of the file.
    Name(String),
    /// `not a`.
    Not(Box<Node>),
    /// `-a`.
    Minus(Box<Node>),
    /// Two with a sign between.
    Binary(Sign, Box<Node>, Box<Node>),
    /// `a in b..c`.
    In(Box<[Node; 3]>),
    /// A function of its arguments.
    Call(Function, Vec<Node>),
    /// A weight for each card of these ranks: in the trump suit (`true`), or beside it.
    Weigh(bool, Vec<(Rank, Node)>),
}

/// What stands between two expressions, in the order of how closely it binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Sign {
    Or,
    And,
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
    Plus,
    Minus,
    Times,
    Over,
}

impl Sign {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Or,
        Self::And,
        Self::Less,
        Self::AtMost,
        Self::More,
        Self::AtLeast,
        Self::Equal,
        Self::Unequal,
        Self::Plus,
        Self::Minus,
        Self::Times,
        Self::Over,
    ];

    /// Returns how it is written.
    pub const fn text(self) -> &'static str {
        ["or", "and", "<", "<=", ">", ">=", "=", "!=", "+", "-", "*", "/"][self as usize]
    }

    /// How closely it binds.
    const fn level(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Plus | Self::Minus => 5,
            Self::Times | Self::Over => 6,
            _ => 4,
        }
    }

    /// Tests if it compares two numbers.
    pub(super) const fn compares(self) -> bool {
        self.level() == 4
    }
}

/// A function of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "`Function::about` says it")]
pub enum Function {
    Any,
    Every,
    Count,
    Most,
    Others,
    MostOther,
    Partner,
    Mine,
    Theirs,
    Contract,
    Turned,
    Min,
    Max,
    If,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Any,
        Self::Every,
        Self::Count,
        Self::Most,
        Self::Others,
        Self::MostOther,
        Self::Partner,
        Self::Mine,
        Self::Theirs,
        Self::Contract,
        Self::Turned,
        Self::Min,
        Self::Max,
        Self::If,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        [
            "any",
            "every",
            "count",
            "most",
            "others",
            "most_other",
            "partner",
            "mine",
            "theirs",
            "contract",
            "turned",
            "min",
            "max",
            "if",
        ][self as usize]
    }

    /// Returns how many arguments it takes.
    pub const fn arguments(self) -> usize {
        match self {
            Self::Min | Self::Max => 2,
            Self::If => 3,
            _ => 1,
        }
    }

    /// Returns what it is, for people.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Any => "it holds in one of the four suits",
            Self::Every => "it holds in all four suits",
            Self::Count => "in how many suits it holds",
            Self::Most => "the most that it is in any suit",
            Self::Others => "in how many suits other than the one in question it holds",
            Self::MostOther => "the most that it is in another suit",
            Self::Partner => "in the strain that the partner bid last; 0 without one",
            Self::Mine => "in the strain that I bid last; 0 without one",
            Self::Theirs => "in the strain that the opponents bid last; 0 without one",
            Self::Contract => "in the strain of the last bid; 0 without one",
            Self::Turned => "in the suit turned up; 0 without one",
            Self::Min => "the smaller of two numbers",
            Self::Max => "the larger of two numbers",
            Self::If => "the second where the first holds, else the third",
        }
    }
}

/// Returns the sign of a rank in `trump(…)` and `side(…)`.
pub(super) const fn rank_sign(rank: Rank) -> &'static str {
    match rank {
        Rank::Seven => "7",
        Rank::Eight => "8",
        Rank::Nine => "9",
        Rank::Jack => "J",
        Rank::Queen => "Q",
        Rank::King => "K",
        Rank::Ten => "T",
        Rank::Ace => "A",
    }
}

impl Expr {
    /// How closely what is outermost binds.
    const fn level(&self) -> u8 {
        match self {
            Self::Binary(sign, ..) => sign.level(),
            Self::Not(_) => 3,
            Self::In(_) => 4,
            Self::Minus(_) => 7,
            _ => 8,
        }
    }

    fn show(&self, f: &mut fmt::Formatter<'_>, least: u8) -> fmt::Result {
        if self.level() < least {
            f.write_str("(")?;
            self.show(f, 0)?;
            return f.write_str(")");
        }
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Cards(ranks) => f.write_str(&cards_text(*ranks)),
            Self::Name(name) => f.write_str(name),
            Self::Not(inner) => {
                f.write_str("not ")?;
                inner.expr.show(f, 3)
            }
            Self::Minus(inner) => {
                f.write_str("-")?;
                inner.expr.show(f, 7)
            }
            Self::Binary(sign, left, right) => {
                // Comparisons do not chain; the others go from left to right.
                let level = sign.level();
                left.expr.show(f, if sign.compares() { level + 1 } else { level })?;
                write!(f, " {} ", sign.text())?;
                right.expr.show(f, level + 1)
            }
            Self::In(parts) => {
                let [what, low, high] = &**parts;
                what.expr.show(f, 5)?;
                f.write_str(" in ")?;
                low.expr.show(f, 5)?;
                f.write_str("..")?;
                high.expr.show(f, 5)
            }
            Self::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                for (n, argument) in arguments.iter().enumerate() {
                    f.write_str(if n == 0 { "" } else { ", " })?;
                    argument.expr.show(f, 0)?;
                }
                f.write_str(")")
            }
            Self::Weigh(trump, weights) => {
                f.write_str(if *trump { "trump(" } else { "side(" })?;
                for (n, (rank, weight)) in weights.iter().enumerate() {
                    write!(f, "{}{}=", if n == 0 { "" } else { ", " }, rank_sign(*rank))?;
                    weight.expr.show(f, 5)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The order in which cards of the trump suit are named: from the jack down.
pub(super) const TRUMP_ORDER: [Rank; 8] =
    [Rank::Jack, Rank::Nine, Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Eight, Rank::Seven];

/// Returns the word for cards of the trump suit: `J9A`, and `nine`, `eight`, `seven` for what begins with a digit.
fn cards_text(ranks: u8) -> String {
    let held = || TRUMP_ORDER.into_iter().filter(|rank| ranks >> rank.index() & 1 == 1);
    let word = |rank| match rank {
        Rank::Nine => "nine",
        Rank::Eight => "eight",
        Rank::Seven => "seven",
        other => rank_sign(other),
    };
    // A word begins with a letter.
    let mut cards: Vec<Rank> = held().collect();
    let letter = |rank: &Rank| !matches!(rank, Rank::Nine | Rank::Eight | Rank::Seven);
    let first = cards.iter().position(letter);
    match (&cards[..], first) {
        ([one], _) => word(*one).to_owned(),
        (_, Some(first)) => {
            cards[..=first].rotate_right(1);
            cards.into_iter().map(rank_sign).collect()
        }
        (_, None) => format!("held({})", cards.into_iter().map(rank_sign).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for Node {
    /// Writes it with as few parentheses as read back the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.show(f, 0)
    }
}
