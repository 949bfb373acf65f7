//! How long a call waits for PostgreSQL.

use std::time::Duration;

/// How long a call waits for a connection, a new one included.
pub const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// How long a statement waits for its answer. After that its connection is closed, and its result is unknown.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// How long a statement of a copy waits. An operator watches the copy of a store and can cancel it.
pub(super) const COPY_WITHIN: Duration = Duration::from_secs(3_600);
