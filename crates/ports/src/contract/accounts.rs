//! What [`Accounts`] promises.

use std::sync::Arc;

use super::samples::{HASH, LATER, NOW, PERIOD, account, digest, email, latest, named_since, plan, token};
use super::{certificates, daily_usage, kept_lists, mail_codes, together, watch};
use crate::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, Audit, AuditFilter, Certificates, CodeKind,
    DailyUsage, KeptLists, MailCodes, MailId, MailKind, NewMail, Outbox, Period, PlanName, SecretDigest, Sessions,
    StoreErrorKind, TokenKind, Tokens, UsageLedger, WatchListId, WatchLists,
};

pub async fn a_new_account_is_found_as_it_was_made<S: Accounts>(store: Arc<S>) {
    let made = store.create(&email(1), &plan(), None, NOW).await.expect("an address that is free");
    assert_eq!((&made.email, &made.plan, made.created), (&email(1), &plan(), NOW));
    assert_eq!((made.status, made.role), (AccountStatus::Active, AccountRole::Member));
    let refusal = store.create(&email(1), &plan(), None, LATER).await.expect_err("a taken address");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers").as_ref(), Some(&made));
    assert_eq!(store.by_id(AccountId(made.id.0 + 1000)).await.expect("a store that answers"), None);
    assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(made));
}

pub async fn an_unknown_address_is_absent_not_an_error<S: Accounts>(store: Arc<S>) {
    account(&*store, 1).await;
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), None);
}

pub async fn one_of_many_concurrent_sign_ups_gets_the_address<S: Accounts>(store: Arc<S>) {
    let create = |store: Arc<S>, _| async move { store.create(&email(1), &plan(), None, NOW).await };
    let mut made = 0;
    for outcome in together(&store, 0..32, create).await {
        match outcome {
            Ok(_) => made += 1,
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Conflict),
        }
    }
    assert_eq!(made, 1);
}

pub async fn accounts_are_paged_by_number<S: Accounts>(store: Arc<S>) {
    let mut made = Vec::new();
    for number in 1..=5 {
        made.push(account(&*store, number).await);
    }
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = store.page(after, 2).await.expect("a store that answers");
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        seen.extend(page);
    }
    assert_eq!(seen, made);
}

/// A new account may have none. A password is no change for caches.
pub async fn a_password_can_be_replaced<S: Accounts + Tokens>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    let before = latest(&*store).await;
    assert_eq!(store.password_hash(id).await.expect("a store that answers"), None);
    let made = Accounts::create(&*store, &email(2), &plan(), Some(HASH), NOW).await.expect("an address that is free");
    assert_eq!(store.password_hash(made.id).await.expect("a store that answers").as_deref(), Some(HASH));
    for hash in ["$argon2id$one", "$argon2id$two"] {
        store.set_password_hash(id, hash).await.expect("an account that exists");
        assert_eq!(store.password_hash(id).await.expect("a store that answers").as_deref(), Some(hash));
    }
    let refusal = store.set_password_hash(AccountId(id.0 + 1000), HASH).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
    assert_eq!(latest(&*store).await, before);
}

/// Neither a log-in that rehashes nor a change begun before an operator's reset undoes it.
pub async fn a_password_is_replaced_only_if_it_is_the_one_that_was_checked<S: Accounts>(store: Arc<S>) {
    for (number, is_same_password) in [(1, true), (2, false)] {
        let id = account(&*store, number).await.id;
        let replace = async |id, from, to| {
            let replaced = match is_same_password {
                true => store.rehash_password(id, from, to).await,
                false => store.replace_password(id, from, to).await,
            };
            replaced.expect("a store that answers")
        };
        assert!(!replace(id, "$argon2id$one", "$argon2id$two").await, "there is no password");
        store.set_password_hash(id, "$argon2id$one").await.expect("an account that exists");
        assert!(replace(id, "$argon2id$one", "$argon2id$two").await);
        assert!(!replace(id, "$argon2id$one", "$argon2id$three").await, "changed meanwhile");
        assert!(!replace(AccountId(id.0 + 1000), "$argon2id$two", "$argon2id$three").await);
        let stored = store.password_hash(id).await.expect("a store that answers");
        assert_eq!(stored.as_deref(), Some("$argon2id$two"));
    }
}

