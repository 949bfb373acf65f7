//! What a taxpayer was on a day, which days are covered, and what has changed.

use std::sync::Arc;

use kuraka_app::{GapReason, HistoryError, LookupError, LookupTaxpayer, RecordedTaxpayer};
use kuraka_domain::{Date, DateError, DomicileCondition, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::fake::ScriptedRegistry;
use kuraka_ports::{ChangedDatum, DatasetRecord, Edition, SourceErrorKind, TaxpayerHistory, Timeline};

use super::{LABEL, admitted, aged, edition, known, limits, sample, taxpayer, unknown};

fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

/// Editions of these days of November.
fn record(dataset: &'static str, days: &[u8]) -> &'static DatasetRecord {
    let editions = days.iter().map(|day| edition(&format!("2026-11-{day:02}-0a1b2c3d"))).collect();
    leaked(dataset, editions, false)
}

fn leaked(dataset: &'static str, editions: Vec<Edition>, begins_after_gap: bool) -> &'static DatasetRecord {
    Box::leak(Box::new(DatasetRecord { dataset, editions, begins_after_gap }))
}

fn timeline<T>(record: &DatasetRecord, states: Vec<(usize, T)>) -> Timeline<'_, T> {
    Timeline { record, states: states.into() }
}

/// The padrón's editions of 1, 2, 3, 12, 13 and 20 November: the taxpayer is new on 2 November, not found from 13 November
/// on. It is a withholding agent from 10 November on.
fn history() -> TaxpayerHistory<'static> {
    let padron = record("padron", &[1, 2, 3, 12, 13, 20]);
    let found = taxpayer();
    let lost = TaxpayerSummary { condition: DomicileCondition::NotFound, ..found.clone() };
    TaxpayerHistory {
        summaries: timeline(padron, vec![(4, Some(lost)), (1, Some(found)), (0, None)]),
        flags: vec![
            (ChangedDatum::List("retencion"), timeline(record("retencion", &[5, 10]), vec![(1, true), (0, false)])),
            (ChangedDatum::List("buenos_contribuyentes"), timeline(record("buenos_contribuyentes", &[]), vec![])),
            (ChangedDatum::Capacity, timeline(record("ssco", &[1]), vec![(0, false)])),
        ],
        sanctions: timeline(record("sanciones", &[1]), vec![(0, Vec::new())]),
        months: None,
    }
}

fn registry(history: TaxpayerHistory<'static>) -> Arc<ScriptedRegistry> {
    let registry = ScriptedRegistry::with(edition(LABEL), [taxpayer()]);
    registry.record(known(), history);
    Arc::new(registry)
}

async fn looked_up(
    history: TaxpayerHistory<'static>,
    date: Option<Result<Date, DateError>>,
) -> Result<RecordedTaxpayer, HistoryError> {
    let (app, call) = admitted().await;
    let batch = LookupTaxpayer::new(registry(history), limits(&app.clock)).batch(&call)?;
    Ok(batch.history(known(), date)?.unwrap())
}

async fn on(day: &str) -> Result<RecordedTaxpayer, HistoryError> {
    looked_up(history(), Some(Date::parse(day))).await
}

#[tokio::test]
async fn a_day_that_is_not_covered_is_refused_with_the_covered_periods() {
    let periods = [("2026-11-01", "2026-11-10"), ("2026-11-12", "2026-11-20")].map(|(from, to)| (date(from), date(to)));
    for day in ["2026-10-31", "2026-11-11", "2026-11-21", "2026-02-30", "ayer", ""] {
        let error = on(day).await.unwrap_err();
        let HistoryError::NotCovered { periods: covered, .. } = error else { panic!("{error}") };
        assert_eq!(covered, periods, "{day}");
    }
}

#[tokio::test]
async fn a_list_that_does_not_cover_the_day_is_not_known() {
    for (day, agent, lists) in [
        ("2026-11-03", None, vec![]),
        ("2026-11-05", Some(false), vec![]),
        ("2026-11-20", Some(true), vec!["retencion"]),
    ] {
        let found = on(day).await.unwrap().on_day.unwrap().taxpayer.unwrap();
        let flags = (found.summary.withholding_agent, found.summary.good_taxpayer);
        assert_eq!((flags, found.lists), ((agent, None), lists), "{day}");
        assert_eq!(found.without_capacity, Some(false));
    }
}

#[tokio::test]
async fn the_days_that_no_edition_covers_are_named() {
    let found = looked_up(history(), None).await.unwrap();
    assert_eq!((found.from, found.until), (date("2026-11-01"), date("2026-11-20")));
    let gaps: Vec<_> =
        found.gaps.iter().map(|gap| (gap.dataset, gap.from.day(), gap.until.day(), gap.reason)).collect();
    let none = GapReason::NoEdition;
    let expected = [("padron", 11, 11, none), ("retencion", 1, 4, none), ("buenos_contribuyentes", 1, 20, none)];
    assert_eq!(gaps, expected);
    let mut cut = history();
    let editions = record("ssco", &[5]).editions.clone();
    cut.flags[2].1.record = leaked("ssco", editions, true);
    let found = looked_up(cut, None).await.unwrap();
    let gap = found.gaps.last().unwrap();
    assert_eq!((gap.dataset, gap.from.day(), gap.until.day(), gap.reason), ("ssco", 1, 4, GapReason::NoChanges));
}

#[tokio::test]
async fn a_record_ends_with_the_last_covered_day() {
    for (last, until) in [(18, 20), (20, 20), (25, 20), (11, 18)] {
        let mut ends = history();
        ends.summaries.record = record("padron", &[1, 2, 3, last]);
        assert_eq!(looked_up(ends, None).await.unwrap().until, date(&format!("2026-11-{until}")), "{last}");
    }
}

#[tokio::test]
async fn an_edition_that_is_too_old_is_a_gap() {
    let gaps_of_ssco = async |history| {
        let gaps = looked_up(history, None).await.unwrap().gaps;
        gaps.iter().filter(|gap| gap.dataset == "ssco").map(|gap| (gap.from.day(), gap.until.day())).collect::<Vec<_>>()
    };
    let mut old = history();
    let editions = vec![edition("2026-07-01-0a1b2c3d")];
    old.flags[2].1.record = leaked("ssco", editions, false);
    assert_eq!(gaps_of_ssco(old).await, [(1, 20)]);
}

#[tokio::test]
async fn the_changes_of_all_datasets_come_newest_first() {
    let mut all = history();
    let (before, after) = (taxpayer(), taxpayer());
    let after = TaxpayerSummary {
        name: "3M S A C".to_owned(),
        status: TaxpayerStatus::from_text("BAJA DE OFICIO"),
        address: "AV. LIMA NRO. 1".to_owned(),
        ubigeo: Ubigeo::parse("040101").ok(),
        ..after
    };
    let record = all.summaries.record;
    all.summaries.states = [(5, None), (4, Some(after)), (1, Some(before)), (0, None)].into_iter().collect();
    let [one, two] =
        [("2026-01-01", None), ("2026-02-01", Some(date("2026-12-31")))].map(|(day, until)| (date(day), until));
    all.sanctions = timeline(record, vec![(4, vec![two]), (3, vec![one]), (0, Vec::new())]);
    all.flags[2].1 = timeline(record, vec![(4, true), (0, false)]);
    let found = looked_up(all, None).await.unwrap();
    let changes = found.changes.iter().map(|it| (it.date.day(), it.what.datum, &*it.what.before, &*it.what.after));
    let changes: Vec<_> = changes.collect();
    let expected = [
        (20, ChangedDatum::Existence, "SI", "NO"),
        (13, ChangedDatum::Name, "3M PERU S A", "3M S A C"),
        (13, ChangedDatum::Status, "ACTIVO", "BAJA DE OFICIO"),
        (13, ChangedDatum::Address, "", "AV. LIMA NRO. 1"),
        (13, ChangedDatum::Department, "LIMA", "AREQUIPA"),
        (13, ChangedDatum::Province, "LIMA", "AREQUIPA"),
        (13, ChangedDatum::District, "SAN ISIDRO", "AREQUIPA"),
        (13, ChangedDatum::Capacity, "NO", "SI"),
        (13, ChangedDatum::Sanction, "DEFINITIVA desde 2026-01-01", ""),
        (13, ChangedDatum::Sanction, "", "TEMPORAL desde 2026-02-01"),
        (12, ChangedDatum::Sanction, "", "DEFINITIVA desde 2026-01-01"),
        (10, ChangedDatum::List("retencion"), "NO", "SI"),
        (2, ChangedDatum::Existence, "NO", "SI"),
    ];
    assert_eq!(changes, expected);
    assert_eq!((found.valid_since, found.has_more_changes), (None, false));
    let valid = looked_up(history(), None).await.unwrap().valid_since;
    assert_eq!(valid, Some((date("2026-11-02"), date("2026-11-13"))));
}

#[tokio::test]
async fn an_answer_has_two_hundred_changes_at_most() {
    let editions = (0..300).map(|day| aged(299 - day)).collect();
    let record = leaked("padron", editions, false);
    let states = |count: usize| (0..count).rev().map(|place| (place, place % 2 == 0)).collect();
    for (count, expected) in [(201, (200, false)), (202, (200, true))] {
        let flags = vec![(ChangedDatum::Capacity, timeline(record, states(count)))];
        let summaries = timeline(record, vec![(0, Some(taxpayer()))]);
        let history = TaxpayerHistory { summaries, flags, ..history() };
        let found = looked_up(history, None).await.unwrap();
        assert_eq!((found.changes.len(), found.has_more_changes), expected, "{count}");
    }
}

#[tokio::test]
async fn without_a_record_or_a_fresh_edition_nothing_is_said() {
    let (app, call) = admitted().await;
    let run = |registry: &Arc<ScriptedRegistry>, ruc| {
        LookupTaxpayer::new(registry.clone(), limits(&app.clock)).batch(&call)?.history(ruc, None)
    };
    let fresh = registry(history());
    assert!(run(&fresh, unknown()).unwrap().is_none());
    let old = Arc::new(ScriptedRegistry::with(aged(8), [taxpayer()]));
    assert!(matches!(run(&old, unknown()), Err(HistoryError::Registry(LookupError::StaleMiss { .. }))));
    assert!(run(&old, known()).unwrap().is_some());
    assert!(run(&Arc::new(ScriptedRegistry::with(sample(LABEL), [])), unknown()).unwrap().is_none());
    assert!(matches!(run(&Arc::default(), known()), Err(HistoryError::Registry(LookupError::NoEdition))));
    fresh.drop_history();
    assert!(matches!(run(&fresh, known()), Err(HistoryError::NoRecord)));
    fresh.fail(known(), SourceErrorKind::Unreadable);
    assert!(matches!(run(&fresh, known()), Err(HistoryError::Registry(LookupError::Registry(_)))));
}
