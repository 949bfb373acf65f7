//! What [`Audit`] promises, and that every change has its line.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use super::samples::{HASH, LATER, NOW, account, email, plan, token, watch_limits};
use crate::{
    AccountId, AccountRole, AccountStatus, Accounts, Actor, Audit, AuditFilter, AuditLine, NewAuditLine, NewWebhook,
    Origin, PlanName, SecretDigest, Sessions, StoreErrorKind, TokenKind, Tokens, WatchListId, WatchLists, WatchedRuc,
    WebhookSecret, Webhooks,
};

const MANY: u32 = 1_000;

fn origin(actor: Actor) -> Origin {
    let address = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));
    let (agent, request_id) = (Some("Navegador «ñ»".to_owned()), Some("r-1".to_owned()));
    Origin { actor, address, agent, request_id, ..Origin::default() }
}

fn line(action: &'static str, account: Option<AccountId>, object: &str) -> NewAuditLine {
    NewAuditLine { action, account, object: object.to_owned(), before: Some("a".to_owned()), after: None }
}

async fn all<S: Audit>(store: &S) -> Vec<AuditLine> {
    store.lines(&AuditFilter::default(), MANY).await.expect("a store that answers")
}

async fn actions<S: Audit>(store: &S, account: AccountId) -> Vec<String> {
    let filter = AuditFilter { account: Some(account), ..AuditFilter::default() };
    let found = store.lines(&filter, MANY).await.expect("a store that answers");
    found.into_iter().map(|line| format!("{} {}", line.action, line.object)).collect()
}

pub async fn a_line_is_found_as_it_was_added<S: Accounts + Audit>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    for (account, actor) in
        [(Some(owner.id), Actor::Account), (None, Actor::Command("ana".to_owned())), (None, Actor::System)]
    {
        let (new, origin) = (line("dataset.publish", account, "padron 2026"), origin(actor));
        store.add_line(&new, &origin).await.expect("a store that takes writes");
        let found = all(&*store).await.pop().expect("the new line");
        let is_owners = account.is_some();
        assert_eq!(found.email.as_deref(), is_owners.then_some(owner.email.as_str()));
        assert_eq!((found.action.as_str(), found.account, found.origin), (new.action, account, origin));
        assert_eq!((found.object, found.before, found.after), (new.object, new.before, new.after));
    }
    store.add_line(&line("server.start", None, "x"), &Origin::default()).await.expect("a store that takes writes");
    assert_eq!(all(&*store).await.pop().expect("the new line").origin, Origin::default());
}

pub async fn lines_are_filtered<S: Accounts + Audit>(store: Arc<S>) {
    let (one, two) = (account(&*store, 1).await, account(&*store, 2).await);
    for (action, account, object) in [("a.b", Some(one.id), "uno"), ("a.c", Some(two.id), "un_"), ("a.b", None, "dos")]
    {
        store.add_line(&line(action, account, object), &Origin::default()).await.expect("a store that takes writes");
    }
    let lines = all(&*store).await;
    let [.., first, second, third] = lines.as_slice() else { panic!("five lines: {lines:?}") };
    let find = async |filter: AuditFilter<'_>| {
        let found = store.lines(&filter, MANY).await.expect("a store that answers");
        found.into_iter().map(|line| line.id).collect::<Vec<_>>()
    };
    let default = AuditFilter::default;
    assert_eq!(find(AuditFilter { action: Some("a.b"), ..default() }).await, [first.id, third.id]);
    assert_eq!(find(AuditFilter { object: Some("un_"), ..default() }).await, [second.id]);
    assert_eq!(find(AuditFilter { account: Some(two.id), after: second.id - 1, ..default() }).await, [second.id]);
    assert_eq!(find(AuditFilter { before: Some(third.id), ..default() }).await.last(), Some(&second.id));
    let filter = AuditFilter { email: Some(one.email.as_str()), action: Some("a.b"), ..default() };
    assert_eq!(find(filter).await, [first.id]);
    let since = find(AuditFilter { since: Some(third.time), ..default() }).await;
    // A store's clock may have the same time for several lines.
    assert_eq!(since, lines.iter().filter(|line| line.time >= third.time).map(|line| line.id).collect::<Vec<_>>());
    let later = third.time + jiff::SignedDuration::from_secs(1);
    assert_eq!(find(AuditFilter { since: Some(later), ..default() }).await, [0; 0]);
}

