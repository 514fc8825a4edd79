#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| coinche_arena_fuzz::table_csv(data));
