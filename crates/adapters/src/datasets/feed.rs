//! The feed of changes, read from the change lists in the registry's folder.
//!
//! A call reads a bounded number of blocks that may concern the requested RUCs. The last blocks stay in memory, so that
//! the accounts that ask after a publication read its list once.

pub(super) mod data;
mod track;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_ports::{
    ChangeFeed, ChangedDatum, FeedChange, FeedCursor, FeedError, FeedPage, FeedPlace, FeedQuery, FeedRucs,
};
use kuraka_registry::BlockError;
use kuraka_registry::changes::{Change, ChangeList, ListFacts, Publication, PublicationReader};
use kuraka_registry::dataset::{ALL, Dataset};
use parking_lot::Mutex;
use tokio::task::spawn_blocking;

pub(super) use data::all as all_data;
use track::{Next, Track};

/// Lists opened and blocks read for one page: about a tenth of a second.
const READS: usize = 4096;
/// Cached blocks of some ten kilobytes.
const BLOCKS: u64 = 1024;

#[derive(Clone)]
pub struct FolderFeed {
    /// In the order of datasets.
    readers: Arc<Mutex<Vec<PublicationReader>>>,
    /// By publication, number of changes and index: a rollback may read an earlier list in reverse, and a list without a
    /// forgotten person has fewer changes.
    blocks: moka::sync::Cache<(PathBuf, u64, u64, usize), Arc<Vec<Change>>>,
    reads: usize,
}

struct Reading<'a> {
    query: &'a FeedQuery,
    tracks: &'a [Track],
    /// The next publication of each track.
    next: Vec<usize>,
    within: Option<FeedPlace>,
    changes: Vec<FeedChange>,
    /// Where the next page begins, if there is one more change than the limit.
    full: Option<FeedCursor>,
    reads: usize,
    blocks: usize,
}

impl FolderFeed {
    pub fn new(registry: &Path, enabled: &[&'static Dataset]) -> Self {
        let has_feed = |dataset: &&&'static Dataset| {
            dataset.history.is_some() && enabled.iter().any(|enabled| enabled.name == dataset.name)
        };
        let readers = ALL.iter().filter(has_feed).map(|dataset| PublicationReader::new(registry, dataset)).collect();
        let blocks = moka::sync::Cache::new(BLOCKS);
        Self { readers: Arc::new(Mutex::new(readers)), blocks, reads: READS }
    }

    /// The same, with at most so many lists and blocks read for a page.
    #[must_use]
    pub fn reading_at_most(self, reads: usize) -> Self {
        Self { reads, ..self }
    }

    fn tracks(&self) -> Result<Vec<Track>, FeedError> {
        let mut readers = self.readers.lock();
        let track =
            |reader: &mut PublicationReader| Ok(Track { dataset: reader.dataset(), publications: reader.read()? });
        readers.iter_mut().map(track).collect::<Result<_, _>>().map_err(unreadable::<kuraka_registry::FileError>)
    }

