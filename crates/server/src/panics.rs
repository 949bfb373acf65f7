//! How panics are logged and contained. A panic is a bug, and must cost no more than the work at hand.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::thread;

/// Runs `work`; `None` = it panicked, which the hook has logged.
pub(crate) fn contain<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// A panic's message if constant: a formatted one may quote a secret or personal data.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().unwrap_or("a panic; its message is not logged, because it may quote data")
}

/// The server's panic hook: logs the place, and the backtrace if `RUST_BACKTRACE` asks for it.
pub(crate) fn log(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string);
    let thread = thread::current();
    let backtrace = Backtrace::capture();
    let backtrace = (backtrace.status() == BacktraceStatus::Captured).then(|| tracing::field::display(backtrace));
    tracing::error!(
        place,
        thread = thread.name(),
        cause = message(panic.payload()),
        backtrace,
        "a panic: this is a bug"
    );
}
