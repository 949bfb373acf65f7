//! The limit of unknown tokens from one network. Their checksum is right, so each would cost a query to the store.
//!
//! Above the limit, a token is refused before the store is asked for it, unless it may be known ([`KnownDigests`]). So
//! a client that shares its address with an attacker is not affected. Decision 28 has the reasons.

use std::net::IpAddr;
use std::sync::Arc;

use kuraka_ports::{Clock, StoreError, TokenDigest, Tokens};

use super::known_digests::{KnownDigests, READ_EVERY};
use crate::client_network::ClientNetwork;
use crate::window_limit::WindowLimit;

/// Unknown tokens from one network in a minute.
const MOST_A_MINUTE: u32 = 20;

/// Counts unknown tokens.
pub(super) struct UnknownTokens {
    networks: WindowLimit<Option<ClientNetwork>>,
    pub(super) known: KnownDigests,
}

/// A lookup in the store that was let through.
pub(super) enum Lookup {
    /// Counted as unknown until its result is reported.
    Counted(Option<ClientNetwork>),
    /// Above the limit, but the token may be known.
    MayBeKnown,
}

/// Why a token is not looked up.
pub(super) enum LookupError {
    /// The network presented too many unknown tokens, and this one is unknown too.
    TooManyUnknown {
        /// Whole seconds until the tokens that were created meanwhile are known.
        retry_after: u64,
    },
    /// The store did not answer.
    Store(StoreError),
}

impl UnknownTokens {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { networks: WindowLimit::new(MOST_A_MINUTE, Arc::clone(&clock)), known: KnownDigests::new(clock) }
    }

    /// Lets a lookup through, or refuses it before the store is asked for the token.
    pub(super) async fn admit(
        &self,
        tokens: &Arc<dyn Tokens>,
        digest: &TokenDigest,
        from: Option<IpAddr>,
    ) -> Result<Lookup, LookupError> {
        let network = from.map(ClientNetwork::from);
        if self.networks.take(network).is_ok() {
            return Ok(Lookup::Counted(network));
        }
        if self.known.may_know(tokens, digest).await.map_err(LookupError::Store)? {
            return Ok(Lookup::MayBeKnown);
        }
        Err(LookupError::TooManyUnknown { retry_after: READ_EVERY.as_secs() })
    }

    /// Reports the result of a lookup: whether the store does not know the token.
    pub(super) fn report(&self, lookup: Lookup, digest: TokenDigest, is_unknown: bool) {
        match lookup {
            Lookup::Counted(network) if !is_unknown => self.networks.give_back(&network),
            Lookup::MayBeKnown if is_unknown => self.known.refute(digest),
            Lookup::Counted(_) | Lookup::MayBeKnown => {}
        }
    }
}
