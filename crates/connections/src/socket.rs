//! What the stream needs from a socket beyond reading and writing.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::limits::Limits;

/// Bytes that the kernel takes beyond the client's window. More would cost memory for slow readers, and a response
/// would seem sent that no client has received.
const UNSENT: u32 = 32 * 1024;

/// The kernel gives up on a client that takes nothing for this time, or for twice the time that a response may be
/// unread. The stream closes slow readers earlier.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// A socket, or a pipe in tests.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin {
    /// Bytes written and not yet acknowledged by the client.
    fn queued(&self) -> u64;

    /// Discards these bytes when the socket is closed, instead of retrying for minutes.
    fn discard_on_close(&self);
}

impl Socket for TcpStream {
    fn queued(&self) -> u64 {
        use rustix::ioctl::{Getter, ioctl};
        // The terminals' `TIOCOUTQ`, whose number depends on the processor.
        const SIOCOUTQ: rustix::ioctl::Opcode = libc::TIOCOUTQ as rustix::ioctl::Opcode;
        #[expect(unsafe_code, reason = "the system call for the length of the send queue has no safe wrapper")]
        // SAFETY: on a TCP socket this request writes one `int` to the given address, and does nothing else.
        let queued = unsafe { ioctl(self, Getter::<SIOCOUTQ, std::ffi::c_int>::new()) };
        queued.ok().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0)
    }

    fn discard_on_close(&self) {
        let _ = self.set_zero_linger();
    }
}

/// Sets what a listener's connections inherit. Without the first option, the last part of a large answer waits until the
/// client acknowledges the part before it, which its kernel may put off by 40 ms; without the others, a slow reader only
/// costs more memory.
pub(crate) fn configure(listener: &socket2::Socket, limits: &Limits) {
    let _ = listener.set_tcp_nodelay(true);
    let _ = listener.set_tcp_notsent_lowat(UNSENT);
    let _ = listener.set_tcp_user_timeout(Some(UNACKNOWLEDGED.max(2 * limits.response_grace)));
}
