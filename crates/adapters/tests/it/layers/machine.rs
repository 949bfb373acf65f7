//! The breaker's machine against a model that keeps the whole history and counts it anew each time.

use std::time::Duration;

use kuraka_adapters::layers::Jitter;
use kuraka_adapters::layers::breaker::{BreakerState, Machine, Pass, Verdict};
use proptest::prelude::*;

use super::SECOND;

#[derive(Default)]
struct Model {
    history: Vec<(u64, Verdict)>,
    open_until: Option<Duration>,
    probing: bool,
    back_offs: u32,
    epoch: usize,
}

impl Model {
    fn admit(&mut self, now: Duration) -> Option<usize> {
        match self.open_until {
            Some(until) if self.probing || now < until => return None,
            Some(_) => (self.probing, self.epoch) = (true, self.epoch + 1),
            None => {}
        }
        Some(self.epoch)
    }

    fn end(&mut self, now: Duration, epoch: usize, verdict: Option<Verdict>) {
        let Some(verdict) = verdict.filter(|_| epoch == self.epoch) else {
            return if epoch == self.epoch && self.probing {
                (self.probing, self.epoch) = (false, epoch + 1)
            };
        };
        self.history.push((now.as_secs(), verdict));
        let last = |wanted: fn(&Verdict) -> bool| self.history.iter().rev().take_while(|(_, v)| wanted(v)).count();
        let recent = self.history.iter().filter(|(second, _)| now.as_secs() - second < 30);
        let (good, bad): (Vec<&_>, Vec<&_>) = recent.partition(|(_, v)| *v == Verdict::Healthy);
        let half = good.len() + bad.len() >= 10 && bad.len() >= good.len();
        let back_off = 15 * SECOND * 2_u32.pow(self.back_offs.min(5));
        let open_for = match verdict {
            Verdict::Healthy if self.probing => return *self = Self { epoch: epoch + 1, ..Self::default() },
            Verdict::Healthy => return,
            Verdict::Throttling { retry_after: Some(asked) } => asked,
            Verdict::Distrusted if last(|v| *v == Verdict::Distrusted) >= 3 => 300 * SECOND,
            Verdict::Failing | Verdict::Distrusted
                if !self.probing && !half && last(|v| *v != Verdict::Healthy) < 5 =>
            {
                return;
            }
            Verdict::Failing | Verdict::Distrusted | Verdict::Throttling { retry_after: None } => {
                self.back_offs += 1;
                back_off
            }
        };
        (self.open_until, self.probing, self.epoch) = (Some(now + open_for.min(300 * SECOND)), false, epoch + 1);
    }

    fn state(&self, now: Duration) -> BreakerState {
        match self.open_until {
            None => BreakerState::Closed,
            Some(until) if !self.probing && now < until => BreakerState::Open,
            Some(_) => BreakerState::HalfOpen,
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Wait(Duration),
    Begin,
    /// The call that began so many calls ago ends, with a verdict or without.
    End(prop::sample::Index, Option<Verdict>),
    /// Calls that begin and end at once.
    Calls(Vec<Verdict>),
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        5 => Just(Verdict::Healthy),
        5 => Just(Verdict::Failing),
        3 => Just(Verdict::Distrusted),
        1 => prop::option::of(0_u64..600).prop_map(|asked| Verdict::Throttling {
            retry_after: asked.map(Duration::from_secs)
        }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0_u64..5_000).prop_map(|millis| Step::Wait(Duration::from_millis(millis))),
        2 => (0_u64..310).prop_map(|seconds| Step::Wait(Duration::from_secs(seconds))),
        4 => Just(Step::Begin),
        4 => (any::<prop::sample::Index>(), prop::option::weighted(0.8, verdict()))
            .prop_map(|(index, verdict)| Step::End(index, verdict)),
        4 => prop::collection::vec(verdict(), 1..8).prop_map(Step::Calls),
        1 => (1_usize..8).prop_map(|count| Step::Calls(vec![Verdict::Failing; count])),
    ]
}

fn end(machine: &mut Machine, now: Duration, pass: Pass, verdict: Option<Verdict>) {
    match verdict {
        Some(verdict) => {
            machine.record(now, pass, verdict, &Jitter::new(|| u32::MAX));
        }
        None => machine.release(pass),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_machine_does_what_the_model_does(steps in prop::collection::vec(step(), 1..80)) {
        let (mut machine, mut model) = (Machine::new(Machine::FIRST_OPEN), Model::default());
        let (mut now, mut under_way) = (Duration::ZERO, Vec::new());
        for step in steps {
            let verdicts = match step {
                Step::Wait(time) => {
                    now += time;
                    vec![]
                }
                Step::Begin => vec![None],
                Step::Calls(verdicts) => verdicts.into_iter().map(Some).collect(),
                Step::End(index, verdict) => {
                    if !under_way.is_empty() {
                        let (pass, epoch) = under_way.swap_remove(index.index(under_way.len()));
                        end(&mut machine, now, pass, verdict);
                        model.end(now, epoch, verdict);
                    }
                    vec![]
                }
            };
            for verdict in verdicts {
                let (pass, epoch) = (machine.admit(now), model.admit(now));
                prop_assert_eq!(pass.is_ok(), epoch.is_some());
                match (pass, epoch, verdict) {
                    (Ok(pass), Some(epoch), None) => under_way.push((pass, epoch)),
                    (Ok(pass), Some(epoch), Some(verdict)) => {
                        end(&mut machine, now, pass, Some(verdict));
                        model.end(now, epoch, Some(verdict));
                    }
                    _ => {}
                }
            }
            prop_assert_eq!(machine.state(now), model.state(now));
        }
    }
}

#[test]
fn a_first_time_beyond_the_longest_is_cut_to_it() {
    let mut machine = Machine::new(Duration::MAX);
    for _ in 0..5 {
        let pass = machine.admit(SECOND).unwrap();
        machine.record(SECOND, pass, Verdict::Failing, &Jitter::new(|| u32::MAX));
    }
    assert_eq!(machine.admit(SECOND).unwrap_err().retry_in, Some(Machine::MAX_OPEN));
}

#[test]
fn a_call_counts_for_half_a_minute() {
    for (seconds, expected) in [(29, BreakerState::Open), (30, BreakerState::Closed)] {
        let mut machine = Machine::new(Machine::FIRST_OPEN);
        let later = seconds * SECOND;
        let first = (Duration::ZERO, Verdict::Failing);
        let healthy = [true, false, true, false, true, false, true, true, false];
        let rest = healthy.map(|healthy| (later, if healthy { Verdict::Healthy } else { Verdict::Failing }));
        for (now, verdict) in [first].into_iter().chain(rest) {
            let pass = machine.admit(now).unwrap();
            machine.record(now, pass, verdict, &Jitter::new(|| u32::MAX));
        }
        assert_eq!(machine.state(later), expected, "the first of ten calls is {seconds} s old");
    }
}
