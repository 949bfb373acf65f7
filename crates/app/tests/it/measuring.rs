//! What servers measure of themselves, compared with a replay of the log of their calls.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_app::measuring::ServiceDay;
use kuraka_app::{History, Recorder, ServiceReport};
use kuraka_domain::Date;
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{CallCounts, MeasuredHours, ServerId, StoreErrorKind};

/// Midnight in Peru, in minutes.
const START: i64 = 29_743_500;
const DAY: i64 = 1_440;
const BOUNDS: [u64; 4] = [100, 400, 1_600, u64::MAX];

/// A run of a server in minutes of true time, and how it ends.
struct Run {
    starts: i64,
    ends: i64,
    is_killed: bool,
    /// How wrong its clock is in a minute of true time.
    clock: fn(i64) -> i64,
}

/// A call, as a log has it.
struct Line {
    run: usize,
    /// The minute of true time, and by the server's clock.
    minute: i64,
    shown: i64,
    subject: &'static str,
    failed: bool,
    micros: u64,
}

/// A clock that is wrong by more measures nothing.
const WRONG: i64 = 90 * DAY;

/// A day and two hours: a restart, a kill, 50 minutes without any server, a clock that is set back by 95 minutes and forth
/// again, and clocks that are months ahead and behind.
const RUNS: [Run; 4] = [
    Run { starts: 7, ends: 700, is_killed: true, clock: |minute| if (300..500).contains(&minute) { -95 } else { 0 } },
    Run {
        starts: 750,
        ends: DAY + 120,
        is_killed: false,
        clock: |minute| match minute {
            1_000..1_030 => WRONG,
            DAY..1_460 => -WRONG / 2,
            _ => 0,
        },
    },
    Run { starts: 100, ends: 640, is_killed: false, clock: |_| 0 },
    Run { starts: 780, ends: 1_300, is_killed: true, clock: |minute| if minute == 900 { -2 } else { 0 } },
];

fn log() -> Vec<Line> {
    let mut seed = 7_u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut lines = Vec::new();
    for (run, Run { starts, ends, clock, .. }) in RUNS.iter().enumerate() {
        for minute in *starts..*ends {
            let (calls, rarely) = if random(10) == 0 { (30, 2) } else { (4, 5) };
            for _ in 0..random(calls) {
                let subject = ["/ruc", "/ruc-official", "respaldo"][random(3) as usize];
                let (failed, micros) = (random(rarely) == 0, random(2_000));
                lines.push(Line { run, minute, shown: minute + clock(minute), subject, failed, micros });
            }
        }
    }
    lines
}

fn moment(minute: i64) -> Timestamp {
    Timestamp::from_second((START + minute) * 60).unwrap()
}

/// Of a monotonic clock.
fn since_start(minute: i64) -> Duration {
    Duration::from_secs(minute.unsigned_abs() * 60)
}

/// What a run has counted before this minute of true time.
fn counted(log: &[Line], run: usize, before: i64) -> BTreeMap<String, CallCounts> {
    counts(log.iter().filter(|line| line.run == run && line.minute < before))
}

fn counts<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeMap<String, CallCounts> {
    let mut all = BTreeMap::<String, CallCounts>::new();
    for line in lines {
        let counts = all.entry(line.subject.to_owned()).or_default();
        counts.calls += 1;
        counts.failed += u64::from(line.failed);
        for bound in BOUNDS {
            *counts.times.entry(bound).or_default() += 0;
        }
        let bound = BOUNDS.into_iter().find(|bound| line.micros <= *bound).unwrap();
        *counts.times.entry(bound).or_default() += 1;
    }
    all
}

/// Runs all servers until this minute, with a store that is away for two hours.
async fn measured(log: &[Line], until: i64) -> ServiceReport {
    let store = MemoryStore::new();
    let mut recorders: Vec<_> = (0..RUNS.len()).map(|run| Recorder::new(ServerId([run as u8; 16]))).collect();
    let mut history = History::default();
    for minute in 0..=until {
        store.fail((200..320).contains(&minute).then_some(StoreErrorKind::Unavailable));
        for (at, Run { starts, ends, is_killed, clock }) in RUNS.iter().enumerate() {
            let recorder = &mut recorders[at];
            if (*starts..*ends).contains(&minute) {
                recorder.beat(moment(minute + clock(minute)), since_start(minute), counted(log, at, minute));
                let _ = recorder.write(&store).await;
            } else if minute == *ends && !is_killed {
                let end = moment(minute - 1) + SignedDuration::from_secs(59);
                recorder.beat(end, since_start(minute), counted(log, at, minute));
                recorder.end_minute();
                recorder.write(&store).await.unwrap();
            }
        }
        if minute % 7 == 0 {
            // Also by the clock of a server that is months ahead.
            for clock in RUNS.iter().filter(|run| (run.starts..run.ends).contains(&minute)).map(|run| run.clock) {
                let _ = history.read(&store, moment(minute + clock(minute))).await;
            }
        }
    }
    history.read(&store, moment(until)).await.unwrap();
    history.report()
}

fn is_wrong(run: &Run, minute: i64) -> bool {
    (run.clock)(minute).abs() > DAY
}

