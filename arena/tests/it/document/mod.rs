//! Reports: their numbers, their forms, their page in a browser.

mod browser;
mod data;
mod games;
mod report;
