//! What the recorded pages say.

use kuraka_adapters::sources::sunat_portal::{AnswerError, explain, read};
use kuraka_domain::{Ruc, TaxpayerDetail};

use crate::recorded::{recorded, told};

/// A page, and the RUC that it was asked for.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) ruc: Ruc,
    pub(super) body: Vec<u8>,
    pub(super) content_type: Option<String>,
}

impl Case {
    /// What these bytes would be read as, were they the page.
    pub(super) fn read(&self, body: &[u8]) -> Result<Option<TaxpayerDetail>, AnswerError> {
        read(body, self.content_type.as_deref(), self.ruc)
    }

    /// The page, one character for each byte.
    pub(super) fn text(&self) -> String {
        self.body.iter().map(|byte| char::from(*byte)).collect()
    }
}

/// The bytes of such a text.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|c| c as u8).collect()
}

/// Every recorded page, by name.
pub(super) fn cases() -> Vec<Case> {
    let case = |it: crate::recorded::Recorded| Case {
        ruc: Ruc::parse(it.meta["ruc"].as_str().unwrap()).unwrap(),
        content_type: it.meta["content_type"].as_str().map(str::to_owned),
        body: it.response,
        name: it.name,
    };
    recorded("sunat_portal").into_iter().map(case).collect()
}

/// The recorded page of this name.
pub(super) fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name == name).expect(name)
}

#[test]
fn every_recorded_answer_reads_as_its_folder_says() {
    for (case, recorded) in cases().iter().zip(recorded("sunat_portal")) {
        let explanation = explain(&case.body, case.content_type.as_deref(), case.ruc);
        assert_eq!(told(&explanation), recorded.expected, "{}", case.name);
    }
}
