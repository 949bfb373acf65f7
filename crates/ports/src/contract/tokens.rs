//! What [`Tokens`] promises.

use std::sync::Arc;

use ipnet::IpNet;
use jiff::Timestamp;

use super::samples::{LATER, NOW, account, digest, latest, named_since, token};
use super::together;
use crate::{
    AccountId, AccountStatus, Accounts, Changed, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewToken, OldRows,
    Retention, Revision, StoreErrorKind, TokenId, Tokens,
};

/// Also if the digest was unknown a moment ago. Sign-ups and new tokens cannot empty the caches.
pub async fn a_new_token_works_at_once_and_is_no_change<S: Accounts + Tokens>(store: Arc<S>) {
    let before = latest(&*store).await;
    let (account, other) = (account(&*store, 1).await, account(&*store, 2).await.id);
    assert_eq!(find(&*store, 1).await, None);
    let allowed: Vec<IpNet> =
        ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"].iter().map(|net| net.parse().expect("a network")).collect();
    let new = NewToken { expires: Some(LATER), allowed: allowed.clone(), ..token(account.id, 1) };
    let made = Tokens::create(&*store, &new).await.expect("an account that exists");
    assert_eq!((made.name.as_str(), made.prefix.as_str()), ("token 1", "kur_0001"));
    assert_eq!((made.created, made.revoked, made.last_used), (NOW, None, None));
    assert_eq!((made.expires, &made.allowed), (Some(LATER), &allowed));
    let credential = Credential { token: made.id, account: account.clone(), expires: Some(LATER), allowed };
    assert_eq!(find(&*store, 1).await, Some(credential.clone()));
    let plain = make(&*store, account.id, 2).await;
    let found = find(&*store, 2).await.map(|found| (found.token, found.expires, found.allowed));
    assert_eq!(found, Some((plain, None, Vec::new())));
    assert_eq!(store.list(account.id).await.expect("a store that answers").first(), Some(&made));
    assert_eq!(store.list(other).await.expect("a store that answers"), []);
    for (owner, number, refused) in
        [(other, 1, StoreErrorKind::Conflict), (AccountId(other.0 + 1000), 3, StoreErrorKind::Missing)]
    {
        let refusal = Tokens::create(&*store, &token(owner, number)).await.expect_err("a known digest or no account");
        assert_eq!(refusal.kind, refused);
    }
    assert_eq!((find(&*store, 1).await, find(&*store, 3).await), (Some(credential), None));
    assert_eq!(latest(&*store).await, before);
    assert_eq!(named_since(&*store, before).await, (vec![], vec![]));
    store.set_status(account.id, AccountStatus::Suspended).await.expect("an account that exists");
    let status = find(&*store, 2).await.map(|found| found.account.status);
    assert_eq!(status, Some(AccountStatus::Suspended), "as it is now");
}

pub async fn an_unknown_digest_is_absent<S: Accounts + Tokens>(store: Arc<S>) {
    make(&*store, account(&*store, 1).await.id, 1).await;
    assert_eq!(find(&*store, 2).await, None);
}

/// By its owner or a command. A cache keeps all other tokens, even of the same account.
pub async fn a_token_is_revoked_once_and_named_alone<S: Accounts + Tokens>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let ids = [make(&*store, owner, 3).await, make(&*store, owner, 1).await, make(&*store, owner, 2).await];
    let key = store.token_key().await.expect("a store that answers");
    assert_ne!(key.0, [0; 32]);
    let before = latest(&*store).await;
    for (by, id) in [(Some(other), ids[1]), (None, TokenId(ids[1].0 + 1000))] {
        assert!(!store.revoke(by, id, NOW).await.expect("a store that answers"));
    }
    assert!(find(&*store, 1).await.is_some());
    assert_eq!(latest(&*store).await, before);
    for now in [NOW, LATER] {
        assert!(store.revoke(Some(owner), ids[1], now).await.expect("a store that answers"));
    }
    assert_eq!(find(&*store, 1).await, None);
    assert!(find(&*store, 2).await.is_some() && find(&*store, 3).await.is_some());
    assert_eq!(named_since(&*store, before).await, (vec![], vec![ids[1]]));
    let between = latest(&*store).await;
    assert!(between.number > before.number);
    assert!(store.revoke(None, ids[2], LATER).await.expect("a store that answers"));
    assert_eq!(named_since(&*store, between).await, (vec![], vec![ids[2]]));
    let listed = store.list(owner).await.expect("a store that answers");
    assert_eq!(listed.iter().map(|token| token.id).collect::<Vec<_>>(), ids, "the oldest first");
    assert_eq!(listed.iter().map(|token| token.revoked).collect::<Vec<_>>(), [None, Some(NOW), Some(LATER)]);
    assert_eq!(store.token_key().await.expect("a store that answers"), key);
}

