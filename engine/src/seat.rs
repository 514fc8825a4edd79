//! Seats, teams, and arrays indexed by them.
//!
//! Seats are numbered 0–3 in the order of play, whatever the direction of the rotation; seats 0 and 2
//! are the team [`Team::Even`], 1 and 3 the team [`Team::Odd`].

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::notation::single;

/// One of the four places at the table, in order of play.
///
/// ```
/// use coinche_engine::{Seat, Team};
///
/// let seat = Seat::S3;
/// assert_eq!(seat.next(), Seat::S0);
/// assert_eq!(seat.partner(), Seat::S1);
/// assert_eq!(seat.team(), Team::Odd);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Seat {
    /// Seat 0.
    S0,
    /// Seat 1.
    S1,
    /// Seat 2.
    S2,
    /// Seat 3.
    S3,
}

impl Seat {
    /// The four seats in order of play.
    pub const ALL: [Self; 4] = [Self::S0, Self::S1, Self::S2, Self::S3];

    /// Returns the seat with this index modulo four.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        // A match becomes a mask; the array would be a load.
        match index & 3 {
            0 => Self::S0,
            1 => Self::S1,
            2 => Self::S2,
            _ => Self::S3,
        }
    }

    /// Returns the index of the seat, `0..4`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the seat `n` places later in the order of play.
    #[inline]
    pub const fn plus(self, n: usize) -> Self {
        Self::from_index(self as usize + n)
    }

    /// Returns the next seat in the order of play.
    #[inline]
    pub const fn next(self) -> Self {
        self.plus(1)
    }

    /// Returns the seat opposite.
    #[inline]
    pub const fn partner(self) -> Self {
        self.plus(2)
    }

    /// Returns the team of the seat.
    pub const fn team(self) -> Team {
        if self as usize & 1 == 0 { Team::Even } else { Team::Odd }
    }

    /// Returns how many places later in the order of play `other` sits, `0..4`.
    #[inline]
    pub const fn distance_to(self, other: Self) -> usize {
        (other as usize + 4 - self as usize) & 3
    }

    /// Returns the four seats in order of play, this one first.
    #[inline]
    pub const fn around(self) -> [Self; 4] {
        [self, self.plus(1), self.plus(2), self.plus(3)]
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

from_text!(Seat, ParseSeatError, "`{0}` is not a seat: expected 0, 1, 2 or 3", |text| {
    single(text, |digit| Self::ALL.get(digit.to_digit(10)? as usize).copied())
});

/// One of the two teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Team {
    /// Seats 0 and 2.
    Even,
    /// Seats 1 and 3.
    Odd,
}

impl Team {
    /// The two teams, seats 0 and 2 first.
    pub const ALL: [Self; 2] = [Self::Even, Self::Odd];

    /// Returns the index of the team, `0..2`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the opposing team.
    #[inline]
    pub const fn other(self) -> Self {
        Self::ALL[1 - self as usize]
    }

    /// Returns the two seats of the team.
    pub const fn seats(self) -> [Seat; 2] {
        [Seat::ALL[self as usize], Seat::ALL[self as usize + 2]]
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", *self as u8)
    }
}

macro_rules! by {
    // Each place by itself: `[T; N]::map` and `array::from_fn` are not always inlined in a crate of many units.
    ($(#[$doc:meta])* $name:ident, $key:ident, $n:literal, $($place:ident $index:literal),*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(transparent))]
        pub struct $name<T>(pub [T; $n]);

        impl<T> $name<T> {
            /// Builds the array by asking for the value of every key, in order.
            #[inline]
            pub fn from_fn(mut value: impl FnMut($key) -> T) -> Self {
                Self([$(value($key::ALL[$index])),*])
            }

            /// Applies a function to every value.
            #[inline]
            pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> $name<U> {
                let [$($place),*] = self.0;
                $name([$(f($place)),*])
            }

            /// Iterates over keys and values, in the order of the keys.
            #[inline]
            pub fn iter(&self) -> impl DoubleEndedIterator<Item = ($key, &T)> + ExactSizeIterator {
                self.0.iter().enumerate().map(|(index, value)| ($key::ALL[index], value))
            }
        }

        impl<T> Index<$key> for $name<T> {
            type Output = T;
            #[inline]
            fn index(&self, key: $key) -> &T {
                &self.0[key.index()]
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            #[inline]
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key.index()]
            }
        }
    };
}

by!(
    /// Four values, one for each seat.
    ///
    /// ```
    /// use coinche_engine::{BySeat, Seat};
    ///
    /// let mut tricks = BySeat([0; 4]);
    /// tricks[Seat::S2] += 1;
    /// assert_eq!(tricks.0, [0, 0, 1, 0]);
    /// ```
    BySeat,
    Seat,
    4,
    a 0, b 1, c 2, d 3
);
by!(
    /// Two values, one for each team: index 0 is the team of seats 0 and 2.
    ///
    /// ```
    /// use coinche_engine::{ByTeam, Seat};
    ///
    /// let score = ByTeam([222, 40]);
    /// assert_eq!(score[Seat::S1.team()], 40);
    /// ```
    ByTeam,
    Team,
    2,
    a 0, b 1
);
