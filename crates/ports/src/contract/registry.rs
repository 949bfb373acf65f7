//! What [`TaxpayerRegistry`] and [`RegistrySnapshot`] promise.

use std::iter::repeat_n;
use std::sync::Arc;

use kuraka_domain::{AnnexPremises, ListMembership, Ruc, TaxpayerProfile, TaxpayerSummary};

use super::together;
use crate::{ProfileParts, RegistrySnapshot, SnapshotDataset, TaxpayerRegistry, dataset};

pub const ALL_PARTS: ProfileParts = ProfileParts::FLAGS
    .and(ProfileParts::LISTS)
    .and(ProfileParts::ANNEX_COUNT)
    .and(ProfileParts::ANNEXES)
    .and(ProfileParts::OPEN_DATA)
    .and(ProfileParts::OPERATING_INCAPACITY)
    .and(ProfileParts::SANCTIONS);

/// A registry with an edition, and what the suite needs of it.
pub struct Filled<R> {
    pub registry: Arc<R>,
    /// Taxpayers in its edition, at least one, with the expected answer.
    pub known: Vec<TaxpayerSummary>,
    /// A RUC that is not in its edition.
    pub absent: Ruc,
    /// Publishes an edition with another label, with `absent` and none of `known`.
    pub publish_next: Box<dyn Fn(&R) + Send>,
    /// Publishes annex premises, which had no edition before.
    pub publish_annexes: Box<dyn Fn(&R) + Send>,
    /// What it publishes, all of the first of `known`: at least two.
    pub annexes: Vec<AnnexPremises>,
    pub empty: Arc<R>,
}

fn snapshot(registry: &impl TaxpayerRegistry) -> Arc<dyn RegistrySnapshot> {
    registry.snapshot().expect("a registry with an edition")
}

fn answer(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> Option<TaxpayerSummary> {
    let profile = profile(snapshot, ruc, ProfileParts::FLAGS)?;
    assert_eq!(
        profile,
        TaxpayerProfile::from_summary(profile.summary.clone()),
        "nothing was asked for but the summary"
    );
    Some(profile.summary)
}

/// The last edition is the snapshot's, and has the taxpayer without flags; an absent RUC has no state.
pub async fn a_history_ends_with_the_taxpayer_of_today<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    let rucs = subject.known.iter().map(|taxpayer| taxpayer.ruc).chain([subject.absent]);
    for ruc in rucs {
        let history = snapshot.history(ruc).expect("readable bytes").expect("a record");
        let editions = &history.summaries.record.editions;
        assert_eq!(editions.last().map(|edition| &edition.label), Some(&snapshot.edition().label));
        let today = history.summaries.at(editions.len() - 1).expect("an edition");
        assert_eq!(*today, profile(&*snapshot, ruc, ProfileParts::NONE).map(|profile| profile.summary));
        assert_eq!(history.summaries.states.last().map(|(place, _)| *place), Some(0));
    }
}

pub async fn an_absent_ruc_is_none_not_an_error<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert_eq!(answer(&*snapshot(&*subject.registry), subject.absent), None);
    assert!(subject.empty.snapshot().is_none(), "without an edition");
    assert_eq!(subject.empty.edition(), None);
}

/// Also after the next publication; later snapshots are of the new edition.
pub async fn all_answers_of_a_snapshot_are_of_one_edition<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to look up");
    let (old, same) = (snapshot(&*subject.registry), snapshot(&*subject.registry));
    let edition = Arc::clone(old.edition());
    let in_datasets = state(&*old, dataset::PADRON).edition.as_ref().expect("the padrón's edition");
    assert!(Arc::ptr_eq(&edition, same.edition()) && Arc::ptr_eq(&edition, in_datasets));
    assert_eq!(subject.registry.edition().as_ref(), Some(&edition));
    for is_published in [false, true] {
        if is_published {
            (subject.publish_next)(&subject.registry);
        }
        for taxpayer in &subject.known {
            assert_eq!(answer(&*old, taxpayer.ruc).as_ref(), Some(taxpayer));
        }
        assert_eq!(answer(&*old, subject.absent), None);
        assert!(Arc::ptr_eq(&edition, old.edition()));
    }
    let new = snapshot(&*subject.registry);
    assert_ne!(edition.label, new.edition().label);
    for taxpayer in &subject.known {
        assert_eq!(answer(&*new, taxpayer.ruc), None);
    }
    assert_eq!(answer(&*new, subject.absent).map(|taxpayer| taxpayer.ruc), Some(subject.absent));
}

/// In order, with repetitions.
pub async fn many_rucs_are_answered_as_each_of_them<R: TaxpayerRegistry>(subject: Filled<R>) {
    (subject.publish_annexes)(&subject.registry);
    let snapshot = snapshot(&*subject.registry);
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    let rucs: Vec<Ruc> = known.chain([subject.absent]).cycle().take(50).collect();
    for parts in [ProfileParts::NONE, ProfileParts::FLAGS, ALL_PARTS] {
        for count in [0, 1, rucs.len()] {
            let rucs = rucs.get(..count).expect("so many RUCs");
            let together: Vec<_> = snapshot.profiles(rucs, parts).map(|answer| answer.expect("an answer")).collect();
            let each: Vec<_> = rucs.iter().map(|ruc| profile(&*snapshot, *ruc, parts)).collect();
            assert_eq!(together, each);
        }
    }
}

