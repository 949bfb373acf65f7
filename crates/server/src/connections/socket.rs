//! What the stream asks of a socket beyond reading and writing.
#![allow(unsafe_code, reason = "the system call for the length of the send queue has no safe wrapper")]

use std::net::TcpListener;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

/// Bytes that the kernel takes beyond what the client's window allows. More would be kept for slow readers, and an
/// answer would seem to be sent that no client has received.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 32 * 1024;

/// Seconds after which the kernel gives up on a peer that acknowledges nothing.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: std::time::Duration = std::time::Duration::from_secs(30);

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
        // `SIOCOUTQ` in <linux/sockios.h>; it has the number of the terminals' `TIOCOUTQ`.
        const SIOCOUTQ: rustix::ioctl::Opcode = 0x5411;
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
pub(super) fn configure(listener: &TcpListener) {
    let socket = socket2::SockRef::from(listener);
    let _ = socket.set_tcp_notsent_lowat(UNSENT);
    let _ = socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn configure(_: &TcpListener) {}

#[cfg(test)]
impl Socket for tokio::io::DuplexStream {
    fn queued(&self) -> u64 {
        0
    }

    fn discard_on_close(&self) {}
}
