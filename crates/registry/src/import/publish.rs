//! The course of an import: read, judge, write aside, verify, publish.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use kuraka_domain::Date;
use sha2::{Digest, Sha256};

use super::digest::hex;
use super::encode::Encoder;
use super::guard::{self, Guards};
use super::index::IndexWriter;
use super::list::{self, List, source_meta};
use super::padron::{self, Rows};
use super::parent::Parent;
use super::sort::sort_all;
use super::source::{Complete, Kind, Source};
use super::vocabulary::Vocabulary;
use super::{DateOrigin, Guard, ImportError, ImportReport, ImportRequest, Outcome, Progress, Stage};
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Folder, doing, next_sequence, replace, unfinished};
use crate::format::header::{DIRECTORY, LISTS, META, WORDS};
use crate::format::lists::Lists;
use crate::registry::open_best;
use crate::{ListMeta, Meta, OpenEdition, Origin};

/// No padrón is older; a zip entry that says so has no date.
const FIRST_YEAR: u16 = 2000;

/// Builds an edition from the files of `request` and makes it the current one of the registry in `folder`, which is
/// created if it does not exist.
///
/// A crash at any moment leaves the edition before or the new one, whole.
///
/// # Errors
/// [`ImportError`]; nothing was published and the current edition still is. Only if the very last step fails, the
/// syncing of the folder, may the new edition be current although an error is returned.
pub fn import(folder: &Path, request: &ImportRequest, progress: &dyn Progress) -> Result<ImportReport, ImportError> {
    import_on(&SystemDisk, folder, request, progress)
}

/// As [`import`], on a given disk.
pub(crate) fn import_on(
    disk: &dyn Disk,
    path: &Path,
    request: &ImportRequest,
    progress: &dyn Progress,
) -> Result<ImportReport, ImportError> {
    let folder = Folder::new(path);
    folder.create()?;
    let Some(_lock) = folder.lock()? else { return Err(ImportError::Busy { folder: path.to_owned() }) };
    folder.remove_unfinished(disk)?;
    let mut guards = Guards::new(request.force);
    let (current, _) = open_best(&folder)?;
    let previous = current.as_ref().map(|edition| edition.label().to_owned());
    let (parent, vocabulary) = parent_of(current, request.origin, &mut guards)?;

    progress.stage(Stage::Lists);
    let given = GivenLists {
        withholding: request.withholding.as_ref().map(list::read).transpose()?,
        good_taxpayers: request.good_taxpayers.as_ref().map(list::read).transpose()?,
    };

    for list in given.iter().filter(|list| list.row_ids.is_empty()) {
        guards.object(Some(Guard::EmptyList { name: list.meta.source.name.clone() }))?;
    }

    progress.stage(Stage::Padron);
    let name = &request.padron.name;
    let read = AtomicU64::new(0);
    let source = Source::open(&request.padron.path, Kind::Padron, &read)
        .map_err(|source| ImportError::Source { name: name.clone(), source })?;
    let (date, date_origin) = date_of(request, source.entry_date);
    guards.object(parent.as_ref().and_then(|parent| guard::older(date, parent.date)))?;
    let bytes = source.bytes;
    let rows = padron::read(source, vocabulary, name, &read, progress)?;
    let Complete { sha256, text_bytes } = rows.complete;

    let label = label(date, sha256, &given);
    let (lists, withholding, good_taxpayers) = given.over(parent.as_ref(), &label);
    let mut report = ImportReport {
        outcome: Outcome::Unchanged,
        label: label.clone(),
        date,
        date_origin,
        rows: rows.accepted,
        skipped: rows.skipped,
        rejections: rows.rejects.counts,
        rejects_file: None,
        withholding,
        good_taxpayers,
        forced: Vec::new(),
        text_bytes,
        index_bytes: 0,
        previous,
    };
    if report.previous.as_ref() == Some(&label) && !request.force {
        return Ok(report);
    }
    guards.object(guard::rolled_back(&label, &folder.rolled_back()?))?;

    let aside = unfinished(&folder.edition(&label));
    let built = Build { disk, aside: &aside, request, lists, parent: parent.as_ref(), sha256, bytes, progress }
        .run(rows, guards, next_sequence(&folder)?, &mut report)
        .and_then(|rejects| publish(disk, &folder, &aside, rejects, &mut report, progress));
    if built.is_err() {
        // What cannot be removed now is removed by the next import.
        let _ = disk.remove(&aside);
    }
    built.map(|()| report)
}

/// One edition being written aside.
struct Build<'a> {
    disk: &'a dyn Disk,
    aside: &'a Path,
    request: &'a ImportRequest,
    lists: Lists,
    parent: Option<&'a Parent>,
    sha256: [u8; 32],
    bytes: u64,
    progress: &'a dyn Progress,
}