    async fn reading<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, FeedError> + Send + 'static,
    ) -> Result<T, FeedError> {
        let feed = self.clone();
        spawn_blocking(move || work(&feed)).await.map_err(unreadable)?
    }

    fn read_page(&self, query: &FeedQuery) -> Result<FeedPage, FeedError> {
        let tracks = self.tracks()?;
        let next = match track::next(&tracks, &query.after, query.new_since)? {
            Next::Publications(next) => next,
            Next::Empty(page) => return Ok(page),
        };
        // The dataset is not enabled here. Once it is, its publication is told from the start.
        let within = query.after.within.clone().filter(|within| track::has(&tracks, &within.dataset));
        let (changes, reads) = (Vec::new(), self.reads);
        let mut reading = Reading { query, tracks: &tracks, next, within, changes, full: None, reads, blocks: 0 };
        let is_last = loop {
            let Some((at, dataset, publication)) = reading.head() else { break true };
            if reading.reads == 0 {
                break false;
            }
            let is_whole = match publication.changes_by_block() {
                // `Track::after` refuses a cursor that is behind a gap.
                None => true,
                Some((path, list)) => match self.read_publication(&mut reading, dataset, publication, (path, list)) {
                    Ok(is_whole) => is_whole,
                    Err(BlockError::File(error)) => return Err(unreadable(error)),
                    Err(_) => {
                        let mut readers = self.readers.lock();
                        readers.iter_mut().for_each(|reader| reader.give_up(path));
                        drop(readers);
                        return Err(FeedError::NotRecorded { since: track::first_date(&self.tracks()?) });
                    }
                },
            };
            if !is_whole {
                break false;
            }
            reading.step(at);
            if query.one_publication && !reading.changes.is_empty() {
                break reading.head().is_none();
            }
        };
        // A page that could be filled ends with its last change if there are more.
        let full = reading.full.take().filter(|_| reading.is_over());
        let next = full.unwrap_or_else(|| reading.cursor());
        reading.changes.truncate(query.limit);
        Ok(FeedPage { changes: reading.changes, next, is_last, blocks: reading.blocks })
    }

    /// Reads the changes of a dataset's publication. `false` = the page is full, or its reads are used up.
    fn read_publication(
        &self,
        reading: &mut Reading<'_>,
        dataset: &Dataset,
        publication: &Publication,
        (path, list): (&Path, Result<ChangeList, BlockError>),
    ) -> Result<bool, BlockError> {
        let list = list?;
        reading.reads = reading.reads.saturating_sub(1);
        for block in 0..list.blocks() {
            let next_block = list.first(block + 1);
            if !reading.may_have(list.first(block), next_block) {
                continue;
            }
            if reading.reads == 0 {
                return Ok(false);
            }
            reading.reads -= 1;
            reading.blocks += 1;
            let key = (path.to_owned(), publication.to.number, list.facts().counts.total(), block);
            let changes = match self.blocks.get(&key) {
                Some(changes) => changes,
                None => {
                    let changes = Arc::new(list.block(block)?);
                    self.blocks.insert(key, Arc::clone(&changes));
                    changes
                }
            };
            let mut rucs = reading.rucs_from(list.first(block));
            for change in changes.iter() {
                let is_asked = match &reading.query.rucs {
                    FeedRucs::Companies => change.ruc.kind() == RucKind::LegalPerson,
                    FeedRucs::Watched(_) => {
                        let smaller = rucs.iter().take_while(|ruc| **ruc < change.ruc).count();
                        rucs = rucs.get(smaller..).unwrap_or_default();
                        rucs.first() == Some(&change.ruc)
                    }
                };
                if is_asked && reading.push(dataset, publication, list.facts(), change) {
                    return Ok(false);
                }
            }
            if let Some(last) = changes.last() {
                reading.go_behind(dataset, publication, last.ruc, FeedPlace::ALL);
            }
        }
        Ok(true)
    }
}

impl<'a> Reading<'a> {
    /// The next publication, its dataset and track: the one that the cursor is in, else the one whose list was written
    /// first.
    fn head(&self) -> Option<(usize, &'static Dataset, &'a Publication)> {
        let within = self.within.as_ref().map(|within| within.dataset.as_str());
        let tracks = self.tracks.iter().zip(&self.next).enumerate();
        let begun = tracks.filter(|(_, (track, _))| within.is_none_or(|within| within == track.dataset.name));
        let heads =
            begun.filter_map(|(at, (track, next))| Some((at, track.dataset, track.publications.steps.get(*next)?)));
        heads.min_by_key(|(at, _, head)| (head.written, *at))
    }

    fn step(&mut self, at: usize) {
        if let Some(next) = self.next.get_mut(at) {
            *next += 1;
        }
        self.within = None;
    }

    fn cursor(&self) -> FeedCursor {
        FeedCursor { within: self.within.clone(), ..track::cursor(self.tracks, &self.next, &self.query.after) }
    }

    /// Whether there are more changes than the page may have.
    fn is_over(&self) -> bool {
        self.changes.len() > self.query.limit
    }

    /// Whether a block that begins with `first`, and whose successor begins with `next`, may have requested changes.
    fn may_have(&self, first: Option<Ruc>, next: Option<Ruc>) -> bool {
        let is_behind = |ruc: Ruc| next.is_some_and(|next| next <= ruc);
        if self.within.as_ref().is_some_and(|within| is_behind(within.ruc)) {
            return false;
        }
        match &self.query.rucs {
            FeedRucs::Companies => next.is_none_or(|next| next.kind() == RucKind::LegalPerson),
            FeedRucs::Watched(_) => self.rucs_from(first).first().is_some_and(|ruc| !is_behind(*ruc)),
        }
    }

