//! Threads at idle priority (`SCHED_IDLE`): they run only when no normal thread needs the processor.
//!
//! A thread without privileges cannot take its priority back, so the work gets a thread of its own. Threads that it
//! starts inherit the priority.

use std::panic::resume_unwind;
use std::sync::mpsc::{SendError, sync_channel};
use std::time::Duration;
use std::{io, thread};

use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

/// A published edition must answer within two seconds, on a busy machine too.
const IDLE_BUDGET: Duration = Duration::from_millis(500);

/// Runs `work` at idle priority and waits for its result. A panic continues in the caller. If no thread can be started,
/// the work runs in the caller, at its priority.
pub fn run_at_idle_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    run_in(thread_of_work(), work)
}

fn run_in<T: Send, W: FnOnce() -> T + Send>(thread: thread::Builder, work: W) -> T {
    // The thread takes the work once it exists, because a closure that cannot be started is lost.
    let (sender, receiver) = sync_channel::<W>(1);
    let lowered = move || {
        lower();
        receiver.recv().map(|work| work())
    };
    thread::scope(|scope| {
        let Ok(started) = thread.spawn_scoped(scope, lowered) else { return work() };
        if let Err(SendError(work)) = sender.send(work) {
            return work();
        }
        let done = started.join().and_then(|done| done.map_err(|error| Box::new(error) as _));
        done.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs `work` at idle priority, without waiting for it.
///
/// # Errors
/// If no thread can be started; then `work` was dropped.
pub fn spawn_at_idle_priority(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let lowered = || {
        lower();
        work();
    };
    thread_of_work().spawn(lowered).map(drop)
}

/// Runs `work` at idle priority; if that takes half a second of wall time, runs it again at the caller's priority and
/// drops the first result.
pub fn run_idle_then_normal<T: Send + 'static>(work: impl Fn() -> T + Clone + Send + 'static) -> T {
    run_idle_for(IDLE_BUDGET, work)
}

fn run_idle_for<T: Send + 'static>(budget: Duration, work: impl Fn() -> T + Clone + Send + 'static) -> T {
    let (sender, done) = sync_channel(1);
    let idle_work = work.clone();
    let spawned = spawn_at_idle_priority(move || drop(sender.send(idle_work())));
    spawned.ok().and_then(|()| done.recv_timeout(budget).ok()).unwrap_or_else(work)
}

fn thread_of_work() -> thread::Builder {
    thread::Builder::new().name("idle priority".to_owned())
}

fn lower() {
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    // If the system refuses, the work runs at normal priority.
    let _ =
        thread_priority::set_thread_priority_and_policy(thread_priority::thread_native_id(), ThreadPriority::Min, idle);
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::mpsc::channel;

    use super::*;

    fn is_idle() -> bool {
        thread_priority::thread_schedule_policy().unwrap()
            == ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle)
    }

    #[test]
    fn the_work_and_its_threads_have_idle_priority() {
        let before = is_idle();
        let (of_work, of_its_thread) = run_at_idle_priority(|| (is_idle(), thread::spawn(is_idle).join().unwrap()));
        assert!(of_work && of_its_thread);
        let (sender, receiver) = channel();
        spawn_at_idle_priority(move || sender.send(is_idle()).unwrap()).unwrap();
        assert!(receiver.recv().unwrap());
        assert_eq!(is_idle(), before, "the caller keeps its priority");
    }

    #[test]
    fn work_runs_in_the_caller_if_there_is_no_thread() {
        let caller = thread::current().id();
        let too_large = || thread::Builder::new().stack_size(1 << 47);
        assert!(too_large().spawn(|| ()).is_err());
        assert_eq!(run_in(too_large(), || thread::current().id()), caller);
        assert_ne!(run_in(thread_of_work(), || thread::current().id()), caller);
    }

    #[test]
    fn a_panic_of_the_work_continues_in_the_caller() {
        let panic = catch_unwind(|| run_at_idle_priority(|| resume_unwind(Box::new(7)))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&7));
    }

    #[test]
    fn work_gives_way_until_the_patience_ends() {
        let caller = thread::current().id();
        assert!(run_idle_for(Duration::MAX, move || is_idle() && thread::current().id() != caller));
        let is_here = run_idle_for(Duration::from_millis(1), move || {
            while thread::current().id() != caller {
                thread::park();
            }
            true
        });
        assert!(is_here);
    }
}
