//! Work that a caller does itself, and that continues on a runtime if the caller leaves.

use std::future::Future;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

/// A future that is completed on a runtime if dropped early. Until then it costs no task.
pub(super) struct DetachOnDrop<F: Future<Output: Send> + Send + 'static> {
    /// `None` once it has ended or panicked.
    work: Option<Pin<Box<F>>>,
    runtime: Handle,
}

impl<F: Future<Output: Send> + Send + 'static> DetachOnDrop<F> {
    pub(super) fn new(work: F, runtime: Handle) -> Self {
        Self { work: Some(Box::pin(work)), runtime }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for DetachOnDrop<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Taken, so that work that panics is not polled again.
        let Some(mut work) = mem::take(&mut self.work) else { return Poll::Pending };
        // The caller's runtime may end first, so timers and tasks belong to the other one from the start.
        let polled = {
            let _entered = self.runtime.enter();
            work.as_mut().poll(context)
        };
        if polled.is_pending() {
            self.work = Some(work);
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for DetachOnDrop<F> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.runtime.spawn(work);
        }
    }
}
