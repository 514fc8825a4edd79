//! What held before there was a field for it. A field with that value is not written.

use super::{Bids, ClosedBy, CoinchedBelote, Finish, FloorOf, MeldEqual, MeldTie, PassedOut, Slam};

macro_rules! before {
    ($($name:ident $is:ident: $type:ty = $value:expr;)*) => {$(
        pub(super) fn $name() -> $type {
            $value
        }

        pub(super) fn $is(value: &$type) -> bool {
            *value == $value
        }
    )*};
}

before! {
    no_trump is_no_trump: [i32; 8] = [19, 10, 4, 3, 2, 0, 0, 0];
    bids is_bids: Bids = Bids::Values;
    yes is_yes: bool = true;
    holder is_holder: CoinchedBelote = CoinchedBelote::Holder;
    slam is_slam: Slam = Slam::Instead;
    one is_one: i32 = 1;
    trumps is_trumps: MeldEqual = MeldEqual::Trumps;
    neither is_neither: MeldTie = MeldTie::Neither;
    zero is_zero: i32 = 0;
    two is_two: i32 = 2;
    counted is_counted: FloorOf = FloorOf::All;
    next is_next: PassedOut = PassedOut::Next;
    open is_open: ClosedBy = ClosedBy::None;
    any is_any: Finish = Finish::Any;
}
