use std::collections::HashSet;

use kuraka_sandbox::sample::{OPEN_DATA_ONLY, PADRON};
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, Target};

use super::client::{ask, ask_detailed, detailed, start};

fn ruc(name: &str, fault_target: FaultTarget) -> String {
    FaultCase::named(name).unwrap().ruc(fault_target).unwrap().to_string()
}

#[test]
fn every_outcome_has_a_name_and_three_invented_rucs_of_its_own() {
    let mut rucs = HashSet::new();
    let padron = String::from_utf8_lossy(PADRON);
    for outcome in FaultCase::ALL {
        for (fault_target, range) in
            [(FaultTarget::Official, "2099998"), (FaultTarget::Providers, "2099997"), (FaultTarget::Both, "2099996")]
        {
            let ruc = outcome.ruc(fault_target).unwrap().to_string();
            assert_eq!(ruc[..10], format!("{range}{:03}", outcome.number));
            assert_eq!(padron.contains(&ruc), ruc == OPEN_DATA_ONLY, "{ruc} in the sample");
            assert!(rucs.insert(ruc));
        }
    }
    assert_eq!(FaultCase::ALL.iter().map(|outcome| outcome.name).collect::<HashSet<_>>().len(), FaultCase::ALL.len());
    assert!(FaultCase::ALL.is_sorted_by(|one, next| one.number < next.number));
    assert_eq!(FaultCase::named("no such outcome"), None);
}

#[tokio::test]
async fn services_without_the_fault_answer_with_its_company() {
    let upstream = start().await;
    let number = ruc("status-500", FaultTarget::Official);
    assert_eq!(ask(&upstream, &number).await.reply().status, 500);
    let answer = ask_detailed(&upstream, &number).await.reply().json();
    assert_eq!(answer["razonSocial"], "CASO INVENTADO STATUS 500 S.A.C.");

    let number = ruc("firewall", FaultTarget::Providers);
    assert!(ask(&upstream, &number).await.reply().page().contains("CASO INVENTADO FIREWALL S.A.C."));
    assert!(ask_detailed(&upstream, &number).await.reply().page().contains("Request Rejected"));

    let number = ruc("throttled-seconds", FaultTarget::Both);
    assert_eq!(ask(&upstream, &number).await.reply().header("Retry-After"), Some("3600"));
    assert_eq!(ask_detailed(&upstream, &number).await.reply().status, 429);
}

#[tokio::test]
async fn a_fault_of_the_test_comes_before_that_of_the_ruc() {
    let upstream = start().await;
    let number = ruc("status-500", FaultTarget::Both);
    upstream.fault(&Target::Official, kuraka_sandbox::upstream::Replacement::Status(418), 1);
    assert_eq!(ask(&upstream, &number).await.reply().status, 418);
    assert_eq!(ask(&upstream, &number).await.reply().status, 500);
    upstream.heal();
    assert_eq!(ask(&upstream, &number).await.reply().status, 500, "those of the RUCs do not heal");
    assert_eq!(upstream.requests_in_all(&detailed()), 0);
}

#[test]
fn the_readme_lists_every_fault() {
    let readme = include_str!("../../../README.md");
    let faults = readme.split_once("| fault | answer |\n|---|---|\n").unwrap().1;
    let rows = faults.lines().take_while(|line| line.starts_with('|'));
    let listed = rows.flat_map(|row| row.split('|').nth(1).unwrap().split(','));
    let listed: Vec<String> =
        listed.map(|name| name.trim().replacen('-', "status-", usize::from(name.starts_with(" -")))).collect();
    let names: Vec<&str> = FaultCase::ALL.iter().map(|outcome| outcome.name).collect();
    assert_eq!(listed, names);
}
