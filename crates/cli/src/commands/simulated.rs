//! The bundled sample and the sandbox in a server: instead of its data and sources in the demo, beside them for test tokens.

use std::fs::{self, File, TryLockError};
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::exchange_rates;
use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, USER_AGENT};
use kuraka_domain::{Date, EditionOrigin, Ruc};
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::{Import, ImportReport, NoProgress, SourceFile};
use kuraka_sandbox::sample::{self, Piece};
use kuraka_sandbox::upstream::Upstream;
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::http::Running;
use kuraka_server::settings::{Provider, Settings, Values, environment};
use tokio::task::spawn_blocking;

use super::runtime::{Failure, today};
use super::sandbox;

/// Below the data folder.
const FOLDER: &str = ".test-instance";
/// A file that says whose the folder is.
const MARK: &str = "KURAKA";
/// The simulated fallback of the page, with the same fields.
const PROVIDER: &str = "apisperu";

/// The data of test tokens, imported below this data folder. None of the operator's settings is used.
pub(super) fn test_data(data_dir: &Path) -> Result<TestData, Failure> {
    let folder = data_dir.join(FOLDER);
    let start: StartTestData = Arc::new(move || {
        let folder = folder.clone();
        Box::pin(async move {
            let (settings, data) = spawn_blocking(move || imported(&folder)).await??;
            let upstream = sandbox::start((Ipv4Addr::LOCALHOST, 0).into()).await?;
            let settings = with_sandbox(settings, |_| true, &upstream)?;
            Ok((settings, Box::new((upstream, data)) as Running))
        })
    });
    Ok(TestData { changing: Ruc::parse(sample::DESCRIBED)?, start })
}

/// The default settings, with a new import of the sample: another version's differs.
fn imported(folder: &Path) -> Result<(Settings, OwnFolder), Failure> {
    let own = OwnFolder::take(folder)?;
    let nothing = environment().source(Some(Default::default()));
    let settings = Settings::read(&Values::load_with(None, nothing, &[("data_dir", &own.data.to_string_lossy())])?)?;
    import_sample(&settings)?;
    Ok((settings, own))
}

/// A folder that no other server uses; removed when dropped.
struct OwnFolder {
    data: PathBuf,
    _lock: File,
}

impl OwnFolder {
    /// The first one in `folder` that is free, emptied, because a server may have been killed. `folder` is created or was
    /// created here.
    fn take(folder: &Path) -> Result<Self, Failure> {
        let mark = folder.join(MARK);
        if !mark.is_file() {
            fs::create_dir_all(folder)?;
            // The mark is the first that is made.
            if fs::read_dir(folder)?.next().is_some() && !mark.is_file() {
                return Err(format!("{} has files of others: test tokens need this folder", folder.display()).into());
            }
            fs::write(mark, "Made by kuraka for test tokens, and made anew by each server.\n")?;
        }
        let mut number = 0;
        loop {
            let (data, lock) = (folder.join(format!("{number}")), File::create(folder.join(format!("{number}.lock")))?);
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => number += 1,
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Ok(()) => {
                    let own = Self { data, _lock: lock };
                    own.remove()?;
                    fs::create_dir(&own.data)?;
                    return Ok(own);
                }
            }
        }
    }

    fn remove(&self) -> io::Result<()> {
        let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
        fs::remove_dir_all(&self.data).or_else(|error| if is_gone(&error) { Ok(()) } else { Err(error) })
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        // What stays is removed by the next server that takes it.
        let _ = self.remove();
    }
}

/// Imports the sample's pieces, unless a dataset has an edition. Returns the number of imported datasets.
pub(super) fn import_sample(settings: &Settings) -> Result<usize, Failure> {
    let registry = settings.datasets_dir();
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
        // They begin the history.
        let (file_name, earlier) = (piece.file_name, sample::earlier(dataset.name)?);
        for Piece { bytes, .. } in earlier.into_iter().chain([piece]) {
            import_of_sample(settings, dataset, file_name, &bytes, None)?;
        }
        imported += 1;
    }
    Ok(imported)
}

/// Of this day, if one is given.
pub(super) fn import_of_sample(
    settings: &Settings,
    dataset: &'static Dataset,
    file_name: &str,
    bytes: &[u8],
    date: Option<Date>,
) -> Result<ImportReport, Failure> {
    let path = settings.data_dir.join(file_name);
    fs::write(&path, bytes)?;
    let request = Import { origin: EditionOrigin::Sample, date, ..Import::new(SourceFile::local(&path), today()) };
    let report = kuraka_registry::import(&settings.datasets_dir(), dataset, &request, &NoProgress)?;
    fs::remove_file(path)?;
    Ok(report)
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
        let killed = folder.join("0");
        for _ in 0..2 {
            let own = OwnFolder::take(&folder).unwrap();
            assert_eq!((&own.data, fs::read_dir(&own.data).unwrap().count()), (&killed, 0));
            drop(own);
            fs::create_dir(&killed).unwrap();
            fs::write(killed.join("a"), "").unwrap();
        }
        fs::remove_file(folder.join(MARK)).unwrap();
        let refused = OwnFolder::take(&folder).err().unwrap().to_string();
        assert!(refused.contains(".test-instance has files of others"), "{refused}");
        assert!(killed.join("a").exists());
    }

    #[test]
    fn servers_of_one_data_folder_have_folders_of_their_own() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join(FOLDER);
        let [first, second] = [(); 2].map(|()| OwnFolder::take(&folder).unwrap());
        assert_ne!(first.data, second.data);
        let left = first.data.clone();
        drop(first);
        assert!(!left.exists() && second.data.exists());
        assert_eq!(OwnFolder::take(&folder).unwrap().data, left);
    }
}
