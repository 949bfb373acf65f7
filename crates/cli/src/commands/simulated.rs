//! The bundled sample and the sandbox in a server: instead of its data and sources in the demo, beside them for test tokens.

use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::exchange_rates;
use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, USER_AGENT};
use kuraka_app::calendar;
use kuraka_domain::Ruc;
use kuraka_ports::Clock;
use kuraka_registry::{Import, NoProgress, Origin, SourceFile, dataset};
use kuraka_sandbox::sample::{self, Piece};
use kuraka_sandbox::upstream::Upstream;
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::http::Running;
use kuraka_server::settings::{Provider, Settings, Values, environment};
use tokio::task::spawn_blocking;

use super::runtime::Failure;
use super::sandbox;

/// Below the data folder.
const FOLDER: &str = ".test-instance";
/// A file that says whose the folder is.
const MARK: &str = "KURAKA";
/// All that is in the folder besides the mark.
const DATA: &str = "data";
/// The simulated fallback of the page, with the same fields.
const PROVIDER: &str = "apisperu";

/// The data of test tokens, imported below this data folder. None of the operator's settings is used.
pub(super) fn test_data(data_dir: &Path) -> Result<TestData, Failure> {
    let folder = data_dir.join(FOLDER);
    let start: StartTestData = Arc::new(move || {
        let folder = folder.clone();
        Box::pin(async move {
            let settings = spawn_blocking(move || imported(&folder)).await??;
            let upstream = sandbox::start((Ipv4Addr::LOCALHOST, 0).into()).await?;
            let settings = with_sandbox(settings, |_| true, &upstream)?;
            Ok((settings, Box::new(upstream) as Running))
        })
    });
    Ok(TestData { changing: Ruc::parse(sample::DESCRIBED)?, start })
}

/// The default settings, with a new import of the sample: another version's differs.
fn imported(folder: &Path) -> Result<Settings, Failure> {
    let data = emptied(folder)?;
    let nothing = environment().source(Some(Default::default()));
    let settings = Settings::read(&Values::load_with(None, nothing, &[("data_dir", &data.to_string_lossy())])?)?;
    import_sample(&settings)?;
    Ok(settings)
}

/// An empty folder for data in `folder`, which is created or was created here.
fn emptied(folder: &Path) -> Result<PathBuf, Failure> {
    let (mark, data) = (folder.join(MARK), folder.join(DATA));
    if !mark.is_file() {
        fs::create_dir_all(folder)?;
        if fs::read_dir(folder)?.next().is_some() {
            return Err(format!("{} has files of others: test tokens need this folder", folder.display()).into());
        }
        fs::write(mark, "Made by kuraka for test tokens, and made anew by each server.\n")?;
    }
    match fs::remove_dir_all(&data) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        Ok(()) | Err(_) => fs::create_dir(&data)?,
    }
    Ok(data)
}

/// Imports the sample's pieces, unless a dataset has an edition. Returns the number of imported datasets.
pub(super) fn import_sample(settings: &Settings) -> Result<usize, Failure> {
    let registry = settings.datasets_dir();
    let today = calendar::today(SystemClock::start().now());
    let mut imported = 0;
    if exchange_rates::read(&registry)?.is_none() {
        exchange_rates::write_sample(&registry, sample::EXCHANGE_RATE_SERIES, sample::EXCHANGE_RATE_TEXTS)?;
        imported += 1;
    }
    for piece in sample::datasets()? {
        let dataset = dataset::named(piece.dataset)?;
        if kuraka_registry::editions(&registry, dataset)?.iter().any(|edition| edition.current) {
            continue;
        }
        let path = settings.data_dir.join(piece.file_name);
        // They begin the history.
        let earlier = sample::earlier(dataset.name)?;
        for Piece { bytes, .. } in earlier.into_iter().chain([piece]) {
            fs::write(&path, &bytes)?;
            let request = Import { origin: Origin::Sample, ..Import::new(SourceFile::local(&path), today) };
            kuraka_registry::import(&registry, dataset, &request, &NoProgress)?;
        }
        fs::remove_file(path)?;
        imported += 1;
    }
    Ok(imported)
}

/// The sandbox replaces every source that `is_default`; no publisher is asked.
pub(super) fn with_sandbox(
    mut settings: Settings,
    is_default: impl Fn(&str) -> bool,
    upstream: &Upstream,
) -> Result<Settings, Failure> {
    if is_default("official.url") {
        // The sandbox needs no rate limit.
        settings.official = Some(PortalConfig::new(&upstream.official_url(), USER_AGENT, Duration::ZERO)?);
    }
    if is_default("providers.chain") {
        settings.providers = vec![Provider {
            entry: PROVIDER.to_owned(),
            name: PROVIDER.to_owned(),
            token: Some("demo".to_owned().into()),
            url: upstream.provider_url(PROVIDER),
        }];
    }
    if settings.vouchers.is_none() {
        settings.vouchers = Some(sandbox::vouchers(upstream)?);
    }
    // The sample stays.
    settings.datasets.all.update_every = None;
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_of_test_tokens_is_emptied() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join(FOLDER);
        fs::create_dir(&folder).unwrap();
        for _ in 0..2 {
            let data = emptied(&folder).unwrap();
            assert_eq!(fs::read_dir(&data).unwrap().count(), 0);
            fs::write(data.join("a"), "").unwrap();
        }
        fs::remove_file(folder.join(MARK)).unwrap();
        let refused = emptied(&folder).unwrap_err().to_string();
        assert!(refused.contains(".test-instance has files of others"), "{refused}");
        assert!(folder.join(DATA).join("a").exists());
    }
}
