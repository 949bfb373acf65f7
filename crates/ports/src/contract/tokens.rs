//! What [`Tokens`] promises.

use std::sync::Arc;

use ipnet::IpNet;
use jiff::Timestamp;
use tokio::task::JoinSet;

use super::samples::{LATER, NOW, account, digest, latest, named_since, token};
use crate::{
    AccountId, Accounts, Changed, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewToken, Revision, StoreErrorKind,
    TokenId, Tokens,
};

pub async fn expiry_and_networks_are_stored<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let allowed: Vec<IpNet> =
        ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1/32"].iter().map(|net| net.parse().expect("a network")).collect();
    let new = NewToken { expires: Some(LATER), allowed: allowed.clone(), ..token(owner, 1) };
    let made = Tokens::create(&*store, &new).await.expect("an account that exists");
    assert_eq!((made.expires, &made.allowed, made.last_used), (Some(LATER), &allowed, None));
    assert_eq!(store.list(owner).await.expect("a store that answers"), [made]);
    let found = find(&*store, 1).await.expect("an active token");
    assert_eq!((found.expires, found.allowed), (Some(LATER), allowed));
}

pub async fn an_account_cannot_revoke_anothers_token<S: Accounts + Tokens>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let id = make(&*store, owner, 1).await;
    let before = latest(&*store).await;
    assert!(!store.revoke(Some(other), id, NOW).await.expect("a store that answers"));
    assert!(find(&*store, 1).await.is_some());
    assert_eq!(named_since(&*store, before).await, (vec![], vec![]));
    assert!(store.revoke(Some(owner), id, NOW).await.expect("a store that answers"));
    assert!(store.revoke(Some(owner), id, LATER).await.expect("a store that answers"));
    assert_eq!(find(&*store, 1).await, None);
    assert_eq!(named_since(&*store, before).await, (vec![], vec![id]));
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

pub async fn the_token_key_stays_the_same<S: Accounts + Tokens>(store: Arc<S>) {
    let key = async || store.token_key().await.expect("a store that answers");
    let first = key().await;
    let id = make(&*store, account(&*store, 1).await.id, 1).await;
    store.revoke(None, id, LATER).await.expect("a store that answers");
    assert_eq!(key().await, first);
    assert_ne!(first.0, [0; 32]);
}

/// Revoked or expired before the instant, at most `limit` of them; reported as no change.
pub async fn tokens_that_ended_long_ago_are_swept<S: Accounts + Tokens>(store: Arc<S>) {
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
    let mut swept = Vec::new();
    for _ in 0..3 {
        swept.push(Tokens::sweep(&*store, LATER, 1).await.expect("a store that answers"));
    }
    assert_eq!(swept, [1, 1, 0]);
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

pub async fn a_deleted_accounts_tokens_are_unknown<S: Accounts + Tokens>(store: Arc<S>) {
    let (gone, stays) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    make(&*store, gone, 1).await;
    make(&*store, stays, 2).await;
    store.delete(gone).await.expect("a store that answers");
    assert_eq!(find(&*store, 1).await, None);
    assert!(find(&*store, 2).await.is_some());
}

/// Even if the digest was unknown a moment ago.
pub async fn a_new_token_works_at_once<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    assert_eq!(find(&*store, 1).await, None);
    let made = Tokens::create(&*store, &token(owner.id, 1)).await.expect("an account that exists");
    assert_eq!((made.name.as_str(), made.prefix.as_str()), ("token 1", "kur_0001"));
    assert_eq!((made.created, made.revoked), (NOW, None));
    assert_eq!(
        find(&*store, 1).await,
        Some(Credential { token: made.id, account: owner, expires: None, allowed: Vec::new() })
    );
}

pub async fn an_unknown_digest_is_absent<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    make(&*store, owner, 1).await;
    assert_eq!(find(&*store, 2).await, None);
}

pub async fn a_digest_is_kept_once<S: Accounts + Tokens>(store: Arc<S>) {
    let (first, second) = (account(&*store, 1).await, account(&*store, 2).await);
    make(&*store, first.id, 1).await;
    let refusal = Tokens::create(&*store, &token(second.id, 1)).await.expect_err("a known digest");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
    assert_eq!(find(&*store, 1).await.map(|found| found.account), Some(first));
}

