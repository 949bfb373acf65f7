//! What answers are read as.

use super::fixtures::{cases, told};

#[test]
fn every_answer_means_what_its_folder_says() {
    let cases = cases();
    for case in &cases {
        let told = told(&case.explain(&case.response));
        assert_eq!(told, case.expected, "{}: {}", case.name, serde_json::to_string_pretty(&told).unwrap());
    }
    for class in ["found", "not_found", "throttled", "credentials", "unavailable", "unreadable"] {
        assert!(cases.iter().any(|case| case.expected["class"] == class), "no answer is {class}");
    }
}
