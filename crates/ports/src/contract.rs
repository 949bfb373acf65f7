//! Contract suites: one named test per promise, run against every implementation of a port, fakes included.
//!
//! A suite is a module with one function per promise, which uses only the port's methods. [`contract!`](crate::contract!)
//! makes each function a test:
//!
//! ```text
//! mod accounts {
//!     // The suite, the implementation's type, and an expression that gives what the suite's functions take and a guard,
//!     // which lives as long as the test.
//!     kuraka_ports::contract!(accounts, MemoryStore, super::fresh().await);
//! }
//! ```
//!
//! `tests/tidy` checks that the suite runs for every type that implements a port, and the compiler checks that the
//! suite runs on the type it names.

#![expect(clippy::expect_used, clippy::panic, reason = "a suite is a test: a broken promise is a panic")]
#![expect(missing_docs, reason = "the name of a promise is its statement")]

pub mod accounts;
pub mod audit;
pub mod certificates;
pub mod clock;
pub mod daily_usage;
pub mod digests;
pub mod feed;
pub mod kept_lists;
pub mod ledger;
pub mod mail_codes;
pub mod measured_hours;
pub mod membership;
pub mod outbox;
pub mod password;
pub mod registry;
pub mod retention;
pub mod samples;
pub mod sessions;
pub mod taxpayer_source;
pub mod tokens;
pub mod voucher_validator;
pub mod watch;
pub mod webhook_queue;
pub mod webhooks;

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use tokio::task::JoinSet;