pub async fn a_token_without_an_account_is_missing<S: Accounts + Tokens>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = Tokens::create(&*store, &token(unknown, 1)).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
    assert_eq!(find(&*store, 1).await, None);
}

pub async fn a_revoked_token_is_unknown<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let revoked = make(&*store, owner, 1).await;
    make(&*store, owner, 2).await;
    assert!(store.revoke(None, revoked, LATER).await.expect("a store that answers"));
    assert_eq!(find(&*store, 1).await, None);
    assert!(find(&*store, 2).await.is_some(), "the other token of the account still works");
}

pub async fn a_token_revoked_twice_keeps_the_first_time<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let id = make(&*store, owner, 1).await;
    assert!(store.revoke(None, id, NOW).await.expect("a store that answers"));
    assert!(store.revoke(None, id, LATER).await.expect("a store that answers"));
    let tokens = store.list(owner).await.expect("a store that answers");
    assert_eq!(tokens.first().and_then(|token| token.revoked), Some(NOW));
}

pub async fn a_token_that_does_not_exist_is_not_revoked<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let id = make(&*store, owner, 1).await;
    assert!(!store.revoke(None, TokenId(id.0 + 1000), NOW).await.expect("a store that answers"));
    assert!(find(&*store, 1).await.is_some());
}

pub async fn a_list_is_oldest_first_and_includes_revoked_tokens<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let ids = [make(&*store, owner, 3).await, make(&*store, owner, 1).await, make(&*store, owner, 2).await];
    store.revoke(None, ids[1], LATER).await.expect("a store that answers");
    let listed = store.list(owner).await.expect("a store that answers");
    assert_eq!(listed.iter().map(|token| token.id).collect::<Vec<_>>(), ids);
    assert_eq!(listed.iter().map(|token| token.revoked).collect::<Vec<_>>(), [None, Some(LATER), None]);
}

pub async fn a_list_holds_the_accounts_own_tokens<S: Accounts + Tokens>(store: Arc<S>) {
    let (first, second) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    make(&*store, first, 1).await;
    assert_eq!(store.list(second).await.expect("a store that answers"), []);
}

/// A cache keeps all other tokens, even of the same account.
pub async fn a_revocation_names_only_the_token<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let (revoked, _stays) = (make(&*store, owner, 1).await, make(&*store, owner, 2).await);
    let before = latest(&*store).await;
    store.revoke(None, revoked, LATER).await.expect("a store that answers");
    assert_eq!(named_since(&*store, before).await, (vec![], vec![revoked]));
    let after = latest(&*store).await;
    assert!(after.number > before.number);
    store.revoke(None, revoked, LATER).await.expect("a store that answers");
    assert_eq!(named_since(&*store, after).await, (vec![], vec![]), "revoked twice, changed once");
}

pub async fn an_unknown_tokens_revocation_is_no_change<S: Accounts + Tokens>(store: Arc<S>) {
    let id = make(&*store, account(&*store, 1).await.id, 1).await;
    let before = latest(&*store).await;
    store.revoke(None, TokenId(id.0 + 1000), NOW).await.expect("a store that answers");
    assert_eq!(latest(&*store).await, before);
}

/// Sign-ups and new tokens cannot empty the caches.
pub async fn a_new_account_or_token_is_no_change<S: Accounts + Tokens>(store: Arc<S>) {
    let before = latest(&*store).await;
    let owner = account(&*store, 1).await.id;
    make(&*store, owner, 1).await;
    assert_eq!(latest(&*store).await, before);
    assert_eq!(named_since(&*store, before).await, (vec![], vec![]));
}

pub async fn each_of_many_revocations_is_named<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut ids = Vec::new();
    for number in 0..32 {
        ids.push(make(&*store, owner, number).await);
    }
    let before = latest(&*store).await;
    let mut callers = JoinSet::new();
    for id in ids.clone() {
        let store = Arc::clone(&store);
        callers.spawn(async move { store.revoke(None, id, LATER).await });
    }
    for outcome in callers.join_all().await {
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
    let mut creating = JoinSet::new();
    for number in 100..108 {
        let store = Arc::clone(&store);
        creating.spawn(async move { Tokens::create(&*store, &token(owner, number)).await });
    }
    let (mut made, mut refused) = (Vec::new(), 0);
    for created in creating.join_all().await {
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
