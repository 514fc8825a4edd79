#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| coinche_arena::fuzz::body("card_rows")(data));
