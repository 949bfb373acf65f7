//! What recorded and made-up answers mean.

use kuraka_adapters::sources::Explanation;
use kuraka_adapters::sources::provider_api::{ProviderSpec, explain, preset};
use kuraka_domain::{Ruc, TaxpayerDetail};
use serde_json::Value;

use crate::recorded::{Recorded, recorded, told};

/// One answer.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) provider: String,
    pub(super) spec: ProviderSpec,
    pub(super) status: u16,
    pub(super) ruc: Ruc,
    pub(super) response: Vec<u8>,
    pub(super) expected: Value,
}

impl Case {
    /// What these bytes would be read as, were they the answer.
    pub(super) fn explain(&self, bytes: &[u8]) -> Explanation<TaxpayerDetail> {
        explain(&self.spec, bytes, self.status, self.ruc)
    }
}

/// Every case, by name.
pub(super) fn cases() -> Vec<Case> {
    let case = |Recorded { name, meta, response, expected }| {
        let provider = meta["provider"].as_str().unwrap().to_owned();
        let (spec, ruc) = (spec(&provider), meta["ruc"].as_str().unwrap().parse().unwrap());
        let status = meta["status"].as_u64().unwrap().try_into().unwrap();
        Case { name, provider, spec, status, ruc, response, expected }
    };
    recorded("provider_api").into_iter().map(case).collect()
}

/// A preset, understood.
pub(super) fn spec(name: &str) -> ProviderSpec {
    let preset = preset(name).unwrap_or_else(|| panic!("no preset {name}"));
    ProviderSpec::parse(preset.name, preset.text).unwrap()
}

#[test]
fn every_answer_means_what_its_folder_says() {
    let cases = cases();
    for case in &cases {
        assert_eq!(told(&case.explain(&case.response)), case.expected, "{}", case.name);
    }
    for class in ["found", "not_found", "throttled", "credentials", "unavailable", "unreadable"] {
        assert!(cases.iter().any(|case| case.expected["class"] == class), "no answer is {class}");
    }
}