/// In any order of recording; unknown tokens are ignored.
pub async fn the_latest_use_is_stored_and_is_no_change<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let (one, two) = (make(&*store, owner, 1).await, make(&*store, owner, 2).await);
    let before = latest(&*store).await;
    let uses = [(one, LATER), (TokenId(two.0 + 1000), NOW)];
    store.note_uses(&uses).await.expect("a store that answers");
    store.note_uses(&[(one, NOW)]).await.expect("a store that answers");
    let listed = store.list(owner).await.expect("a store that answers");
    assert_eq!(listed.iter().map(|token| token.last_used).collect::<Vec<_>>(), [Some(LATER), None]);
    assert_eq!(named_since(&*store, before).await, (vec![], vec![]));
}

/// Revoked or expired before the instant; reported as no change.
pub async fn tokens_that_ended_long_ago_are_swept<S: Accounts + Retention + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let create = async |number, expires| {
        let new = NewToken { expires, ..token(owner, number) };
        Tokens::create(&*store, &new).await.expect("a digest that is free").id
    };
    create(1, Some(NOW)).await;
    let expires_later = create(2, Some(LATER)).await;
    let (revoked, revoked_later, active) = (create(3, None).await, create(4, None).await, create(5, None).await);
    store.revoke(None, revoked, NOW).await.expect("a store that answers");
    store.revoke(None, revoked_later, LATER).await.expect("a store that answers");
    let before = latest(&*store).await;
    store.delete_old(OldRows::EndedTokens, LATER).await.expect("a store that answers");
    let left: Vec<_> = store.list(owner).await.expect("a store that answers").iter().map(|token| token.id).collect();
    assert_eq!(left, [expires_later, revoked_later, active]);
    assert!(find(&*store, 5).await.is_some());
    assert_eq!(latest(&*store).await, before);
}

/// Creating and revoking in a loop does not grow the store. Of tokens that ended at the same instant, the ones created
/// later stay.
pub async fn only_the_latest_ended_tokens_are_kept<S: Accounts + Tokens>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let create = async |number, expires| {
        let new = NewToken { created: LATER, expires, ..token(owner, number) };
        Tokens::create(&*store, &new).await.expect("a digest that is free").id
    };
    let stays = make(&*store, other, 254).await;
    store.revoke(None, stays, NOW).await.expect("a store that answers");
    // The revocation is its end.
    let revoked_first = create(250, Some(LATER)).await;
    store.revoke(None, revoked_first, NOW).await.expect("a store that answers");
    let active = [create(255, None).await, create(253, Some(AFTER_LATER)).await];
    let mut ids = Vec::new();
    // Half are revoked, half have expired, all at the same instant.
    for number in 0..MAX_ENDED_TOKENS as u8 + 5 {
        let expires = (number % 2 == 0).then_some(LATER);
        let id = create(number, expires).await;
        if expires.is_none() {
            store.revoke(None, id, LATER).await.expect("a store that answers");
        }
        ids.push(id);
    }
    ids.push(create(200, None).await);
    let left: Vec<_> = store.list(owner).await.expect("a store that answers").iter().map(|token| token.id).collect();
    let kept = active.into_iter().chain(ids.into_iter().skip(5)).collect::<Vec<_>>();
    assert_eq!(left, kept, "the longest ended are gone");
    assert_eq!(store.list(other).await.expect("a store that answers").len(), 1);
}

