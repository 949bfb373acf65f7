//! Every promise of a suite is on its list; otherwise it would never run.

use std::fs;
use std::path::Path;

#[test]
fn every_promise_is_listed_in_its_suite() {
    let (sources, mut count) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), 0);
    let lists = fs::read_to_string(sources.join("contract.rs")).unwrap();
    for file in fs::read_dir(sources.join("contract")).unwrap() {
        let file = file.unwrap().path();
        let suite = file.file_stem().unwrap().to_str().unwrap();
        let Some(list) = lists.split(&format!("@{suite},")).nth(1).and_then(|rest| rest.split('}').next()) else {
            assert_eq!(suite, "samples", "a suite without a list");
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for promise in text.split("pub async fn ").skip(1).filter_map(|rest| rest.split('<').next()) {
            count += 1;
            assert!(list.contains(&format!(" {promise},")), "{promise} is not on the list of {suite}");
        }
    }
    assert!(count >= 140, "only {count} promises were recognised");
}
