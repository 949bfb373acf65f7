//! What a listener reports about its connections, for metrics or logs.

/// Notified of each connection of a listener, by its worker threads. `()` ignores it.
pub trait Observer: Send + Sync + 'static {
    /// A connection was accepted.
    fn opened(&self);
    /// An accepted connection has ended.
    fn ended(&self);
    /// The server closes or refuses a connection.
    fn closed(&self, reason: CloseReason);
}

impl Observer for () {
    fn opened(&self) {}
    fn ended(&self) {}
    fn closed(&self, _: CloseReason) {}
}

/// Why the server closed or refused a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// A request's head did not arrive in time.
    HeadTimeout,
    /// A request's body did not arrive in time.
    BodyTimeout,
    /// A request's head was too large.
    LargeHead,
    /// The client read a response too slowly.
    SlowReader,
    /// The connection was idle for `keep_alive`.
    KeepAlive,
    /// A bound was reached, and the client had never sent a whole request.
    DisplacedUnused,
    /// A bound was reached, and the connection was idle.
    DisplacedIdle,
    /// A bound was reached, and all other connections had requests in progress.
    Refused,
}

impl CloseReason {
    /// Every reason, in the order of the variants.
    pub const ALL: [Self; 8] = [
        Self::HeadTimeout,
        Self::BodyTimeout,
        Self::LargeHead,
        Self::SlowReader,
        Self::KeepAlive,
        Self::DisplacedUnused,
        Self::DisplacedIdle,
        Self::Refused,
    ];
}