pub async fn the_newest_lines_come_last<S: Audit>(store: Arc<S>) {
    for object in ["1", "2", "3"] {
        store.add_line(&line("a.b", None, object), &Origin::default()).await.expect("a store that takes writes");
    }
    let objects = async |newest| {
        let filter = AuditFilter { newest, ..AuditFilter::default() };
        let found = store.lines(&filter, 2).await.expect("a store that answers");
        found.into_iter().map(|line| line.object).collect::<Vec<_>>()
    };
    assert_eq!(objects(false).await, ["1", "2"]);
    assert_eq!(objects(true).await, ["2", "3"]);
}

pub async fn only_expired_lines_are_deleted<S: Audit>(store: Arc<S>) {
    for (days, object) in [(0, "expired"), (1, "kept")] {
        store.keep_lines(days);
        store.add_line(&line("a.b", None, object), &Origin::default()).await.expect("a store that takes writes");
    }
    store.expire_lines().await.expect("a store that takes writes");
    let kept: Vec<_> = all(&*store).await.into_iter().map(|line| line.object).collect();
    assert_eq!(kept, ["kept"]);
}

pub async fn every_change_of_an_account_has_its_line<S: Accounts + Audit>(store: Arc<S>) {
    let id = origin(Actor::Command("ana".to_owned()))
        .scope(async {
            let id = account(&*store, 1).await.id;
            store.set_password_hash(id, HASH).await.expect("a known account");
            assert!(store.replace_password(id, HASH, "other").await.expect("a known account"));
            assert!(store.rehash_password(id, "other", HASH).await.expect("a known account"));
            store.set_plan(id, &PlanName::parse("pro").expect("a valid plan")).await.expect("a known account");
            store.set_status(id, AccountStatus::Suspended).await.expect("a known account");
            store.set_role(id, AccountRole::Operator).await.expect("a known account");
            assert!(store.delete(id).await.expect("a known account"));
            id
        })
        .await;
    let lines = all(&*store).await;
    let found: Vec<_> =
        lines.iter().map(|line| (&*line.action, line.before.as_deref(), line.after.as_deref())).collect();
    let expected = [
        ("account.create", None, Some("free")),
        ("account.set_password", None, None),
        ("account.set_password", None, None),
        ("account.set_plan", Some("free"), Some("pro")),
        ("account.set_status", Some("active"), Some("suspended")),
        ("account.set_role", Some("member"), Some("operator")),
        ("account.delete", None, None),
    ];
    assert_eq!(found, expected);
    for line in &lines {
        assert_eq!((line.account, line.email.as_deref()), (Some(id), Some(email(1).as_str())));
        assert_eq!((&line.origin, &line.object), (&origin(Actor::Command("ana".to_owned())), &format!("account {id}")));
    }
}

pub async fn every_change_of_a_token_session_or_webhook_has_its_line<
    S: Accounts + Tokens + Sessions + Webhooks + Audit,
