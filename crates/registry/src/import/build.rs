//! Writes one edition to a temporary file and verifies it.

use std::path::Path;

use super::error::ImportError;
use super::index::IndexWriter;
use super::padron::Rows;
use super::parent::Parent;
use super::progress::{Progress, Stage};
use super::report::ImportReport;
use super::request::ImportRequest;
use super::sort::{sort, sort_all};
use crate::checksum::Checksum;
use crate::dataset::PADRON;
use crate::folder::disk::Disk;
use crate::format::header::{LISTS, META, WORDS};
use crate::format::lists::{self, Lists};
use crate::publish::guards::{self, Comparison, Guards};
use crate::{Meta, OpenEdition};

/// Sections of an edition of the padrón.
const SECTIONS: usize = 7;

/// One edition being written.
pub(crate) struct Build<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) aside: &'a Path,
    pub(crate) request: &'a ImportRequest,
    pub(crate) lists: Lists,
    pub(crate) parent: Option<&'a Parent>,
    pub(crate) sha256: Checksum,
    pub(crate) bytes: u64,
    pub(crate) progress: &'a dyn Progress,
}

/// An edition that was written and verified.
pub(crate) struct Built {
    pub(crate) edition: OpenEdition,
    /// The text of the rejects file.
    pub(crate) rejects: Option<String>,
}

impl Build<'_> {
    /// Writes and verifies the file, and completes the report.
    pub(crate) fn run(
        self,
        rows: Rows,
        mut guards: Guards,
        sequence: u64,
        report: &mut ImportReport,
    ) -> Result<Built, ImportError> {
        self.progress.stage(Stage::Index);
        let Rows { vocabulary, partitions, mut rejects, .. } = rows;
        let mut index = IndexWriter::create(self.disk, self.aside, SECTIONS)?;
        let sample = self.parent.map_or([].as_slice(), |parent| &parent.sample);
        let mut found = Comparison { sampled: sample.len() as u64, ..Comparison::default() };
        let sort = |number, partition: &_| sort(number, partition, &self.lists, sample);
        sort_all(partitions, sort, |sorted| {
            sorted.duplicates.iter().for_each(|&row_id| rejects.duplicate(row_id));
            found.present += sorted.present;
            found.changed += sorted.changed;
            index.buckets(&sorted)
        })?;
        report.rejections = rejects.counts;
        report.rows = index.rows();
        guards.object(guards::no_rows(report.rows))?;
        let rejected = report.rejections.total();
        guards.object(guards::rejected(PADRON.guards, rejected, report.rows + report.skipped + rejected))?;
        if let Some(parent) = self.parent {
            guards.object(guards::shrunk(PADRON.guards, report.rows, parent.rows))?;
            guards.object(guards::keys_gone(found, guards::PADRON_KEYS_KEPT))?;
            guards.object(guards::values_changed(found))?;
        }
        report.forced = guards.forced;
        index.end_rows()?;
        index.section(WORDS, &vocabulary.encode())?;
        drop(vocabulary);
        index.section(LISTS, &lists::encode(&self.lists))?;
        index.section(META, &self.meta(report))?;
        report.index_bytes = index.finish(sequence, self.parent.map_or([0; 32], |parent| parent.identity))?;

        self.progress.stage(Stage::Verification);
        let edition =
            OpenEdition::open_and_read_back(self.aside).map_err(|source| ImportError::Verification { source })?;
        Ok(Built { edition, rejects: rejects.into_text() })
    }

    fn meta(&self, report: &ImportReport) -> Vec<u8> {
        let meta = Meta {
            label: report.label.clone(),
            date: report.date,
            origin: self.request.origin,
            rows: report.rows,
            skipped: report.skipped,
            rejected: report.rejections.total(),
            padron: self.request.padron.meta(self.sha256, self.bytes),
            lists: report.lists.clone(),
            forced: report.forced.iter().map(ToString::to_string).collect(),
        };
        // A structure of texts and numbers always has a JSON form.
        serde_json::to_vec(&meta).unwrap_or_default()
    }
}