pub async fn each_of_many_revocations_is_named<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut ids = Vec::new();
    for number in 0..32 {
        ids.push(make(&*store, owner, number).await);
    }
    let before = latest(&*store).await;
    let revoke = |store: Arc<S>, id| async move { store.revoke(None, id, LATER).await };
    for outcome in together(&store, ids.clone(), revoke).await {
        assert!(outcome.expect("a store that answers"));
    }
    let (accounts, mut tokens) = named_since(&*store, before).await;
    tokens.sort();
    assert_eq!((accounts, tokens), (vec![], ids));
    assert_eq!(latest(&*store).await.number, before.number + 32);
}

/// As after a restore of an older backup.
pub async fn changes_since_an_unknown_revision_are_everything<S: Accounts + Tokens>(store: Arc<S>) {
    let id = make(&*store, account(&*store, 1).await.id, 1).await;
    store.revoke(None, id, LATER).await.expect("a store that answers");
    let known = latest(&*store).await;
    for since in [Revision { number: known.number + 1, ..known }, Revision::UNREACHED] {
        let changes = store.changes(since).await.expect("a store that answers");
        assert_eq!((changes.latest, changes.what), (latest(&*store).await, Changed::Everything));
    }
}

/// As after a failover that undid changes which the caller has seen, whether others came since or not.
pub async fn changes_since_another_epoch_are_everything<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let ids = [make(&*store, owner, 1).await, make(&*store, owner, 2).await];
    store.revoke(None, ids[0], LATER).await.expect("a store that answers");
    let known = latest(&*store).await;
    let other = Revision { epoch: known.epoch ^ 1, ..known };
    for since in [known, other] {
        let changes = store.changes(since).await.expect("a store that answers");
        assert_eq!(changes.what == Changed::Everything, since == other);
    }
    store.revoke(None, ids[1], LATER).await.expect("a store that answers");
    assert_eq!(named_since(&*store, known).await, (vec![], vec![ids[1]]));
    assert_eq!(store.changes(other).await.expect("a store that answers").what, Changed::Everything);
}

/// A number that is given again is noticed.
pub async fn each_revision_has_its_own_epoch<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut epochs = vec![latest(&*store).await.epoch];
    for number in 0..8 {
        let id = make(&*store, owner, number).await;
        store.revoke(None, id, LATER).await.expect("a store that answers");
        epochs.push(latest(&*store).await.epoch);
    }
    epochs.sort_unstable();
    epochs.dedup();
    assert_eq!(epochs.len(), 9);
}

/// Ended tokens and those of other accounts do not count; a revocation makes room.
pub async fn concurrent_creations_keep_the_limit_of_live_tokens<S: Accounts + Tokens>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    make(&*store, other, 255).await;
    let revoked = make(&*store, owner, 254).await;
    store.revoke(None, revoked, NOW).await.expect("a store that answers");
    let expired = NewToken { expires: Some(NOW), ..token(owner, 253) };
    Tokens::create(&*store, &expired).await.expect("an account that exists");
    for number in 0..MAX_ACTIVE_TOKENS as u8 - 2 {
        make(&*store, owner, number).await;
    }
    let create = |store: Arc<S>, number| async move { Tokens::create(&*store, &token(owner, number)).await };
    let (mut made, mut refused) = (Vec::new(), 0);
    for created in together(&store, 100..108, create).await {
        match created {
            Ok(token) => made.push(token.id),
            Err(error) => {
                assert_eq!(error.kind, StoreErrorKind::LimitReached);
                refused += 1;
            }
        }
    }
    assert_eq!((made.len(), refused), (2, 6));
    let one = made.pop().expect("two were made");
    store.revoke(None, one, NOW).await.expect("a store that answers");
    make(&*store, owner, 200).await;
    let refusal = Tokens::create(&*store, &token(owner, 201)).await.expect_err("as many as there may be");
    assert_eq!(refusal.kind, StoreErrorKind::LimitReached);
}

const AFTER_LATER: Timestamp = Timestamp::constant(1_795_000_120, 0);

async fn make<S: Tokens>(store: &S, owner: AccountId, number: u8) -> TokenId {
    store.create(&token(owner, number)).await.expect("a digest that is free").id
}

async fn find<S: Tokens>(store: &S, number: u8) -> Option<Credential> {
    store.find(&digest(number)).await.expect("a store that answers")
}
