//! Threads that give way to calls: one runs only while no thread of normal priority wants its processor, and stops at once
//! when one does. Linux calls this `SCHED_IDLE`.
//!
//! A thread without privileges cannot take its priority back, so the work gets a thread of its own. Threads that it
//! starts inherit the priority.

use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use std::{io, thread};

use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};

/// Runs `work` at idle priority and waits for its result. A panic continues in the caller.
pub fn run_at_idle_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let lowered = || {
        lower();
        work()
    };
    thread::scope(|scope| scope.spawn(lowered).join()).unwrap_or_else(|panic| resume_unwind(panic))
}

/// Runs `work` at idle priority, beside the caller.
///
/// # Errors
/// If the system has no thread; then `work` was dropped.
pub fn spawn_at_idle_priority(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let lowered = || {
        lower();
        work();
    };
    thread::Builder::new().name("idle priority".to_owned()).spawn(lowered).map(drop)
}

/// Runs `work` at idle priority. If that takes longer than `patience`, because other threads keep the processors busy,
/// runs it again at the caller's priority, and the first result is dropped.
pub(crate) fn give_way<T: Send + 'static>(patience: Duration, work: impl Fn() -> T + Clone + Send + 'static) -> T {
    let (sender, done) = sync_channel(1);
    let idle_work = work.clone();
    let spawned = spawn_at_idle_priority(move || drop(sender.send(idle_work())));
    spawned.ok().and_then(|()| done.recv_timeout(patience).ok()).unwrap_or_else(work)
}

/// Lowers the priority of this thread for good.
fn lower() {
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    // A system that refuses it runs the work at normal priority.
    let _ =
        thread_priority::set_thread_priority_and_policy(thread_priority::thread_native_id(), ThreadPriority::Min, idle);
}

#[cfg(test)]
mod tests {
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
    fn work_gives_way_until_the_patience_ends() {
        let caller = thread::current().id();
        assert!(give_way(Duration::MAX, move || is_idle() && thread::current().id() != caller));
        let is_here = give_way(Duration::from_millis(1), move || {
            while thread::current().id() != caller {
                thread::park();
            }
            true
        });
        assert!(is_here);
    }
}
