//! What the stream asks of a socket beyond reading and writing.

#[cfg(target_os = "linux")]
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use crate::limits::Limits;

/// Bytes that the kernel takes beyond what the client's window allows. More would be kept for slow readers, and a
/// response would seem to be sent that no client has received.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 32 * 1024;

/// The kernel gives up on a client that takes nothing for this time, or for twice the time that a client may leave an
/// response unread: the stream closes slow readers first, and this is for clients that are gone.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// A socket, or a pipe in tests.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin {
    /// Bytes that were written and that the client has not acknowledged.
    fn queued(&self) -> u64;

    /// Discards these bytes when the socket is closed, instead of trying to send them for minutes.
    fn discard_on_close(&self);
}

impl Socket for TcpStream {
    #[cfg(target_os = "linux")]
    fn queued(&self) -> u64 {
        use rustix::ioctl::{Getter, ioctl};
        // It is defined as the terminals' `TIOCOUTQ`, whose number depends on the processor.
        const SIOCOUTQ: rustix::ioctl::Opcode = libc::TIOCOUTQ as rustix::ioctl::Opcode;
        #[expect(unsafe_code, reason = "the system call for the length of the send queue has no safe wrapper")]
        // SAFETY: on a TCP socket this request writes one `int` to the address that it is given, and does nothing else.
        let queued = unsafe { ioctl(self, Getter::<SIOCOUTQ, std::ffi::c_int>::new()) };
        queued.ok().and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0)
    }

    #[cfg(not(target_os = "linux"))]
    fn queued(&self) -> u64 {
        0
    }

    fn discard_on_close(&self) {
        let _ = self.set_zero_linger();
    }
}

/// Sets what the connections of a listener inherit. Without these options a slow reader costs more memory, nothing else.
#[cfg(target_os = "linux")]
pub(crate) fn configure(listener: &socket2::Socket, limits: &Limits) {
    let _ = listener.set_tcp_notsent_lowat(UNSENT);
    let _ = listener.set_tcp_user_timeout(Some(UNACKNOWLEDGED.max(2 * limits.response_grace)));
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn configure(_: &socket2::Socket, _: &Limits) {}

#[cfg(test)]
impl Socket for tokio::io::DuplexStream {
    fn queued(&self) -> u64 {
        0
    }

    fn discard_on_close(&self) {}
}
