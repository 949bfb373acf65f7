//! `[sample]`: the provider's answers, read by the file's own rules at load time.

use std::fmt::Display;

use kuraka_domain::Ruc;

use super::file::{Fault, File, Sample, at};
use crate::sources::provider_api::map::read;
use crate::sources::provider_api::parse::{Answer, ruc_of};
use crate::sources::provider_api::spec::ProviderSpec;
use crate::sources::{Explanation, json};

pub(super) fn check(spec: &ProviderSpec, file: &File) -> Result<(), Fault> {
    let Some(samples) = &file.sample else { return Ok(()) };
    // Only the found sample must name a taxpayer; the others are read as about the same one.
    let ruc = taxpayer(spec, &samples.found)?;
    expect(spec, "found", &samples.found, ruc)?;
    for (name, sample) in [("not_found", &samples.not_found), ("throttled", &samples.throttled)] {
        if let Some(sample) = sample {
            expect(spec, name, sample, ruc)?;
        }
    }
    Ok(())
}

fn taxpayer(spec: &ProviderSpec, sample: &Sample) -> Result<Ruc, Fault> {
    let document = json::read(sample.body.get_ref().as_bytes()).map_err(|why| misread("found", sample, why))?;
    let ruc = ruc_of(spec, &document);
    let ruc = ruc.ok_or_else(|| misread("found", sample, "its RUC is not where the field ruc points"))?;
    ruc.parse().map_err(|error| misread("found", sample, format!("its RUC is none: {error}")))
}

fn expect(spec: &ProviderSpec, name: &str, sample: &Sample, ruc: Ruc) -> Result<(), Fault> {
    let answer = Answer { status: sample.status, retry_after: None, body: sample.body.get_ref().as_bytes(), ruc };
    let read = read(spec, answer).map_err(|error| (error.kind(), error.to_string()));
    let told = Explanation::new(read, "it is read as a record", "it is read as not found");
    if told.class == name { Ok(()) } else { Err(misread(name, sample, told.reason)) }
}

fn misread(name: &str, sample: &Sample, why: impl Display) -> Fault {
    at(&sample.body, format!("the sample {name} is not read as {name}: {why}"))
}