/// The same from the log alone. The running minute of a killed server is lost.
fn replayed(log: &[Line], until: i64) -> ServiceReport {
    let known = |line: &&Line| {
        let run = &RUNS[line.run];
        let lost = i64::from(run.is_killed);
        let is_right = !is_wrong(run, line.minute);
        is_right && line.minute < if run.ends > until { until } else { run.ends - lost }
    };
    let alive = |run: &'static Run| {
        let minutes = (run.starts..run.ends.min(until + 1)).filter(|minute| !is_wrong(run, *minute));
        minutes.map(|minute| minute + (run.clock)(minute))
    };
    let lived: BTreeSet<i64> = RUNS.iter().flat_map(alive).filter(|minute| *minute < until).collect();
    let mut visits = BTreeMap::<_, (i64, usize, usize)>::new();
    for line in log.iter().filter(known).filter(|line| line.subject.starts_with('/')) {
        let visit = visits.entry((line.run, line.minute, line.subject)).or_insert((line.shown, 0, 0));
        (visit.1, visit.2) = (visit.1 + 1, visit.2 + usize::from(line.failed));
    }
    let is_bad = |(_, calls, failed): &(i64, usize, usize)| *calls >= 5 && 2 * failed >= *calls;
    let bad: BTreeSet<i64> = visits.into_values().filter(is_bad).map(|(shown, ..)| shown).collect();
    let first = *lived.first().unwrap();
    let days = (0..=until / DAY).map(|day| {
        let minutes = || (day * DAY).max(first)..((day + 1) * DAY).min(until);
        let count = |is: &dyn Fn(&i64) -> bool| minutes().filter(|minute| is(minute)).count() as u64;
        ServiceDay {
            date: Date::in_peru((START + day * DAY) * 60).unwrap(),
            ok: count(&|minute| lived.contains(minute) && !bad.contains(minute)),
            bad: count(&|minute| lived.contains(minute) && bad.contains(minute)),
            unmeasured: count(&|minute| !lived.contains(minute)),
        }
    });
    ServiceReport { until: Some(moment(until)), days: days.collect(), subjects: counts(log.iter().filter(known)) }
}

#[tokio::test]
async fn the_report_is_a_replay_of_the_log() {
    let log = log();
    for until in [60, 400, 760, 1_000, DAY, DAY + 119] {
        let mut report = measured(&log, until).await;
        report.subjects.values_mut().for_each(|counts| counts.bad_minutes = 0);
        assert_eq!(report, replayed(&log, until), "{until}");
    }
    let report = measured(&log, DAY + 119).await;
    assert_eq!(
        report.days.iter().map(|day| day.unmeasured).sum::<u64>(),
        70,
        "no server lived, or its clock was wrong"
    );
    assert!(report.days.iter().all(|day| day.bad > 0), "{:?}", report.days);
}

#[tokio::test]
async fn minutes_without_a_server_count_against_availability() {
    let store = MemoryStore::new();
    let mut recorder = Recorder::new(ServerId([1; 16]));
    let counts = |calls| {
        let times = [(1_000, calls / 2), (2_000, calls / 2), (u64::MAX, 0)].into();
        BTreeMap::from([("/ruc".to_owned(), CallCounts { calls, failed: calls / 10, bad_minutes: 0, times })])
    };
    for minute in 0..30 {
        recorder.beat(moment(minute), since_start(minute), counts(10 * minute.unsigned_abs()));
    }
    recorder.beat(moment(60), since_start(60), counts(300));
    recorder.write(&store).await.unwrap();
    let mut history = History::default();
    assert_eq!(history.report(), ServiceReport::default());
    history.read(&store, moment(60)).await.unwrap();
    let report = history.report();
    assert_eq!(report.availability("/ruc"), Some(0.9 * 30.0 / 60.0));
    assert_eq!(report.availability("/cpe"), Some(30.0 / 60.0), "without calls");
    assert_eq!((report.millis("/ruc", 0.5), report.millis("/ruc", 0.99)), (Some(1.0), Some(1.98)));
    assert_eq!(report.millis("/cpe", 0.5), None);
    // The store is away: what was last read stays.
    store.fail(StoreErrorKind::Unavailable);
    history.read(&store, moment(90)).await.unwrap_err();
    assert_eq!(history.report(), report);
}

#[tokio::test]
async fn hours_older_than_a_year_and_90_days_are_forgotten() {
    let store = MemoryStore::new();
    let mut recorder = Recorder::new(ServerId([1; 16]));
    let mut history = History::default();
    for day in 0..458 {
        recorder.beat(moment(day * DAY), since_start(day * DAY), BTreeMap::new());
        recorder.write(&store).await.unwrap();
        history.read(&store, moment(day * DAY + 1)).await.unwrap();
    }
    let report = history.report();
    assert_eq!((report.days.len(), report.days[0].ok), (90, 1));
    assert_eq!(report.days[0].date, Date::in_peru((START + 368 * DAY) * 60).unwrap());
    assert_eq!(store.hours(0, i64::MAX).await.unwrap().len(), 456);
}
