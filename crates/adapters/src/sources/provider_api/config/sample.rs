//! The file's `[sample]`: answers of the provider, read by the file's own rules when the file is loaded.

use kuraka_domain::Ruc;

use super::fault::{ConfigFault, Fault, at};
use super::file::{File, Sample};
use crate::sources::json;
use crate::sources::provider_api::error::AnswerError;
use crate::sources::provider_api::field::Field;
use crate::sources::provider_api::parse::Answer;
use crate::sources::provider_api::read::read;
use crate::sources::provider_api::spec::ProviderSpec;

/// What a sample is read as.
#[derive(Debug, PartialEq, Eq)]
enum Class {
    Found,
    NotFound,
    Throttled,
}

/// Checks that each sample is read as the result it stands for.
pub(super) fn check(spec: &ProviderSpec, file: &File) -> Result<(), Fault> {
    let Some(samples) = &file.sample else { return Ok(()) };
    // Only the found sample must name a taxpayer; the other samples are read as answers about the same one.
    let ruc = ruc_of(spec, &samples.found)?;
    expect(spec, "found", Class::Found, &samples.found, ruc)?;
    if let Some(sample) = &samples.not_found {
        expect(spec, "not_found", Class::NotFound, sample, ruc)?;
    }
    if let Some(sample) = &samples.throttled {
        expect(spec, "throttled", Class::Throttled, sample, ruc)?;
    }
    Ok(())
}

/// The taxpayer in the sample.
fn ruc_of(spec: &ProviderSpec, sample: &Sample) -> Result<Ruc, Fault> {
    let refused = |why: String| at(&sample.body, ConfigFault::Sample { sample: "found", why: why.into() });
    let document = json::read(sample.body.get_ref().as_bytes()).map_err(|error| refused(error.to_string()))?;
    let place = spec.places.iter().find(|place| place.field == Field::Ruc);
    let value = place.and_then(|place| place.find(&document)).map(|(_, value)| value);
    let text =
        value.and_then(|value| value.as_str().map(str::to_owned).or_else(|| value.as_u64().map(|n| n.to_string())));
    let text = text.ok_or_else(|| refused("its RUC is not where the field ruc points".into()))?;
    text.trim().parse().map_err(|error| refused(format!("its RUC is none: {error}")))
}

fn expect(spec: &ProviderSpec, name: &'static str, class: Class, sample: &Sample, ruc: Ruc) -> Result<(), Fault> {
    let body = sample.body.get_ref().as_bytes();
    let why = match read(spec, Answer { status: sample.status, retry_after: None, body, ruc }) {
        Ok(Some(_)) if class == Class::Found => return Ok(()),
        Ok(None) if class == Class::NotFound => return Ok(()),
        Err(AnswerError::Throttled { .. }) if class == Class::Throttled => return Ok(()),
        Ok(Some(_)) => "it is read as a record".to_owned(),
        Ok(None) => "it is read as not found".to_owned(),
        Err(failure) => failure.to_string(),
    };
    Err(at(&sample.body, ConfigFault::Sample { sample: name, why: why.into() }))
}