impl Build<'_> {
    /// Writes and verifies the file, completes the report and returns the text of the rejects file.
    fn run(
        self,
        rows: Rows,
        mut guards: Guards,
        sequence: u64,
        report: &mut ImportReport,
    ) -> Result<Option<String>, ImportError> {
        self.progress.stage(Stage::Index);
        let Rows { encoder: Encoder { vocabulary, partitions, .. }, mut rejects, .. } = rows;
        let mut index = IndexWriter::create(self.disk, self.aside)?;
        let sample = self.parent.map_or([].as_slice(), |parent| &parent.sample);
        let mut present = 0;
        sort_all(partitions, &self.lists, sample, |sorted| {
            sorted.duplicates.into_iter().for_each(|row_id| rejects.duplicate(row_id));
            present += sorted.sampled;
            index.blocks(&sorted.bytes, &sorted.blocks)
        })?;
        let directory = index.end_rows();
        report.rejections = rejects.counts;
        report.rows = index.rows();
        guards.object(guard::no_rows(report.rows))?;
        guards.object(guard::rejected(&report.rejections, report.rows, report.skipped))?;
        if let Some(parent) = self.parent {
            guards.object(guard::shrunk(report.rows, parent.rows))?;
            guards.object(guard::keys_gone(sample.len() as u64, present))?;
        }
        report.forced = guards.forced;
        index.section(DIRECTORY, &directory)?;
        index.section(WORDS, &vocabulary.encode())?;
        drop(vocabulary);
        index.section(LISTS, &self.lists.encode())?;
        index.section(META, &self.meta(report))?;
        report.index_bytes = index.finish(sequence, self.parent.map_or([0; 32], |parent| parent.identity))?;

        self.progress.stage(Stage::Verification);
        OpenEdition::open_and_read_back(self.aside).map_err(|source| ImportError::Verification { source })?;
        Ok(rejects.into_text())
    }

    fn meta(&self, report: &ImportReport) -> Vec<u8> {
        let meta = Meta {
            label: report.label.clone(),
            date: report.date,
            origin: self.request.origin,
            rows: report.rows,
            skipped: report.skipped,
            rejected: report.rejections.total(),
            padron: source_meta(&self.request.padron, self.sha256, self.bytes),
            withholding: report.withholding.clone(),
            good_taxpayers: report.good_taxpayers.clone(),
            forced: report.forced.iter().map(ToString::to_string).collect(),
        };
        // A structure of texts and numbers always has a JSON form.
        serde_json::to_vec(&meta).unwrap_or_default()
    }
}

/// Moves a verified file to its place and makes it current.
fn publish(
    disk: &dyn Disk,
    folder: &Folder,
    aside: &Path,
    rejects: Option<String>,
    report: &mut ImportReport,
    progress: &dyn Progress,
) -> Result<(), ImportError> {
    progress.stage(Stage::Publication);
    let rejects_path = folder.rejects_of(&report.label);
    if let Some(text) = rejects {
        replace(disk, &rejects_path, text.as_bytes())?;
        report.rejects_file = Some(rejects_path);
    } else if rejects_path.exists() {
        doing("removing", &rejects_path, disk.remove(&rejects_path))?;
    }
    folder.publish(disk, aside, &report.label)?;
    report.outcome = Outcome::Published;
    Ok(())
}

/// The edition to build over, and its dictionary. The sample and real data have nothing in common.
fn parent_of(
    current: Option<OpenEdition>,
    origin: Origin,
    guards: &mut Guards,
) -> Result<(Option<Parent>, Vocabulary), ImportError> {
    let Some(current) = current else { return Ok((None, Vocabulary::new())) };
    if current.meta().origin != origin {
        guards.object(guard::sample_over_published(origin, current.label()))?;
        return Ok((None, Vocabulary::new()));
    }
    let (parent, vocabulary) = Parent::new(&current)?;
    Ok((Some(parent), vocabulary))
}

fn date_of(request: &ImportRequest, entry: Option<Date>) -> (Date, DateOrigin) {
    let plausible = entry.filter(|&date| date.year() >= FIRST_YEAR && date <= request.today);
    match (request.date, plausible) {
        (Some(date), _) => (date, DateOrigin::Request),
        (None, Some(date)) => (date, DateOrigin::ZipEntry),
        (None, None) => (request.today, DateOrigin::Today),
    }
}

/// The lists that came with the request.
struct GivenLists {
    withholding: Option<List>,
    good_taxpayers: Option<List>,
}

impl GivenLists {
    fn iter(&self) -> impl Iterator<Item = &List> {
        [&self.withholding, &self.good_taxpayers].into_iter().flatten()
    }

    /// The lists in force: those given, else the parent's. An import without a list must not turn every SI into NO.
    fn over(self, parent: Option<&Parent>, label: &str) -> (Lists, Option<ListMeta>, Option<ListMeta>) {
        let choose = |given: Option<List>, old: Option<(&Vec<u32>, &Option<ListMeta>)>| match (given, old) {
            (Some(list), _) => (list.row_ids, Some(ListMeta { edition: label.to_owned(), ..list.meta })),
            (None, Some((row_ids, meta))) => (row_ids.clone(), meta.clone()),
            (None, None) => (Vec::new(), None),
        };
        let (withholding, withholding_meta) =
            choose(self.withholding, parent.map(|parent| (&parent.lists.withholding, &parent.withholding)));
        let (good_taxpayers, good_taxpayers_meta) =
            choose(self.good_taxpayers, parent.map(|parent| (&parent.lists.good_taxpayers, &parent.good_taxpayers)));
        (Lists { withholding, good_taxpayers }, withholding_meta, good_taxpayers_meta)
    }
}

/// `YYYY-MM-DD-<8 hex>`: of the padrón's digest, or of all digests if lists came with it.
fn label(date: Date, padron: [u8; 32], given: &GivenLists) -> String {
    let lists: Vec<[u8; 32]> = given.iter().map(|list| list.sha256).collect();
    let digest = if lists.is_empty() {
        padron
    } else {
        let all =
            std::iter::once(padron).chain(lists).fold(Sha256::new(), |sha256, digest| sha256.chain_update(digest));
        all.finalize().into()
    };
    format!("{date}-{}", hex(digest.first_chunk::<4>().unwrap_or(&[0; 4])))
}