    /// The watched RUCs from this one on.
    fn rucs_from(&self, first: Option<Ruc>) -> &'a [Ruc] {
        let FeedRucs::Watched(set) = &self.query.rucs else { return &[] };
        let rucs = set.rucs();
        rucs.get(rucs.partition_point(|ruc| Some(*ruc) < first)..).unwrap_or_default()
    }

    /// Moves the cursor behind so many data of a taxpayer.
    fn go_behind(&mut self, dataset: &Dataset, publication: &Publication, ruc: Ruc, told: u32) {
        let (dataset, label) = (dataset.name.to_owned(), publication.to.label.clone());
        self.within = Some(FeedPlace { dataset, ruc, told, label });
    }

    /// Adds a taxpayer's changes after the cursor. `true` = the page is full, and there is one more.
    fn push(&mut self, dataset: &Dataset, publication: &Publication, facts: &ListFacts, change: &Change) -> bool {
        let ruc = change.ruc;
        let told = match &self.within {
            Some(within) if ruc < within.ruc => return false,
            Some(within) if ruc == within.ruc => within.told,
            _ => 0,
        };
        if let Some(date) = publication.date() {
            let found = data::changes(dataset, &facts.fields, change);
            for (place, what) in (1_u32..).zip(found).skip(told as usize) {
                if self.query.data.as_ref().is_some_and(|data| !data.contains(&what.datum)) {
                    continue;
                }
                let edition = publication.to.label.as_str().into();
                self.changes.push(FeedChange { ruc, date, edition, what });
                if self.is_over() {
                    return true;
                }
                self.go_behind(dataset, publication, ruc, place);
                if self.changes.len() == self.query.limit {
                    self.full = Some(self.cursor());
                }
            }
        }
        self.go_behind(dataset, publication, ruc, FeedPlace::ALL);
        false
    }
}

fn unreadable<E: std::error::Error + Send + Sync + 'static>(error: E) -> FeedError {
    FeedError::Unreadable(Box::new(error))
}

#[async_trait]
impl ChangeFeed for FolderFeed {
    fn data(&self) -> Vec<ChangedDatum> {
        data::all()
    }

    async fn newest(&self) -> Result<FeedCursor, FeedError> {
        self.reading(|feed| {
            let tracks = feed.tracks()?;
            Ok(FeedCursor { positions: tracks.iter().filter_map(Track::last).collect(), within: None })
        })
        .await
    }

    async fn since(&self, date: Date) -> Result<FeedCursor, FeedError> {
        self.reading(move |feed| {
            let tracks = feed.tracks()?;
            let first = track::first_date(&tracks);
            if first.is_none_or(|first| date < first) {
                return Err(FeedError::NotRecorded { since: first });
            }
            let position = |track: &Track| track.before(track.since(date));
            Ok(FeedCursor { positions: tracks.iter().filter_map(position).collect(), within: None })
        })
        .await
    }

    async fn recover(&self, cursor: FeedCursor, new_since: Timestamp) -> Result<FeedCursor, FeedError> {
        self.reading(move |feed| {
            let tracks = feed.tracks()?;
            let (mut positions, mut within) = (Vec::new(), cursor.within.clone());
            for track in &tracks {
                let recovered = track.recovered(&cursor, new_since);
                if recovered.is_some() {
                    within.take_if(|within| within.dataset == track.dataset.name);
                }
                positions.extend(recovered.or_else(|| cursor.position(track.dataset.name).cloned()));
            }
            positions.extend(track::others(&tracks, &cursor));
            Ok(FeedCursor { positions, within })
        })
        .await
    }

    async fn empty_page(&self, after: &FeedCursor, new_since: Timestamp) -> Result<Option<FeedPage>, FeedError> {
        let after = after.clone();
        self.reading(move |feed| match track::next(&feed.tracks()?, &after, new_since)? {
            Next::Publications(_) => Ok(None),
            Next::Empty(page) => Ok(Some(page)),
        })
        .await
    }

    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError> {
        self.reading(move |feed| feed.read_page(&query)).await
    }
}