/// Takes a suite, an implementation's type, and an expression that gives a subject and a guard.
#[macro_export]
macro_rules! contract {
    (accounts, $subject:ty, $fresh:expr) => {
        $crate::contract! { @accounts, $subject, $fresh,
            a_new_account_is_found_as_it_was_made,
            an_unknown_address_is_absent_not_an_error,
            one_of_many_concurrent_sign_ups_gets_the_address,
            accounts_are_paged_by_number,
            a_password_can_be_replaced,
            a_password_is_replaced_only_if_it_is_the_one_that_was_checked,
            an_account_is_deleted_only_with_the_password_that_was_checked,
            an_address_is_replaced_only_with_the_password_that_was_checked,
            a_new_address_ends_sessions_and_tells_the_old_one,
            accounts_are_searched_by_their_address_and_use,
            a_plan_status_and_role_can_be_changed,
            a_deleted_account_leaves_nothing,
        }
    };
    (audit, $subject:ty, $fresh:expr) => {
        $crate::contract! { @audit, $subject, $fresh,
            a_line_is_found_as_it_was_added,
            lines_are_filtered,
            the_newest_lines_come_last,
            only_expired_lines_are_deleted,
            every_change_of_an_account_has_its_line,
            every_change_of_a_token_session_or_webhook_has_its_line,
            a_change_of_a_watch_list_is_audited_in_the_panel_only,
            a_change_that_fails_has_no_line,
            lines_outlive_their_account,
        }
    };
    (certificates, $subject:ty, $fresh:expr) => {
        $crate::contract! { @certificates, $subject, $fresh,
            a_certificate_is_found_by_its_code,
            a_certificate_is_deleted_by_its_owner_only,
            certificates_are_bounded,
            old_certificates_are_swept,
        }
    };
    (clock, $subject:ty, $fresh:expr) => {
        $crate::contract! { @clock, $subject, $fresh,
            monotonic_time_never_goes_back_between_threads,
            time_that_passes_shows_on_both,
        }
    };
    (daily_usage, $subject:ty, $fresh:expr) => {
        $crate::contract! { @daily_usage, $subject, $fresh,
            every_operation_and_code_is_kept_apart,
            earlier_days_can_be_forgotten,
            counts_of_an_account_add_up_by_day,
        }
    };
    (feed, $subject:ty, $fresh:expr) => {
        $crate::contract! { @feed, $subject, $fresh,
            nothing_is_left_behind_the_newest_cursor,
            every_datum_has_a_name_of_its_own,
        }
    };
    (kept_lists, $subject:ty, $fresh:expr) => {
        $crate::contract! { @kept_lists, $subject, $fresh,
            a_list_is_found_as_it_was_added,
            a_list_of_another_account_is_absent,
            a_new_list_replaces_the_oldest_without_a_name,
            a_run_begins_only_while_none_runs,
            results_and_their_price_are_stored_together,
            a_batch_of_a_run_that_ended_is_refused,
            one_of_many_servers_leases_a_running_list,
            old_lists_are_swept,
        }
    };
    (ledger, $subject:ty, $fresh:expr) => {
        $crate::contract! { @ledger, $subject, $fresh,
            settled_queries_can_be_leased_again,
            periods_are_independent,
            many_leasers_together_get_exactly_the_limit,
            accounts_that_lease_at_once_are_independent,
            many_leases_and_settlements_leave_an_exact_count,
            a_lease_is_what_the_limit_leaves,
        }
    };
    (digests, $subject:ty, $fresh:expr) => {
        $crate::contract! { @digests, $subject, $fresh,
            a_digest_is_due_while_its_account_is_not_told,
            a_mail_is_added_once_with_the_place_up_to_which_it_tells,
            a_bounded_number_is_leased_once,
            its_code_ends_a_digest_until_the_account_is_deleted,
        }
    };
    (mail_codes, $subject:ty, $fresh:expr) => {
        $crate::contract! { @mail_codes, $subject, $fresh,
            a_code_is_found_until_it_expires,
            one_of_many_uses_of_a_code_succeeds,
            a_new_password_voids_the_other_codes,
            a_code_confirms_an_unconfirmed_account,
            a_code_of_another_address_is_found_with_it,
            one_of_many_uses_of_a_new_address_succeeds,
            an_account_that_waits_gives_way_to_a_new_address,
            a_new_address_does_not_deadlock_with_a_code,
            an_attempt_replaces_the_code_of_the_attempt_before,
            the_latest_sign_up_has_the_password_until_the_address_is_confirmed,
            one_account_of_many_sign_ups_is_made,
            accounts_that_were_not_confirmed_are_swept,
            a_code_does_not_deadlock_with_other_changes_of_its_account,
            expired_codes_are_swept,
            a_code_sets_the_password_once_ends_every_session_and_is_audited,
        }
    };
    (measured_hours, $subject:ty, $fresh:expr) => {
        $crate::contract! { @measured_hours, $subject, $fresh,
            servers_do_not_replace_each_others_hours,
            an_hour_is_found_as_it_was_put_last,
        }
    };
    (membership, $subject:ty, $fresh:expr) => {
        $crate::contract! { @membership, $subject, $fresh,
            many_servers_can_beat_at_once,
            each_server_is_counted_from_its_first_heartbeat_until_it_leaves,
        }
    };
    (outbox, $subject:ty, $fresh:expr) => {
        $crate::contract! { @outbox, $subject, $fresh,
            a_mail_is_leased_as_it_was_added,
            the_mail_that_was_due_first_comes_first,
            one_of_many_servers_leases_a_mail,
            a_mail_is_attempted_until_it_is_settled,
            mails_are_counted_until_they_are_settled,
            an_attempt_that_is_too_late_settles_nothing,
            a_key_is_used_once_even_after_its_mail,
            a_quota_is_told_at_80_and_100_percent_once,
            an_accounts_data_has_its_mails_until_it_is_deleted,
        }
    };
    (password, $subject:ty, $fresh:expr) => {
        $crate::contract! { @password, $subject, $fresh,
            a_password_fits_its_own_hash_only,
            the_placeholder_is_a_current_hash_of_no_password,
            a_text_that_is_no_hash_is_an_error,
            each_of_many_callers_gets_its_own_answer,
            a_cancelled_call_frees_its_turn,
        }
    };
    (registry, $subject:ty, $fresh:expr) => {
        $crate::contract! { @registry, $subject, $fresh,
            an_absent_ruc_is_none_not_an_error,
            many_rucs_are_answered_as_each_of_them,
            all_answers_of_a_snapshot_are_of_one_edition,
            each_of_many_threads_gets_its_own_answers,
            a_dataset_without_an_edition_is_not_an_empty_answer,
            a_published_dataset_answers_in_later_snapshots_only,
            only_the_parts_that_are_asked_for_are_answered,
            the_flags_of_a_summary_agree_with_the_lists,
            a_history_ends_with_the_taxpayer_of_today,
        }
    };
    (retention, $subject:ty, $fresh:expr) => {
        $crate::contract! { @retention, $subject, $fresh,
            thousands_of_old_rows_are_deleted,
        }
    };
    (sessions, $subject:ty, $fresh:expr) => {
        $crate::contract! { @sessions, $subject, $fresh,
            an_ended_session_is_gone_and_others_stay,
            a_session_begins_in_place_of_another_or_not_at_all,
            log_ins_during_a_password_change_leave_no_session,
            old_and_unseen_sessions_are_swept,
            a_session_is_found_as_it_was_begun_and_last_seen,
            only_an_active_account_begins_a_session,
            a_new_password_role_or_suspension_ends_every_session,
        }
    };
    (taxpayer_source, $subject:ty, $fresh:expr) => {
        $crate::contract! { @taxpayer_source, $subject, $fresh,
            a_failure_is_an_error_never_an_absence,
            each_of_many_callers_gets_its_own_answer,
            cancelled_questions_hold_nothing,
            a_taxpayer_is_answered_whole_or_absent,
        }
    };
    (tokens, $subject:ty, $fresh:expr) => {
        $crate::contract! { @tokens, $subject, $fresh,
            an_unknown_digest_is_absent,
            each_of_many_revocations_is_named,
            changes_since_an_unknown_revision_are_everything,
            changes_since_another_epoch_are_everything,
            each_revision_has_its_own_epoch,
            concurrent_creations_keep_the_limit_of_live_tokens,
            the_latest_use_is_stored_and_is_no_change,
            tokens_that_ended_long_ago_are_swept,
            only_the_latest_ended_tokens_are_kept,
            a_new_token_works_at_once_and_is_no_change,
            a_token_is_revoked_once_and_named_alone,
        }
    };
    (voucher_validator, $subject:ty, $fresh:expr) => {
        $crate::contract! { @voucher_validator, $subject, $fresh,
            a_failure_is_an_error_never_a_status,
            nothing_is_answered_from_memory,
            each_of_many_callers_gets_its_own_answer,
            cancelled_questions_hold_nothing,
        }
    };
    (watch, $subject:ty, $fresh:expr) => {
        $crate::contract! { @watch, $subject, $fresh,
            watched_rucs_come_in_order_with_their_codes,
            adding_twice_and_removing_what_is_not_there_change_nothing,
            a_list_beyond_the_limit_is_not_changed_at_all,
            what_is_added_beyond_the_free_rucs_of_a_month_must_be_paid,
            a_ruc_keeps_the_time_of_its_addition,
            concurrent_additions_keep_the_limit,
            the_list_of_test_tokens_is_apart,
            a_list_of_thousands_is_read_in_pages_and_whole,
        }
    };
    (webhook_queue, $subject:ty, $fresh:expr) => {
        $crate::contract! { @webhook_queue, $subject, $fresh,
            a_test_webhook_is_never_leased,
            only_an_active_webhook_with_something_to_do_is_leased,
            one_of_many_servers_gets_the_lease,
            an_ended_lease_writes_nothing,
            a_delivery_moves_the_cursor_with_its_result,
            a_failed_attempt_keeps_body_id_and_cursor,
            webhooks_that_did_not_fail_come_first,
            webhooks_take_turns,
            webhooks_that_were_slow_come_last,
            an_account_has_three_leases_at_most,
            deleted_webhooks_and_accounts_leave_no_deliveries,
            a_pending_delivery_can_be_attempted_at_once,
            a_disabled_webhook_goes_on_where_it_stopped,
            only_the_latest_deliveries_are_kept,
            old_deliveries_are_swept_and_pending_ones_stay,
        }
    };
    (webhooks, $subject:ty, $fresh:expr) => {
        $crate::contract! { @webhooks, $subject, $fresh,
            a_webhook_is_found_as_it_was_added,
            an_account_has_a_limited_number_of_webhooks,
            a_webhook_of_another_account_is_absent,
            a_new_secret_signs_beside_the_previous_one,
            tests_and_repetitions_move_no_cursor,
        }
    };
    // The suites of what a store keeps, each in a module of its name.
    (store, $subject:ty, $fresh:expr) => {
        $crate::contract! { @store, $subject, $fresh,
            accounts, audit, certificates, daily_usage, digests, kept_lists, ledger, mail_codes, measured_hours, outbox,
            retention, sessions, tokens, watch, webhook_queue, webhooks,
        }
    };
    (@store, $subject:ty, $fresh:expr, $($suite:ident,)+) => {$(
        mod $suite {
            use super::*;

            $crate::contract!($suite, $subject, $fresh);
        }
    )+};
    (@$suite:ident, $subject:ty, $fresh:expr, $($promise:ident,)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $promise() {
            let (subject, _guard) = $fresh;
            $crate::contract::$suite::$promise::<$subject>(subject).await;
        }
    )+};
}

/// Makes a call for each of these at the same time; the results come in any order.
pub async fn together<S: ?Sized, E, T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    subject: &Arc<S>,
    each: impl IntoIterator<Item = E>,
    call: impl Fn(Arc<S>, E) -> F,
) -> Vec<T> {
    each.into_iter().map(|one| call(Arc::clone(subject), one)).collect::<JoinSet<_>>().join_all().await
}

/// Polls once and drops, as when a caller disconnects.
fn begin_and_drop<T>(mut call: Pin<Box<dyn Future<Output = T> + Send + '_>>) {
    let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

/// Whether logs and metrics can carry the name.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}
