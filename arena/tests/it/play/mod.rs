//! What is played: who sits where, frozen auctions and plays, bots that fail.

mod cheaters;
mod faults;
mod freeze;
mod schedule;
