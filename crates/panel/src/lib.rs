//! The account panel: where a caller signs up, makes tokens, sees what was used, and tries a call. Pages are made on
//! the server, in Spanish; a browser without scripts can do everything but the trying.
//!
//! This crate shows and asks; it refuses to know SQL, and it decides nothing that a use case decides. Every route stands
//! in [`routes::ROUTES`], every form is a `submission::Submission`, every answer goes through `seal`.

mod assets;
mod cookie;
mod door;
mod fields;
mod forgery;
mod frame;
mod page;
mod pages;
mod problem;
pub mod reference;
pub mod routes;
mod seal;
mod site;
pub mod sources;
mod spanish;
mod submission;
mod visit;

use std::sync::Arc;

use kuraka_app::{OwnTokens, Plans, SignIn, Usage};
use kuraka_ports::{Clock, TaxpayerRegistry};

pub use routes::{Route, configure};
pub use site::{ClientAddress, Site};
pub use sources::Sources;

/// All that the pages need.
pub struct Panel {
    /// How this server is reached, and whom it lets in.
    pub site: Site,
    /// Who is signed in.
    pub sign_in: Arc<SignIn>,
    /// The tokens of whoever is.
    pub own_tokens: OwnTokens,
    /// What was used.
    pub usage: Arc<Usage>,
    /// Every plan.
    pub plans: Plans,
    /// For the edition that answers.
    pub registry: Arc<dyn TaxpayerRegistry>,
    /// How old an edition may be for a missing RUC to count as absent; `None` = any age.
    pub max_age_days: Option<u32>,
    /// For their state.
    pub sources: Arc<dyn Sources>,
    /// What the API says of itself.
    pub reference: reference::Reference,
    /// Time.
    pub clock: Arc<dyn Clock>,
}
