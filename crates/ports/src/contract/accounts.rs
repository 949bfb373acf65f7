//! What [`Accounts`] promises.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{HASH, LATER, NOW, account, email, latest, named_since, plan, token};
use crate::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, Audit, AuditFilter, CodeDigest, CodeKind,
    MailCodes, MailId, MailKind, NewMail, Outbox, Period, PlanName, SessionDigest, Sessions, StoreErrorKind, Tokens,
    UsageLedger,
};

pub async fn a_new_account_is_found_as_it_was_made<S: Accounts>(store: Arc<S>) {
    let made = store.create(&email(1), &plan(), None, NOW).await.expect("an address that is free");
    assert_eq!(made.email, email(1));
    assert_eq!(made.plan, plan());
    assert_eq!(made.status, AccountStatus::Active);
    assert_eq!(made.created, NOW);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), Some(made));
}

pub async fn an_unknown_address_is_absent_not_an_error<S: Accounts>(store: Arc<S>) {
    account(&*store, 1).await;
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), None);
}

pub async fn two_accounts_never_share_a_number<S: Accounts>(store: Arc<S>) {
    assert_ne!(account(&*store, 1).await.id, account(&*store, 2).await.id);
}

pub async fn an_address_is_given_once<S: Accounts>(store: Arc<S>) {
    let first = account(&*store, 1).await;
    let refusal = store.create(&email(1), &plan(), None, LATER).await.expect_err("a taken address");
    assert_eq!(refusal.kind, StoreErrorKind::Conflict);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), Some(first));
}

pub async fn one_of_many_concurrent_sign_ups_gets_the_address<S: Accounts>(store: Arc<S>) {
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        let store = Arc::clone(&store);
        callers.spawn(async move { store.create(&email(1), &plan(), None, NOW).await });
    }
    let mut made = 0;
    for outcome in callers.join_all().await {
        match outcome {
            Ok(_) => made += 1,
            Err(error) => assert_eq!(error.kind, StoreErrorKind::Conflict),
        }
    }
    assert_eq!(made, 1);
}

pub async fn an_account_is_found_by_its_number_too<S: Accounts>(store: Arc<S>) {
    let made = account(&*store, 1).await;
    assert_eq!(store.by_id(AccountId(made.id.0 + 1000)).await.expect("a store that answers"), None);
    assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(made));
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

/// A new account may have none.
pub async fn a_password_can_be_replaced<S: Accounts>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    assert_eq!(store.password_hash(id).await.expect("a store that answers"), None);
    let made = store.create(&email(2), &plan(), Some(HASH), NOW).await.expect("an address that is free");
    assert_eq!(store.password_hash(made.id).await.expect("a store that answers").as_deref(), Some(HASH));
    for hash in ["$argon2id$one", "$argon2id$two"] {
        store.set_password_hash(id, hash).await.expect("an account that exists");
        assert_eq!(store.password_hash(id).await.expect("a store that answers").as_deref(), Some(hash));
    }
}

/// A log-in that rehashes does not undo a new password.
pub async fn a_hash_is_replaced_only_if_the_password_is_the_same<S: Accounts>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    let stored = async || store.password_hash(id).await.expect("a store that answers");
    let rehash = async |id, from, to| store.rehash_password(id, from, to).await.expect("a store that answers");
    assert!(!rehash(id, "$argon2id$one", "$argon2id$two").await, "there is no password");
    store.set_password_hash(id, "$argon2id$one").await.expect("an account that exists");
    assert!(rehash(id, "$argon2id$one", "$argon2id$two").await);
    assert_eq!(stored().await.as_deref(), Some("$argon2id$two"));
    assert!(!rehash(id, "$argon2id$one", "$argon2id$three").await, "another password");
    assert_eq!(stored().await.as_deref(), Some("$argon2id$two"));
    assert!(!rehash(AccountId(id.0 + 1000), "$argon2id$two", "$argon2id$three").await);
}

/// A change begun before an operator's reset does not undo it.
pub async fn a_password_is_replaced_only_if_it_is_the_one_that_was_checked<S: Accounts>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    let replace = async |id, from, to| store.replace_password(id, from, to).await.expect("a store that answers");
    assert!(!replace(id, "$argon2id$one", "$argon2id$two").await, "there is no password");
    store.set_password_hash(id, "$argon2id$one").await.expect("an account that exists");
    assert!(replace(id, "$argon2id$one", "$argon2id$two").await);
    assert!(!replace(id, "$argon2id$one", "$argon2id$three").await, "changed meanwhile");
    assert!(!replace(AccountId(id.0 + 1000), "$argon2id$two", "$argon2id$three").await);
    let stored = store.password_hash(id).await.expect("a store that answers");
    assert_eq!(stored.as_deref(), Some("$argon2id$two"));
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
    let session = SessionDigest([7; 32]);
    store.begin(&session, owner, HASH, NOW, None).await.expect("an account that exists");
    let (code, mail) = (CodeDigest([1; 32]), (MailId(1), &email(2)));
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

