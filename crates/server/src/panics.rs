//! Panics: how they are logged, and what contains them. A panic is a bug, and must cost no more than the work at hand.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::thread;

/// Runs `work`. Returns `None` if it panics; the panic hook has logged the panic.
pub(crate) fn contain<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// The message of a panic if it is a constant. A formatted message may quote a secret or a person's data.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().unwrap_or("a panic; its message is not logged, because it may quote data")
}

/// The panic hook of the server: logs where the panic happened. The backtrace is logged if `RUST_BACKTRACE` asks for it.
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
