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
        let below = expr.parts().into_iter().map(|node| node.depth).max();
        Self { expr, at, depth: below.unwrap_or(0) + 1 }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    pub const fn compares(self) -> bool {
        self.level() == 4
    }
}

macro_rules! functions {
    ($($function:ident $name:literal $arguments:literal $about:literal)*) => {
        /// A function of expressions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "`Function::about` says it")]
        pub enum Function { $($function),* }

        impl Function {
            /// All of them.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$function),*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$function => $name),* }
            }

            /// Returns how many arguments it takes.
            pub const fn arguments(self) -> usize {
                match self { $(Self::$function => $arguments),* }
            }

            /// Returns what it is, for people.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$function => $about),* }
            }
        }
    };
}

functions! {
    Any "any" 1 "it holds in one of the four suits"
    Every "every" 1 "it holds in all four suits"
    Count "count" 1 "in how many suits it holds"
    Most "most" 1 "the most that it is in any suit"
    Others "others" 1 "in how many suits other than the one in question it holds"
    MostOther "most_other" 1 "the most that it is in another suit"
    Partner "partner" 1 "in the strain that the partner bid last; 0 without one"
    Mine "mine" 1 "in the strain that I bid last; 0 without one"
    Theirs "theirs" 1 "in the strain that the opponents bid last; 0 without one"
    Contract "contract" 1 "in the strain of the last bid; 0 without one"
    Turned "turned" 1 "in the suit turned up; 0 without one"
    Min "min" 2 "the smaller of two numbers"
    Max "max" 2 "the larger of two numbers"
    If "if" 3 "the second where the first holds, else the third"
}

/// The word of each rank.
pub(super) const RANK_WORDS: [&str; 8] = ["seven", "eight", "nine", "jack", "queen", "king", "ten", "ace"];

impl Expr {
    /// Returns the expressions of which it is made, from left to right.
    pub fn parts(&self) -> Vec<&Node> {
        match self {
            Self::Number(_) | Self::Truth(_) | Self::Cards(_) | Self::Name(_) => Vec::new(),
            Self::Not(inner) | Self::Minus(inner) => vec![inner],
            Self::Binary(_, left, right) => vec![left, right],
            Self::In(parts) => parts.iter().collect(),
            Self::Call(_, arguments) => arguments.iter().collect(),
            Self::Weigh(_, weights) => weights.iter().map(|(_, weight)| weight).collect(),
        }
    }

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
                    write!(f, "{}{}=", if n == 0 { "" } else { ", " }, rank.letter())?;
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
    let mut cards: Vec<Rank> =
        TRUMP_ORDER.into_iter().filter(|rank| ranks >> rank.index() & 1 == 1).collect();
    // A word begins with a letter.
    match (cards.iter().position(|rank| rank.letter().is_alphabetic()), &cards[..]) {
        (Some(first), _) => {
            cards[..=first].rotate_right(1);
            cards.into_iter().map(Rank::letter).collect()
        }
        (None, [one]) => RANK_WORDS[one.index()].to_owned(),
        (None, _) => format!("held({})", cards.iter().map(Rank::to_string).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for Node {
    /// Writes it with as few parentheses as read back the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.show(f, 0)
    }
}
