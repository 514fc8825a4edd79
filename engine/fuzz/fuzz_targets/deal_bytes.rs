#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| coinche_engine_fuzz::deal_bytes(data));