pub async fn each_of_many_threads_gets_its_own_answers<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    let each = repeat_n(&subject.known, 32).flatten().cloned();
    let ask = |snapshot: Arc<dyn RegistrySnapshot>, taxpayer: TaxpayerSummary| async move {
        (answer(&*snapshot, taxpayer.ruc), taxpayer)
    };
    for (answer, asked) in together(&snapshot, each, ask).await {
        assert_eq!(answer, Some(asked));
    }
}

fn profile(snapshot: &dyn RegistrySnapshot, ruc: Ruc, parts: ProfileParts) -> Option<TaxpayerProfile> {
    snapshot.profile(ruc, parts).expect("readable editions")
}

fn state<'a>(snapshot: &'a dyn RegistrySnapshot, name: &str) -> &'a SnapshotDataset {
    snapshot.dataset(name).expect("every dataset has a state")
}

/// Unknown never looks like "there is none".
pub async fn a_dataset_without_an_edition_is_not_an_empty_answer<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    assert_eq!(state(&*snapshot, dataset::ANNEXES).edition, None);
    for taxpayer in &subject.known {
        let profile = profile(&*snapshot, taxpayer.ruc, ALL_PARTS).expect("a known taxpayer");
        assert_eq!((profile.annex_count, profile.annexes), (None, None));
    }
    assert_eq!(profile(&*snapshot, subject.absent, ALL_PARTS), None);
}

/// The padrón's edition stays as it is.
pub async fn a_published_dataset_answers_in_later_snapshots_only<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert!(subject.annexes.len() > 1, "the suite needs annex premises");
    let old = snapshot(&*subject.registry);
    (subject.publish_annexes)(&subject.registry);
    let new = snapshot(&*subject.registry);
    assert_eq!(old.edition().label, new.edition().label);
    for taxpayer in subject.known.iter().skip(1) {
        let profile = profile(&*new, taxpayer.ruc, ALL_PARTS).expect("a known taxpayer");
        assert_eq!((profile.annex_count, profile.annexes), (Some(0), Some(Vec::new())));
    }
    assert_eq!(profile(&*new, subject.absent, ALL_PARTS), None);
    let first = subject.known.first().expect("a taxpayer").ruc;
    let annexes = |snapshot: &dyn RegistrySnapshot| {
        let profile = profile(snapshot, first, ALL_PARTS).expect("a known taxpayer");
        assert_eq!(profile.annex_count, profile.annexes.as_ref().map(Vec::len));
        profile.annexes
    };
    assert_eq!((annexes(&*old), annexes(&*new)), (None, Some(subject.annexes.clone())));
    assert_eq!(state(&*old, dataset::ANNEXES).edition, None);
    assert!(state(&*new, dataset::ANNEXES).edition.is_some());
    (subject.publish_next)(&subject.registry);
    assert_eq!(annexes(&*new), Some(subject.annexes), "the padrón's publication changes nothing");
}

/// Each alone as with the others.
pub async fn only_the_parts_that_are_asked_for_are_answered<R: TaxpayerRegistry>(subject: Filled<R>) {
    (subject.publish_annexes)(&subject.registry);
    let snapshot = snapshot(&*subject.registry);
    for ruc in subject.known.iter().map(|taxpayer| taxpayer.ruc) {
        let ask = |parts| profile(&*snapshot, ruc, parts).expect("a known taxpayer");
        let (all, none) = (ask(ALL_PARTS), ask(ProfileParts::NONE));
        let summary = TaxpayerSummary { withholding_agent: None, good_taxpayer: None, ..all.summary.clone() };
        assert_eq!(none, TaxpayerProfile::from_summary(summary), "neither flags nor other datasets");
        assert_eq!(ask(ProfileParts::FLAGS), TaxpayerProfile::from_summary(all.summary.clone()));
        assert_eq!(ask(ProfileParts::LISTS), TaxpayerProfile { lists: all.lists.clone(), ..none.clone() });
        assert_eq!(ask(ProfileParts::ANNEX_COUNT), TaxpayerProfile { annex_count: all.annex_count, ..none.clone() });
        assert_eq!(ask(ProfileParts::ANNEXES), TaxpayerProfile { annexes: all.annexes.clone(), ..none.clone() });
        assert_eq!(ask(ProfileParts::OPEN_DATA), TaxpayerProfile { open_data: all.open_data.clone(), ..none.clone() });
        let incapacity = all.operating_incapacity.clone();
        assert_eq!(
            ask(ProfileParts::OPERATING_INCAPACITY),
            TaxpayerProfile { operating_incapacity: incapacity, ..none.clone() }
        );
        assert_eq!(ask(ProfileParts::SANCTIONS), TaxpayerProfile { sanctions: all.sanctions.clone(), ..none });
    }
}

pub async fn the_flags_of_a_summary_agree_with_the_lists<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    for taxpayer in &subject.known {
        let profile = profile(&*snapshot, taxpayer.ruc, ProfileParts::LISTS).expect("a known taxpayer");
        for (list, flag) in
            [("retencion", taxpayer.withholding_agent), ("buenos_contribuyentes", taxpayer.good_taxpayer)]
        {
            let is_on = |lists: &Vec<ListMembership>| lists.iter().any(|entry| entry.dataset == list);
            assert_eq!(profile.lists.as_ref().map(is_on), flag, "{} {list}", taxpayer.ruc);
        }
    }
}
