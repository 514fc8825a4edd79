//! Reads expressions: recursive descent, to a depth that is bounded.

use coinche_engine::Rank;

use super::error::Fault;
use super::syntax::{Expr, Function, Node, RANK_WORDS, Sign};
use super::token::{Token, tokens};
use super::{MOST_DEPTH, MOST_NODES};

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 8] = ["and", "or", "not", "in", "true", "false", "trump", "side"];

/// Reads a whole text as an expression.
pub(super) fn parse(text: &str) -> Parsed {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, next: 0, depth: 0, nodes: 0 };
    let node = parser.or()?;
    match parser.peek() {
        Token::End => Ok(node),
        _ => Err(parser.expected("an operator such as `and`, `>=` or `+`, or the end")),
    }
}

fn by_letter(letter: char) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| rank.letter() == letter)
}

/// A card of the trump suit by its word.
fn single(word: &str) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| RANK_WORDS[rank.index()] == word)
}

/// Reads cards of the trump suit: `J`, `J9A`, `nine`; `None` for another word.
pub(super) fn cards(word: &str) -> Option<u8> {
    if let Some(rank) = single(word) {
        return Some(1 << rank.index());
    }
    let mut ranks = 0;
    for letter in word.chars() {
        let rank = by_letter(letter)?;
        // Twice the same card is no set of cards.
        if ranks >> rank.index() & 1 == 1 {
            return None;
        }
        ranks |= 1 << rank.index();
    }
    (ranks != 0).then_some(ranks)
}

struct Parser<'a> {
    tokens: &'a [(usize, Token<'a>)],
    next: usize,
    depth: usize,
    nodes: usize,
}

