//! Mails the changes of watched RUCs, the gravest first. A mail is added in the step that moves the account's place in the
//! feed, so a killed server neither loses nor repeats one.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    AccountId, ChangeFeed, Clock, DatasetStatus, Datasets, DatumChange, DigestRhythm, Digests, FeedChange, FeedCursor,
    FeedError, FeedQuery, FeedRucs, LeasedDigest, MailKind, NewDigest, NewMail, ProfileParts, StoreError,
    TaxpayerRegistry, WatchListId, WatchLists, WatchedSet, chain,
};

use super::is_shown;
use crate::accounts::sign_in::RandomSource;
use crate::calendar::{self, later};
use crate::webhooks::DeliverError;

const NAMED: usize = 50;
/// Accounts of one look: other mails wait.
const AT_ONCE: u32 = 20;
/// Longer than a look.
const LEASE: SignedDuration = SignedDuration::from_mins(1);
/// If the changes are not here yet.
const BEHIND: SignedDuration = SignedDuration::from_mins(1);
const PAGE: u32 = 10_000;

pub struct MailChanges {
    pub digests: Arc<dyn Digests>,
    pub lists: Arc<dyn WatchLists>,
    pub feed: Arc<dyn ChangeFeed>,
    pub registry: Arc<dyn TaxpayerRegistry>,
    pub datasets: Arc<dyn Datasets>,
    pub clock: Arc<dyn Clock>,
    pub random: RandomSource,
    pub in_words: fn(&DatumChange, &[DatasetStatus]) -> String,
}

#[derive(Default)]
struct Unread {
    total: usize,
    /// The gravest.
    named: Vec<FeedChange>,
    watched: Arc<WatchedSet>,
    next: FeedCursor,
}

impl MailChanges {
    /// # Errors
    /// [`DeliverError`].
    pub async fn set(&self, account: AccountId, rhythm: DigestRhythm) -> Result<(), DeliverError> {
        let (mut code, now) = ([0; 16], self.clock.now());
        (self.random)(&mut code)?;
        let (code, cursor) = (hex::encode(code), self.feed.newest().await?.to_string());
        let new = NewDigest { account, rhythm, code: &code, cursor: &cursor, now, due: next_due(rhythm, now) };
        Ok(self.digests.set_digest(&new).await?)
    }

    /// Returns whether more may be due.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn tell(&self) -> Result<bool, DeliverError> {
        let (newest, now) = (self.feed.newest().await?.to_string(), self.clock.now());
        let leased = self.digests.lease_digests(&newest, now, later(now, LEASE), AT_ONCE).await?;
        for digest in &leased {
            if let Err(error) = self.tell_account(digest).await {
                let account = digest.account.0;
                tracing::warn!(account, cause = chain(&error), "changes could not be mailed to an account");
            }
        }
        Ok(leased.len() == AT_ONCE as usize)
    }

    async fn tell_account(&self, digest: &LeasedDigest) -> Result<(), DeliverError> {
        // An invalid cursor is before everything.
        let after = digest.cursor.parse::<FeedCursor>().unwrap_or_default();
        let unread = match self.unread(digest, after.clone()).await {
            Err(DeliverError::Feed(FeedError::NotRecorded { .. })) => {
                let account = digest.account.0;
                tracing::warn!(account, "the change log starts after a digest's cursor: older changes are skipped");
                Unread { next: self.feed.recover(after.clone(), digest.since).await?, ..Unread::default() }
            }
            read => read?,
        };
        let now = self.clock.now();
        let due = match unread.total {
            0 if unread.next == after => later(now, BEHIND),
            0 => now,
            _ => next_due(digest.rhythm, now),
        };
        let mail = (unread.total > 0).then(|| self.mail(digest, &unread));
        self.digests.move_digest(digest, &unread.next.to_string(), due, mail.as_ref(), now).await?;
        Ok(())
    }

    async fn unread(&self, digest: &LeasedDigest, after: FeedCursor) -> Result<Unread, DeliverError> {
        if let Some(empty) = self.feed.empty_page(&after, digest.since).await? {
            return Ok(Unread { next: empty.next, ..Unread::default() });
        }
        let watched = Arc::new(self.shown(digest.account).await?);
        let mut unread = Unread { watched, next: after, ..Unread::default() };
        loop {
            let query = FeedQuery {
                after: unread.next.clone(),
                new_since: digest.since,
                rucs: FeedRucs::Watched(Arc::clone(&unread.watched)),
                data: None,
                limit: PAGE as usize,
                one_publication: false,
            };
            let page = self.feed.page(query).await?;
            unread.total += page.changes.len();
            unread.named.extend(page.changes);
            unread.named.sort_by_key(|change| change.what.rank());
            unread.named.truncate(NAMED);
            let is_end = page.is_last || page.next == unread.next;
            unread.next = page.next;
            if is_end {
                return Ok(unread);
            }
        }
    }

    /// Without persons that *Seguimiento* does not show yet.
    async fn shown(&self, account: AccountId) -> Result<WatchedSet, StoreError> {
        let (mut shown, mut after, now) = (WatchedSet::default(), None, self.clock.now());
        loop {
            let (page, _) = self.lists.watched(WatchListId::live(account), after, PAGE).await?;
            page.iter().filter(|entry| is_shown(entry, now)).for_each(|entry| shown.push(&entry.watched));
            after = page.last().map(|last| last.watched.ruc);
            if page.len() < PAGE as usize {
                return Ok(shown);
            }
        }
    }

    fn mail(&self, digest: &LeasedDigest, unread: &Unread) -> NewMail {
        let (snapshot, statuses) = (self.registry.snapshot(), self.datasets.statuses());
        let mut about = format!("{}\n{}", unread.total, digest.code);
        for FeedChange { ruc, what, .. } in &unread.named {
            let profile = snapshot.as_ref().and_then(|now| now.profile(*ruc, ProfileParts::NONE).ok()?);
            let name = profile.map(|profile| format!(" {}", profile.summary.name)).unwrap_or_default();
            let code = unread.watched.code(*ruc).map(|code| format!(" ({code})")).unwrap_or_default();
            let line = format!("{ruc}{name}{code}: {}", (self.in_words)(what, &statuses));
            about = about + "\n" + &line.replace(char::is_control, " ");
        }
        NewMail { kind: MailKind::Changes, account: Some(digest.account), to: digest.email.clone(), about, key: None }
    }
}

fn next_due(rhythm: DigestRhythm, now: Timestamp) -> Timestamp {
    match rhythm {
        DigestRhythm::Daily => calendar::next_morning(now),
        DigestRhythm::Off | DigestRhythm::Immediate => now,
    }
}