/// A deletion begun before an operator's reset does nothing.
pub async fn an_account_is_deleted_only_with_the_password_that_was_checked<S: Accounts + Tokens>(store: Arc<S>) {
    let owner = account(&*store, 1).await;
    let delete = async |id, hash| store.delete_with_password(id, hash).await.expect("a store that answers");
    assert!(!delete(owner.id, "$argon2id$one").await, "there is no password");
    store.set_password_hash(owner.id, "$argon2id$two").await.expect("an account that exists");
    let before = latest(&*store).await;
    assert!(!delete(owner.id, "$argon2id$one").await, "changed meanwhile");
    assert!(!delete(AccountId(owner.id.0 + 1000), "$argon2id$two").await);
    assert_eq!(latest(&*store).await, before);
    assert_eq!(store.by_id(owner.id).await.expect("a store that answers").as_ref(), Some(&owner));
    assert!(delete(owner.id, "$argon2id$two").await);
    assert_eq!(store.by_id(owner.id).await.expect("a store that answers"), None);
    assert_eq!(named_since(&*store, before).await, (vec![owner.id], vec![]));
}

/// A taken address changes nothing.
pub async fn an_address_is_replaced_only_with_the_password_that_was_checked<S: Accounts>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await, account(&*store, 2).await);
    store.set_password_hash(owner.id, HASH).await.expect("an account that exists");
    let replace = async |hash, number| store.replace_email(owner.id, hash, &email(number), None).await;
    assert!(!replace("$argon2id$two", 3).await.expect("a store that answers"), "changed meanwhile");
    let taken = replace(HASH, 2).await.expect_err("the address of another account");
    assert_eq!(taken.kind, StoreErrorKind::Conflict);
    assert_eq!(store.by_id(owner.id).await.expect("a store that answers").as_ref(), Some(&owner));
    assert!(replace(HASH, 3).await.expect("a store that answers"));
    let changed = Account { email: email(3), ..owner.clone() };
    assert_eq!(store.find(&email(3)).await.expect("a store that answers"), Some(changed));
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), None);
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), Some(other));
}

/// The audit log has it by the old address.
pub async fn a_new_address_ends_sessions_and_tells_the_old_one<S: Accounts + Sessions + Outbox + Audit + MailCodes>(
    store: Arc<S>,
) {
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.expect("an account that exists");
    let session = SecretDigest([7; 32]);
    store.begin(&session, owner, HASH, NOW, None).await.expect("an account that exists");
    let (code, mail) = (SecretDigest([1; 32]), (MailId(1), &email(2)));
    store.add_code(&code, CodeKind::ChangeAddress, owner, mail, LATER).await.expect("an account that exists");
    let changes =
        NewMail { kind: MailKind::Changes, account: Some(owner), to: email(1), about: "1".to_owned(), key: None };
    store.add_mail(&changes, NOW).await.expect("a store that answers");
    assert!(store.replace_email(owner, HASH, &email(2), Some((&code, NOW))).await.expect("a store that answers"));
    assert_eq!(Sessions::find(&*store, &session).await.expect("a store that answers"), None);
    let mail = store.lease_mail(LATER, LATER).await.expect("a store that answers").expect("a mail");
    assert_eq!((mail.kind, &mail.to), (MailKind::AddressChanged, &email(1)));
    store.settle_mail(&mail, None).await.expect("a store that answers");
    assert_eq!(
        store.lease_mail(LATER, LATER).await.expect("a store that answers"),
        None,
        "no other has the old address"
    );
    let lines = store.lines(&AuditFilter { account: Some(owner), ..AuditFilter::default() }, 9).await;
    let lines = lines.expect("a store that answers");
    let line = lines.iter().find(|line| line.action == "account.set_email").expect("an audit line");
    assert_eq!(line.email.as_deref(), Some(email(1).as_str()));
}

/// A cache drops only this account's credentials. Setting the same value again may report the account again.
pub async fn a_plan_status_and_role_can_be_changed<S: Accounts + Tokens>(store: Arc<S>) {
    let (made, stays) = (account(&*store, 1).await, account(&*store, 2).await);
    let (unknown, gold) = (AccountId(stays.id.0 + 1000), PlanName::parse("gold").expect("a good name"));
    let (suspended, operator) = (AccountStatus::Suspended, AccountRole::Operator);
    let changes = [
        Account { plan: gold.clone(), ..made.clone() },
        Account { plan: gold.clone(), status: suspended, ..made.clone() },
        Account { plan: gold.clone(), status: suspended, role: operator, ..made.clone() },
        Account { plan: gold.clone(), role: operator, ..made.clone() },
        Account { plan: gold, ..made.clone() },
    ];
    for (step, changed) in changes.into_iter().enumerate() {
        let change = async |id| match step {
            0 => store.set_plan(id, &changed.plan).await,
            1 | 3 => store.set_status(id, changed.status).await,
            _ => store.set_role(id, changed.role).await,
        };
        let before = latest(&*store).await;
        assert_eq!(change(unknown).await.expect_err("no such account").kind, StoreErrorKind::Missing);
        change(made.id).await.expect("an account that exists");
        assert_eq!(named_since(&*store, before).await, (vec![made.id], vec![]));
        assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(changed));
    }
    assert_eq!(store.by_id(stays.id).await.expect("a store that answers"), Some(stays));
}

