//! The steps of an import of a dataset: read the file, apply the guards, write the edition, verify it, publish it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_domain::Date;

use super::builder::Builder;
use super::guards::{Candidate, judge, sample};
use super::request::DatasetImport;
use super::write::Written;
use super::{DatasetReport, adopt, padron};
use crate::changes::{self, Compared};
use crate::dataset::Dataset;
use crate::edition::field_metas;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{self, Folder, doing, next_sequence, open_best, replace, unfinished};
use crate::format::header::MAGIC;
use crate::import::{Vocabulary, is_plausible};
use crate::publish::guards::{self, Guards};
use crate::publish::label::label;
use crate::reader::{self, Report};
use crate::{Advance, DatasetEdition, DatasetMeta, DateOrigin, ImportError, Progress, PublishResult, Stage};

/// Rows between two reports of progress.
const REPORTED: u64 = 1 << 15;

/// Builds an edition of `dataset` from the file of `request` and makes it the dataset's current one in the registry in
/// `folder`, which is created if it does not exist. A file that is a finished edition of the dataset is published as it
/// is. The padrón is imported as [`crate::import`] and [`crate::adopt`] do.
///
/// A crash at any moment leaves the previous edition or the new one, complete.
///
/// # Errors
/// [`ImportError`]; nothing was published and the current edition stays. Exception: if the last step, syncing the
/// folder, fails, the new edition may be current although an error is returned.
pub fn import_dataset(
    folder: &Path,
    dataset: &'static Dataset,
    request: &DatasetImport,
    progress: &dyn Progress,
) -> Result<DatasetReport, ImportError> {
    import_dataset_on(&SystemDisk, folder, dataset, request, progress)
}

/// As [`import_dataset`], on a given disk.
pub(crate) fn import_dataset_on(
    disk: &dyn Disk,
    registry: &Path,
    dataset: &'static Dataset,
    request: &DatasetImport,
    progress: &dyn Progress,
) -> Result<DatasetReport, ImportError> {
    let is_edition = is_edition(&request.source.path);
    if dataset.is_padron() {
        return padron::import(disk, registry, request, is_edition, progress);
    }
    let folder = Folder::of(registry, dataset);
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(ImportError::Busy { folder: folder.path().to_owned() }) };
    folder.remove_unfinished(disk)?;
    let current = open_best::<DatasetEdition>(&folder, dataset)?.edition;
    let import = Import { disk, folder: &folder, dataset, request, current: current.as_ref() };
    if is_edition { adopt::adopt(&import, progress) } else { import.run(progress) }
}

/// One import under the folder's lock.
pub(super) struct Import<'a> {
    pub(super) disk: &'a dyn Disk,
    pub(super) folder: &'a Folder,
    pub(super) dataset: &'static Dataset,
    pub(super) request: &'a DatasetImport,
    pub(super) current: Option<&'a DatasetEdition>,
}

