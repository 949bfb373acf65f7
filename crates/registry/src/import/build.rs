//! Writes one edition to a temporary file and verifies it.

use std::path::Path;

use super::error::ImportError;
use super::index::IndexWriter;
use super::padron::Rows;
use super::parent::Parent;
use super::progress::{Progress, Stage};
use super::report::ImportReport;
use super::request::ImportRequest;
use super::sort::sort_all;
use crate::checksum::Checksum;
use crate::folder::disk::Disk;
use crate::format::header::{LISTS, META, WORDS};
use crate::format::lists::{self, Lists};
use crate::publish::guards::{self, Comparison, Guards};
use crate::{Meta, OpenEdition};

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

impl Build<'_> {
    /// Writes and verifies the file, completes the report and returns the text of the rejects file.
    pub(crate) fn run(
        self,
        rows: Rows,
        mut guards: Guards,
        sequence: u64,
        report: &mut ImportReport,
    ) -> Result<Option<String>, ImportError> {
        self.progress.stage(Stage::Index);
        let Rows { vocabulary, partitions, mut rejects, .. } = rows;
        let mut index = IndexWriter::create(self.disk, self.aside)?;
        let sample = self.parent.map_or([].as_slice(), |parent| &parent.sample);
        let mut found = Comparison { sampled: sample.len() as u64, ..Comparison::default() };
        sort_all(partitions, &self.lists, sample, |sorted| {
            sorted.duplicates.iter().for_each(|&row_id| rejects.duplicate(row_id));
            found.present += sorted.present;
            found.changed += sorted.changed;
            index.buckets(&sorted)
        })?;
        report.rejections = rejects.counts;
        report.rows = index.rows();
        guards.object(guards::no_rows(report.rows))?;
        let rejected = report.rejections.total();
        guards.object(guards::rejected(rejected, report.rows + report.skipped + rejected))?;
        if let Some(parent) = self.parent {
            guards.object(guards::shrunk(report.rows, parent.rows))?;
            guards.object(guards::keys_gone(found))?;
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
            padron: self.request.padron.meta(self.sha256, self.bytes),
            lists: report.lists.clone(),
            forced: report.forced.iter().map(ToString::to_string).collect(),
        };
        // A structure of texts and numbers always has a JSON form.
        serde_json::to_vec(&meta).unwrap_or_default()
    }
}