pub async fn accounts_are_searched_by_their_address_and_use<S: Accounts + UsageLedger>(store: Arc<S>) {
    let (period, other) = (Period { year: 2026, month: 11 }, Period { year: 2026, month: 10 });
    let [one, two, three] =
        [account(&*store, 1).await, account(&*store, 2).await, account(&*store, 3).await].map(|account| account.id);
    for (id, period, used) in [(two, period, 5), (three, period, 9), (one, other, 99)] {
        store.lease(id, period, 100, used).await.expect("an account that exists");
    }
    let search = async |text: &str, skip, limit| {
        let found = store.search(text, period, skip, limit).await.expect("a store that answers");
        found.into_iter().map(|found| (found.account.id, found.used)).collect::<Vec<_>>()
    };
    assert_eq!(search("", 0, 50).await, [(three, 9), (two, 5), (one, 0)]);
    assert_eq!((search("", 0, 1).await, search("", 1, 50).await), (vec![(three, 9)], vec![(two, 5), (one, 0)]));
    assert_eq!(search(email(2).as_str(), 0, 50).await, [(two, 5)]);
    assert_eq!(search("%", 0, 50).await, []);
    let found = store.search("", period, 0, 50).await.expect("a store that answers");
    for one in &found {
        let account = store.by_page(one.page).await.expect("a store that answers");
        assert_eq!(account.as_ref(), Some(&one.account));
    }
    assert_eq!(store.by_page(AccountPage([0; 16])).await.expect("a store that answers"), None);
}

/// But its lines of the audit log; neither is its number given again. Caches drop the account, not each of its tokens.
pub async fn a_deleted_account_leaves_nothing<S>(store: Arc<S>)
where
    S: Accounts + Tokens + Sessions + DailyUsage + UsageLedger + WatchLists + KeptLists + Certificates + MailCodes,
{
    let (gone, stays) = (account(&*store, 1).await, account(&*store, 2).await);
    let lists = |owner| [TokenKind::Live, TokenKind::Test].map(|kind| WatchListId { account: owner, kind });
    for (owner, number) in [(gone.id, 1), (stays.id, 2)] {
        store.set_password_hash(owner, HASH).await.expect("an account that exists");
        Tokens::create(&*store, &token(owner, number)).await.expect("a digest that is free");
        let session = SecretDigest([number; 32]);
        store.begin(&session, owner, HASH, NOW, None).await.expect("an active account with this password");
        store.lease(owner, PERIOD, 10, 1).await.expect("an account that exists");
        daily_usage::add(&*store, owner, &[daily_usage::found(1, 1)]).await;
        for list in lists(owner) {
            watch::change(&*store, list, &[watch::plain(1)], &[]).await;
        }
        kept_lists::add(&*store, owner, number).await;
        certificates::add(&*store, owner, number).await;
        mail_codes::add(&*store, number, owner).await;
    }
    let before = latest(&*store).await;
    assert!(store.delete(gone.id).await.expect("a store that answers"));
    assert_eq!(named_since(&*store, before).await, (vec![gone.id], vec![]));
    let after = latest(&*store).await;
    assert!(!store.delete(gone.id).await.expect("a store that answers"));
    assert_eq!(latest(&*store).await, after, "deleted twice, changed once");
    for (owner, number, is_there) in [(&gone, 1, false), (&stays, 2, true)] {
        let of_owner = Some(owner.clone()).filter(|_| is_there);
        assert_eq!(store.by_id(owner.id).await.expect("a store that answers"), of_owner);
        assert_eq!(Accounts::find(&*store, &owner.email).await.expect("a store that answers"), of_owner);
        assert_eq!(store.password_hash(owner.id).await.expect("a store that answers").is_some(), is_there);
        let token = Tokens::find(&*store, &digest(number)).await.expect("a store that answers");
        let session = Sessions::find(&*store, &SecretDigest([number; 32])).await.expect("a store that answers");
        assert_eq!((token.is_some(), session.is_some()), (is_there, is_there));
        assert_eq!(store.used(owner.id, PERIOD).await.expect("a store that answers"), u64::from(is_there));
        assert_eq!(daily_usage::since(&*store, owner.id, 1).await.len(), usize::from(is_there));
        for list in lists(owner.id) {
            assert_eq!(watch::all(&*store, list).await.len(), usize::from(is_there));
        }
        assert_eq!(kept_lists::numbers(&*store, owner.id).await.len(), usize::from(is_there));
        assert_eq!(certificates::find(&*store, number).await.is_some(), is_there);
        assert_eq!(mail_codes::find(&*store, number).await.is_some(), is_there);
    }
    let next = account(&*store, 1).await;
    assert!(next.id != gone.id && next.id != stays.id);
}