impl Import<'_> {
    fn run(&self, progress: &dyn Progress) -> Result<DatasetReport, ImportError> {
        let Self { disk, folder, dataset, request, current } = *self;
        progress.stage(Stage::Reading);
        let (builder, read) = self.read(progress)?;
        let (date, date_origin) = self.date(builder.month(), read.entry_date);
        let label = label(date, read.sha256, &[]);
        let mut report = self.report(&read, label.clone(), date, date_origin);
        if report.previous.as_ref() == Some(&label) && !request.force {
            return Ok(report);
        }
        let mut guards = Guards::new(dataset.name, request.force);
        let (rejected, lines) = (read.bad_lines.total(), read.rows + read.left_out + read.bad_lines.total());
        guards.object(guards::rejected(dataset.guards, rejected, lines))?;

        progress.stage(Stage::Index);
        let aside = unfinished(&folder.edition(&label));
        let built = (|| {
            let sample = sample(current, request.origin);
            let written = Written::rows(disk, &aside, dataset, builder, &sample)?;
            (report.rows, report.rucs, report.repeated) = (written.rows, written.rucs, written.repeated);
            let candidate =
                Candidate { label: &label, date, origin: request.origin, rows: written.rows, present: written.present };
            judge(dataset, &candidate, current, sample.len(), &folder.rolled_back()?, &mut guards)?;
            report.forced = guards.forced;
            let parent = current.map_or([0; 32], DatasetEdition::identity);
            report.index_bytes = written.finish(&self.meta(&report, &read), next_sequence(folder)?, parent)?;
            progress.stage(Stage::Verification);
            let new = DatasetEdition::open_and_read_back(dataset, &aside)
                .map_err(|source| ImportError::Verification { source })?;
            progress.stage(Stage::Publication);
            self.publish(&aside, &new, read.bad_lines.rejects_file(), &mut report)
        })();
        if built.is_err() {
            // The next import removes files that cannot be removed now.
            let _ = disk.remove(&aside);
        }
        built.map(|()| report)
    }

    /// Reads the file. Words keep the numbers that they have in the current edition of this origin.
    fn read(&self, progress: &dyn Progress) -> Result<(Builder, Report), ImportError> {
        let Self { dataset, request, current, .. } = *self;
        let mut vocabulary = Vocabulary::new();
        for word in current.iter().filter(|it| it.meta().origin == request.origin).flat_map(|it| it.dictionary()) {
            vocabulary.number(word)?;
        }
        let mut builder = Builder::new(dataset, vocabulary)?;
        let bytes_read = AtomicU64::new(0);
        let bytes_total = fs::metadata(&request.source.path).map_or(0, |file| file.len());
        let read = reader::read(dataset, &request.source.path, &bytes_read, |ruc, values| {
            builder.add(ruc, values)?;
            if builder.rows.is_multiple_of(REPORTED) {
                let bytes_read = bytes_read.load(Ordering::Relaxed);
                progress.advanced(Advance { bytes_read, bytes_total, rows: builder.rows });
            }
            Ok::<_, ImportError>(())
        })?;
        Ok((builder, read))
    }

    /// Records the changes, moves a verified file to its place and makes it current.
    pub(super) fn publish(
        &self,
        aside: &Path,
        new: &DatasetEdition,
        rejects: Option<String>,
        report: &mut DatasetReport,
    ) -> Result<(), ImportError> {
        let Self { disk, folder, current, .. } = *self;
        if let Some(current) = current {
            let recorded = changes::record(disk, folder, current.name(), Ok(current), new, &new.identity())?;
            report.changes = Some(recorded);
        }
        let rejects_path = folder.rejects_of(&report.label);
        if let Some(text) = rejects {
            replace(disk, &rejects_path, text.as_bytes())?;
            report.rejects_file = Some(rejects_path);
        } else if rejects_path.exists() {
            doing("removing", &rejects_path, disk.remove(&rejects_path))?;
        }
        folder::publish(folder, disk, aside, &report.label)?;
        report.outcome = PublishResult::Published;
        Ok(())
    }

    fn date(&self, month: Option<Date>, entry: Option<Date>) -> (Date, DateOrigin) {
        let DatasetImport { date, today, .. } = *self.request;
        let found = [(month, DateOrigin::Rows), (entry, DateOrigin::ZipEntry)];
        let plausible = found.into_iter().find_map(|(found, origin)| Some((found?, origin)));
        let plausible = plausible.filter(|(found, _)| is_plausible(*found, today));
        date.map(|date| (date, DateOrigin::Request)).or(plausible).unwrap_or((today, DateOrigin::Today))
    }

    fn report(&self, read: &Report, label: String, date: Date, date_origin: DateOrigin) -> DatasetReport {
        DatasetReport {
            date_origin,
            rows: read.rows,
            left_out: read.left_out,
            rejected: read.bad_lines.iter().map(|(reason, count)| (reason.as_str(), count)).collect(),
            unread_values: read.unread_values.clone(),
            unlisted_values: read.unlisted_values.clone(),
            unlisted_wordings: read.unlisted_wordings.clone(),
            unknown_columns: read.unknown_columns.clone(),
            encoding: read.encoding,
            text_bytes: read.text_bytes,
            previous: self.current.map(|current| current.label().to_owned()),
            ..DatasetReport::of_edition(self.dataset.name, label, date)
        }
    }

    fn meta(&self, report: &DatasetReport, read: &Report) -> DatasetMeta {
        DatasetMeta {
            dataset: self.dataset.name.to_owned(),
            label: report.label.clone(),
            date: report.date,
            origin: self.request.origin,
            rows: report.rows,
            rucs: report.rucs,
            repeated: report.repeated,
            left_out: report.left_out,
            rejected: report.rejected_lines(),
            source: self.request.source.meta(read.sha256, read.file_bytes),
            fields: field_metas(self.dataset),
            forced: report.forced.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Whether the file begins as an edition. One that cannot be read is left to the reader, which says why.
fn is_edition(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == MAGIC
}
