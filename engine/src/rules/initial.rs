//! What held in rule sets that were written before a field was there. A field that says so still is left out.

use super::{BeloteCoinched, Bids, ClosedBy, Finish, FloorOf, MeldEqual, MeldTie, PassedOut, Slam};

macro_rules! initial {
    ($($name:ident $is:ident $type:ty = $value:expr;)*) => {$(
        pub(super) const fn $name() -> $type {
            $value
        }

        pub(super) fn $is(value: &$type) -> bool {
            *value == $value
        }
    )*};
}

initial! {
    bids is_bids Bids = Bids::Values;
    yes is_yes bool = true;
    coinched is_coinched BeloteCoinched = BeloteCoinched::Holder;
    slam is_slam Slam = Slam::Instead;
    one is_one u16 = 1;
    equal is_equal MeldEqual = MeldEqual::Trumps;
    tie is_tie MeldTie = MeldTie::Neither;
    zero is_zero u16 = 0;
    two is_two u16 = 2;
    floor_of is_floor_of FloorOf = FloorOf::All;
    passed_out is_passed_out PassedOut = PassedOut::Next;
    closed_by is_closed_by ClosedBy = ClosedBy::None;
    finish is_finish Finish = Finish::Any;
}
