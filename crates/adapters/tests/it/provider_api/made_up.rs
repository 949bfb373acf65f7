//! A made-up provider, of which a test writes the rules, the fields and the answers.

use kuraka_adapters::sources::Explanation;
use kuraka_adapters::sources::provider_api::{ProviderSpec, explain};
use kuraka_domain::{Ruc, TaxpayerDetail};
use serde_json::{Value, json};

/// A company.
const RUC: &str = "20131312955";

/// The provider with these lines in `[answer]` and in `[fields]`.
pub(super) fn spec(rules: &str, fields: &str) -> ProviderSpec {
    let request = "[request]\nmethod = \"GET\"\nurl = \"https://api.example.pe/ruc/{ruc}\"\n";
    let mandatory = ["ruc", "name", "status", "condition"].map(|field| format!("{field} = \"/{field}\"\n")).concat();
    ProviderSpec::parse("mine.toml", &format!("{request}[answer]\n{rules}\n[fields]\n{mandatory}{fields}\n")).unwrap()
}

/// A whole record with this value too, at a key beside the mandatory ones.
pub(super) fn record(key: &str, value: Value) -> Value {
    let mut record = json!({ "ruc": RUC, "name": "SUNAT", "status": "ACTIVO", "condition": "HABIDO" });
    record[key] = value;
    record
}

/// How the provider's answer with status 200 is read.
pub(super) fn told(spec: &ProviderSpec, body: &[u8]) -> Explanation<TaxpayerDetail> {
    told_with(spec, 200, body)
}

/// The same with another status.
pub(super) fn told_with(spec: &ProviderSpec, status: u16, body: &[u8]) -> Explanation<TaxpayerDetail> {
    explain(spec, body, status, Ruc::parse(RUC).unwrap())
}

/// What is made of a value that a field of the provider has, or why the answer is not read.
pub(super) fn read_field(field: &str, value: Value) -> Result<TaxpayerDetail, String> {
    let spec = spec("", &format!("{field} = \"/value\""));
    let told = told(&spec, record("value", value).to_string().as_bytes());
    told.record.ok_or(told.reason)
}
