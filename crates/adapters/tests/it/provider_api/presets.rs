//! The files that come with the program.

use kuraka_adapters::sources::provider_api::{PRESETS, ProviderSpec, preset};

use super::fixtures::cases;

#[test]
fn every_preset_is_understood_and_brings_a_sample() {
    assert_eq!(PRESETS.len(), 8);
    for preset in PRESETS {
        // Reading a file reads its samples too.
        ProviderSpec::parse(preset.name, preset.text).unwrap();
        assert!(preset.text.contains("\ntoken = "), "{}", preset.name);
        assert!(preset.text.contains("[sample.found]"), "{}", preset.name);
    }
}

#[test]
fn every_preset_has_an_answer_among_the_fixtures() {
    let cases = cases();
    for preset in PRESETS {
        let is_answered =
            |class: &str| cases.iter().any(|case| case.provider == preset.name && case.expected["class"] == class);
        assert!(is_answered("found"), "{}", preset.name);
        // A not-found rule is shown at work, in the file's own sample at the least.
        assert_eq!(preset.text.contains("\nnot_found"), preset.text.contains("[sample.not_found]"), "{}", preset.name);
    }
}

#[test]
fn a_preset_is_found_by_its_name_only() {
    assert_eq!(preset("apisperu").map(|preset| preset.name), Some("apisperu"));
    assert_eq!(preset("apisperu.toml"), None);
    assert_eq!(preset(""), None);
}