type Parsed<T = Node> = Result<T, (usize, Fault)>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].1
    }

    fn at(&self) -> usize {
        self.tokens[self.next].0
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    /// Takes this sign or word if it is next.
    fn takes(&mut self, text: &str) -> bool {
        let is = match self.peek() {
            Token::Sign(sign) => sign == text,
            Token::Word(word) => word == text,
            _ => false,
        };
        self.next += usize::from(is);
        is
    }

    fn expected(&self, expected: &'static str) -> (usize, Fault) {
        (self.at(), Fault::Expected { expected, found: self.peek().shown() })
    }

    fn needs(&mut self, sign: &'static str, expected: &'static str) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.expected(expected)) }
    }

    fn node(&mut self, at: usize, expr: Expr) -> Parsed {
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err((at, Fault::TooMany { what: "parts of an expression", most: MOST_NODES }));
        }
        let node = Node::new(expr, at);
        // What is read is printed, compiled and asked level by level.
        if node.depth() > MOST_DEPTH { Err((at, Fault::TooDeep(MOST_DEPTH))) } else { Ok(node) }
    }

    /// Goes one deeper, and comes back.
    fn deeper(&mut self, read: fn(&mut Self) -> Parsed) -> Parsed {
        self.depth += 1;
        // Parentheses that are not needed are no levels of the expression; there may be a few.
        if self.depth > MOST_DEPTH + 20 {
            return Err((self.at(), Fault::TooDeep(MOST_DEPTH)));
        }
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// Reads operands with signs between that go from left to right.
    fn chain(&mut self, operand: fn(&mut Self) -> Parsed, signs: &[(&str, Sign)]) -> Parsed {
        let at = self.at();
        let mut left = operand(self)?;
        while let Some((_, sign)) = signs.iter().find(|(text, _)| self.takes(text)) {
            let right = operand(self)?;
            left = self.node(at, Expr::Binary(*sign, Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn or(&mut self) -> Parsed {
        self.deeper(|it| it.chain(Self::and, &[("or", Sign::Or), ("|", Sign::Or)]))
    }

    fn and(&mut self) -> Parsed {
        self.chain(Self::not, &[("and", Sign::And), ("&", Sign::And)])
    }

    fn not(&mut self) -> Parsed {
        let at = self.at();
        if self.takes("not") {
            let inner = self.deeper(Self::not)?;
            return self.node(at, Expr::Not(Box::new(inner)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed {
        let at = self.at();
        let left = self.sum()?;
        if self.takes("in") {
            let low = self.sum()?;
            self.needs("..", "`..`, as in `trumps in 3..5`")?;
            let high = self.sum()?;
            return self.node(at, Expr::In(Box::new([left, low, high])));
        }
        let signs = [
            ("<=", Sign::AtMost),
            (">=", Sign::AtLeast),
            ("==", Sign::Equal),
            ("!=", Sign::Unequal),
            ("<", Sign::Less),
            (">", Sign::More),
            ("=", Sign::Equal),
        ];
        let Some((_, sign)) = signs.into_iter().find(|(text, _)| self.takes(text)) else { return Ok(left) };
        let right = self.sum()?;
        self.node(at, Expr::Binary(sign, Box::new(left), Box::new(right)))
    }

    fn sum(&mut self) -> Parsed {
        self.chain(Self::product, &[("+", Sign::Plus), ("-", Sign::Minus)])
    }

    fn product(&mut self) -> Parsed {
        self.chain(Self::signed, &[("*", Sign::Times), ("/", Sign::Over)])
    }

    fn signed(&mut self) -> Parsed {
        let at = self.at();
        if self.takes("-") {
            let inner = self.deeper(Self::signed)?;
            return self.node(at, Expr::Minus(Box::new(inner)));
        }
        self.atom()
    }

    fn atom(&mut self) -> Parsed {
        let at = self.at();
        match self.peek() {
            Token::Number(number) => {
                self.take();
                if let Token::Word(word) = self.peek()
                    && self.at() == at + number.to_string().len()
                    && cards(word).is_some()
                {
                    let expected = "a word for cards that begins with a letter, such as `J9` or `nine`";
                    let found = format!("`{number}{word}`");
                    return Err((at, Fault::Expected { expected, found }));
                }
                self.node(at, Expr::Number(number))
            }
            Token::Sign("(") => {
                self.take();
                let inner = self.or()?;
                self.needs(")", "`)`")?;
                Ok(inner)
            }
            Token::Word(word) => {
                self.take();
                if self.takes("(") {
                    return self.function(at, word);
                }
                let expr = match (word, cards(word)) {
                    ("true" | "false", _) => Expr::Truth(word == "true"),
                    ("and" | "or" | "in", _) => {
                        self.next -= 1;
                        return Err(self.expected("a condition or a number"));
                    }
                    (_, Some(ranks)) => Expr::Cards(ranks),
                    (word, None) => Expr::Name(word.to_owned()),
                };
                self.node(at, expr)
            }
            _ => Err(self.expected("a condition or a number")),
        }
    }

    /// Reads what is in the parentheses of a function.
    fn function(&mut self, at: usize, word: &str) -> Parsed {
        if let "trump" | "side" = word {
            return self.weights(at, word == "trump");
        }
        if word == "held" {
            let ranks = self.list(Self::rank)?.into_iter().fold(0, |ranks, rank| ranks | 1 << rank.index());
            return self.node(at, Expr::Cards(ranks));
        }
        let Some(function) = Function::ALL.into_iter().find(|function| function.name() == word) else {
            let known = Function::ALL.map(Function::name).join(" ") + " trump side held";
            return Err((at, Fault::NoFunction { word: word.to_owned(), known }));
        };
        let arguments = self.list(Self::or)?;
        if arguments.len() != function.arguments() {
            let (needed, found) = (function.arguments(), arguments.len());
            return Err((at, Fault::Arguments { function: function.name(), needed, found }));
        }
        self.node(at, Expr::Call(function, arguments))
    }

    /// Reads `J=8, 9=6)`.
    fn weights(&mut self, at: usize, trump: bool) -> Parsed {
        let mut ranks = Vec::new();
        let weights = self.list(|it| {
            let (place, rank) = (it.at(), it.rank()?);
            if ranks.contains(&rank) {
                return Err((place, Fault::Taken(rank.to_string())));
            }
            ranks.push(rank);
            it.needs("=", "`=` and a weight, as in `J=8`")?;
            Ok((rank, it.deeper(Self::sum)?))
        })?;
        self.node(at, Expr::Weigh(trump, weights))
    }

    /// Reads what stands between commas, up to the closing parenthesis.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.takes(",") {
            all.push(one(self)?);
        }
        self.needs(")", "`,` or `)`")?;
        Ok(all)
    }

    /// Reads a rank: a letter, or 7 to 9, or 10.
    fn rank(&mut self) -> Parsed<Rank> {
        let rank = match self.peek() {
            Token::Number(number) => number.to_string().parse().ok(),
            Token::Word(word) => single(word).or_else(|| word.parse().ok().and_then(by_letter)),
            _ => None,
        };
        let rank = rank.ok_or_else(|| self.expected("a card: J 9 A T K Q 8 7"))?;
        self.take();
        Ok(rank)
    }
}
