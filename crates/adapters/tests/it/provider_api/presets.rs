//! The files that come with the program.

use kuraka_adapters::sources::provider_api::PRESETS;

use super::fixtures::cases;

#[test]
fn every_preset_has_a_sample_and_an_answer_among_the_fixtures() {
    let cases = cases();
    assert_eq!(PRESETS.len(), 8);
    for preset in PRESETS {
        assert!(preset.text.contains("\ntoken = "), "{}", preset.name);
        assert!(preset.text.contains("[sample.found]"), "{}", preset.name);
        let is_answered =
            |class: &str| cases.iter().any(|case| case.provider == preset.name && case.expected["class"] == class);
        assert!(is_answered("found"), "{}", preset.name);
        // A not-found rule is shown at work, in the file's own sample at the least.
        assert_eq!(preset.text.contains("\nnot_found"), preset.text.contains("[sample.not_found]"), "{}", preset.name);
    }
}
