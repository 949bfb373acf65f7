//! Hands filled buffers from one thread to another, which hands them back to be filled again.

use std::sync::mpsc::sync_channel;
use std::thread;

/// Buffers between the two threads.
const IN_FLIGHT: usize = 4;

/// Runs `fill` on another thread, with a function that hands a buffer over and returns the one to fill next, or `None`
/// to stop. Calls `each` with every buffer on this thread; it returns a buffer to fill again.
///
/// `None` = `fill` panicked. The error is the first one of `each`.
pub(crate) fn hand_over<B: Default + Send, R: Send, E>(
    fill: impl FnOnce(&mut dyn FnMut(B) -> Option<B>) -> R + Send,
    mut each: impl FnMut(B) -> Result<B, E>,
) -> Result<Option<R>, E> {
    let (filled, buffers) = sync_channel(IN_FLIGHT);
    let (free, free_buffers) = sync_channel(IN_FLIGHT);
    for _ in 1..IN_FLIGHT {
        // The channel has room for all of them.
        let _ = free.send(B::default());
    }
    thread::scope(|scope| {
        let filling = scope.spawn(move || {
            fill(&mut |buffer| {
                filled.send(buffer).ok()?;
                free_buffers.recv().ok()
            })
        });
        // Dropped when `each` fails, so that the other thread ends.
        let (buffers, free) = (buffers, free);
        for buffer in buffers {
            // The other thread ends after its last buffer.
            let _ = free.send(each(buffer)?);
        }
        Ok(filling.join().ok())
    })
}
