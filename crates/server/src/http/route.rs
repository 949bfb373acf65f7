//! The route of a request: the part of its path that is safe to log. A path may contain anything, such as a person's RUC.

use actix_web::HttpRequest;

/// The route of a request.
#[derive(Clone, Copy)]
pub(crate) enum Route<'a> {
    /// The path of an operation: `/name` or `/api/name`.
    Operation {
        /// Empty or `/api`.
        prefix: &'static str,
        /// The operation's name or one of its aliases.
        name: &'static str,
    },
    /// What actix-web's router found: a page, a document or nothing.
    App(&'a HttpRequest),
}

impl Route<'_> {
    /// The route's pattern; `None` if no route matches.
    pub(crate) fn pattern(&self) -> Option<String> {
        match self {
            Self::Operation { prefix, name } => Some(format!("{prefix}/{name}")),
            Self::App(request) => request.match_pattern(),
        }
    }
}