>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("a known account");
    let token = Tokens::create(&*store, &token(owner, 1)).await.expect("a known account").id;
    for _ in 0..2 {
        assert!(store.revoke(None, token, LATER).await.expect("a known token"));
    }
    let digest = SecretDigest([1; 32]);
    store.begin(&digest, owner, HASH, NOW, None).await.expect("a known account");
    for _ in 0..2 {
        store.end(&digest).await.expect("a store that takes writes");
    }
    let secret = || WebhookSecret::new("whsec_c2VjcmV0".to_owned());
    let (url, cursor) = ("https://example.pe/".to_owned(), String::new());
    let new = NewWebhook {
        account: owner,
        kind: TokenKind::Live,
        url,
        created: NOW,
        secret: secret(),
        cursor,
        by_operator: false,
    };
    let webhook = store.add_webhook(&new).await.expect("a known account").id;
    assert!(store.set_webhook_active(None, webhook, false, NOW).await.expect("a known webhook"));
    assert!(store.rotate_secret(Some(owner), webhook, &secret(), LATER).await.expect("a known webhook"));
    assert!(store.delete_webhook(Some(owner), webhook).await.expect("a known webhook"));
    let (account, token, webhook) =
        (format!("account {owner}"), format!("token {token}"), format!("webhook {webhook}"));
    let expected = [
        ("account.create", &*account),
        ("account.set_password", &account),
        ("token.create", &token),
        ("token.revoke", &token),
        ("session.create", "session"),
        ("session.end", "session"),
        ("webhook.create", &webhook),
        ("webhook.set_status", &webhook),
        ("webhook.rotate", &webhook),
        ("webhook.delete", &webhook),
    ];
    assert_eq!(actions(&*store, owner).await, expected.map(|(action, object)| format!("{action} {object}")));
}

pub async fn a_change_of_a_watch_list_is_audited_in_the_panel_only<S: Accounts + WatchLists + Audit>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let rucs =
        ["20999990062", "20999990038"].map(|ruc| WatchedRuc { ruc: ruc.parse().expect("a valid RUC"), code: None });
    let change = async |add: &[WatchedRuc]| {
        let changed =
            store.change(WatchListId::live(owner), add, &[], watch_limits(9)).await.expect("a store that takes writes");
        changed.expect("a list with room");
    };
    change(&rucs[..1]).await;
    origin(Actor::Account).scope(change(&rucs)).await;
    origin(Actor::Account).scope(change(&rucs)).await;
    let found = all(&*store).await.pop().expect("a line");
    assert_eq!(actions(&*store, owner).await.len(), 2);
    assert_eq!(
        (&*found.action, found.before.as_deref(), found.after.as_deref()),
        ("watch_list.change", Some("1"), Some("2 (+1 -0)"))
    );
}

pub async fn a_change_that_fails_has_no_line<S: Accounts + Tokens + Webhooks + Audit>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let unknown = AccountId(owner.0 + 1);
    assert!(
        Accounts::create(&*store, &email(1), &plan(), None, NOW)
            .await
            .is_err_and(|error| error.kind == StoreErrorKind::Conflict)
    );
    assert!(store.set_plan(unknown, &plan()).await.is_err());
    assert!(store.set_password_hash(unknown, HASH).await.is_err());
    assert!(!store.replace_password(owner, HASH, "other").await.expect("a store that answers"));
    assert!(!store.delete(unknown).await.expect("a store that answers"));
    assert!(!store.delete_with_password(owner, HASH).await.expect("a store that answers"));
    assert!(!store.revoke(None, crate::TokenId(9), NOW).await.expect("a store that answers"));
    assert!(!store.delete_webhook(None, crate::WebhookId(9)).await.expect("a store that answers"));
    assert_eq!(actions(&*store, owner).await, [format!("account.create account {owner}")]);
    assert_eq!(all(&*store).await.len(), 1);
}

pub async fn lines_outlive_their_account<S: Accounts + Audit>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let tables = async || {
        let data = store.stored_data(owner).await.expect("a store that answers");
        data.into_iter()
            .filter(|(_, rows)| !rows.is_empty())
            .map(|(table, rows)| (table, rows.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(tables().await, [("account", 1), ("audit", 1)]);
    assert!(store.delete(owner).await.expect("a known account"));
    assert_eq!(tables().await, [("audit", 2)]);
    let email = email(1);
    let filter = AuditFilter { email: Some(email.as_str()), ..AuditFilter::default() };
    assert_eq!(store.lines(&filter, MANY).await.expect("a store that answers").len(), 2);
    assert_eq!(actions(&*store, owner).await.len(), 2);
}