pub async fn a_plan_and_a_status_can_be_changed<S: Accounts>(store: Arc<S>) {
    let made = account(&*store, 1).await;
    let gold = PlanName::parse("gold").expect("a good name");
    store.set_plan(made.id, &gold).await.expect("an account that exists");
    store.set_status(made.id, AccountStatus::Suspended).await.expect("an account that exists");
    let changed = Account { plan: gold, status: AccountStatus::Suspended, ..made.clone() };
    assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(changed));
    store.set_status(made.id, AccountStatus::Active).await.expect("an account that exists");
    let status = store.by_id(made.id).await.expect("a store that answers").map(|account| account.status);
    assert_eq!(status, Some(AccountStatus::Active));
}

pub async fn an_account_becomes_an_operator_by_its_role_alone<S: Accounts>(store: Arc<S>) {
    let made = account(&*store, 1).await;
    assert_eq!(made.role, AccountRole::Member);
    for role in [AccountRole::Operator, AccountRole::Member] {
        store.set_role(made.id, role).await.expect("an account that exists");
        let changed = Account { role, ..made.clone() };
        assert_eq!(store.by_id(made.id).await.expect("a store that answers"), Some(changed));
    }
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

pub async fn changing_an_unknown_account_is_missing<S: Accounts>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusals = [
        store.set_plan(unknown, &plan()).await.expect_err("no such account"),
        store.set_status(unknown, AccountStatus::Active).await.expect_err("no such account"),
        store.set_role(unknown, AccountRole::Operator).await.expect_err("no such account"),
    ];
    assert_eq!(refusals.map(|refusal| refusal.kind), [StoreErrorKind::Missing; 3]);
}

pub async fn a_deleted_accounts_number_is_not_given_again<S: Accounts>(store: Arc<S>) {
    let (gone, stays) = (account(&*store, 1).await, account(&*store, 2).await);
    store.set_password_hash(gone.id, "$argon2id$one").await.expect("an account that exists");
    assert!(store.delete(gone.id).await.expect("a store that answers"));
    assert!(!store.delete(gone.id).await.expect("a store that answers"));
    assert_eq!(store.by_id(gone.id).await.expect("a store that answers"), None);
    assert_eq!(store.find(&email(1)).await.expect("a store that answers"), None);
    assert_eq!(store.password_hash(gone.id).await.expect("a store that answers"), None);
    assert_eq!(store.find(&email(2)).await.expect("a store that answers"), Some(stays.clone()));
    let next = account(&*store, 1).await;
    assert!(next.id != gone.id && next.id != stays.id);
}

pub async fn a_password_without_an_account_is_missing<S: Accounts>(store: Arc<S>) {
    let unknown = AccountId(account(&*store, 1).await.id.0 + 1000);
    let refusal = store.set_password_hash(unknown, "$argon2id$one").await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}

/// A cache drops only this account's credentials. Setting the same value again may report the account again.
pub async fn a_new_plan_or_status_names_only_the_account<S: Accounts + Tokens>(store: Arc<S>) {
    let (changed, _stays) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let before = latest(&*store).await;
    store.set_plan(changed, &plan()).await.expect("an account that exists");
    assert_eq!(named_since(&*store, before).await, (vec![changed], vec![]));
    let between = latest(&*store).await;
    store.set_status(changed, AccountStatus::Suspended).await.expect("an account that exists");
    assert_eq!(named_since(&*store, between).await, (vec![changed], vec![]));
    assert_eq!(named_since(&*store, before).await.0, [changed, changed]);
}

/// Its tokens are not reported one by one.
pub async fn a_deletion_names_only_the_account<S: Accounts + Tokens>(store: Arc<S>) {
    let (gone, stays) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    for (number, owner) in [(1, gone), (2, gone), (3, stays)] {
        Tokens::create(&*store, &token(owner, number)).await.expect("a digest that is free");
    }
    let before = latest(&*store).await;
    store.delete(gone).await.expect("a store that answers");
    assert_eq!(named_since(&*store, before).await, (vec![gone], vec![]));
    let after = latest(&*store).await;
    assert!(!store.delete(gone).await.expect("a store that answers"));
    assert_eq!(latest(&*store).await, after, "deleted twice, changed once");
}

pub async fn a_password_is_no_change<S: Accounts + Tokens>(store: Arc<S>) {
    let id = account(&*store, 1).await.id;
    let before = latest(&*store).await;
    store.set_password_hash(id, "$argon2id$one").await.expect("an account that exists");
    assert_eq!(latest(&*store).await, before);
}
