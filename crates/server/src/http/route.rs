//! The part of a request's path that is safe to log: a path may contain anything, such as a person's RUC.

use actix_web::HttpRequest;
use kuraka_adapters::sources::provider_api::DialectAnswer;
use kuraka_api::Operation;

use super::dialects::DialectRoute;

#[derive(Clone, Copy)]
pub(crate) enum Route<'a> {
    /// An operation's path: `/name` or `/api/name`, or either with a parameter.
    Operation {
        /// Empty or `/api`.
        prefix: &'static str,
        /// The operation's name or an alias.
        name: &'static str,
        operation: &'static Operation,
        /// See [`Route::is_legacy`].
        is_legacy: bool,
        /// The segment after the name.
        parameter: Option<Parameter<'a>>,
    },
    Dialect(DialectRoute<'a>),
    /// An operation of the original interface that this service does not have.
    Unserved(&'static str),
    /// `/mcp`.
    Mcp,
    /// What actix-web's router found: a page, a document or nothing.
    App(&'a HttpRequest),
}

#[derive(Clone, Copy)]
pub(crate) struct Parameter<'a> {
    pub(crate) name: &'static str,
    /// Without escapes; never logged.
    pub(crate) value: &'a str,
}

impl<'a> Route<'a> {
    pub(crate) fn parameter(&self) -> Option<Parameter<'a>> {
        if let Self::Operation { parameter, .. } = self { *parameter } else { None }
    }

    /// Whether the path is the original interface's: below `/api`, or an alias. There requests may have any of its
    /// forms, and answers its fields.
    pub(crate) fn is_legacy(&self) -> bool {
        matches!(self, Self::Operation { is_legacy: true, .. } | Self::Dialect(_))
    }

    /// The other provider's form in which to answer.
    pub(crate) fn form(&self) -> Option<&'a DialectAnswer> {
        if let Self::Dialect(route) = self { route.called.map(|called| &called.form.answer) } else { None }
    }

    /// Whether pages of other sites may call it.
    pub(crate) fn is_for_pages(&self) -> bool {
        !matches!(self, Self::Mcp | Self::App(_))
    }

    /// The name or alias in the path.
    pub(crate) fn name(&self) -> Option<&'static str> {
        if let Self::Operation { name, .. } = self { Some(name) } else { None }
    }

    /// Whether a body may be an HTML form.
    pub(crate) fn takes_forms(&self) -> bool {
        self.is_legacy() || matches!(self, Self::Operation { operation, .. } if operation.takes_forms)
    }

    /// The list that a text body has, one item a line, if it may be text.
    pub(crate) fn list_of_lines(&self) -> Option<&'static str> {
        let batch = if let Self::Operation { operation, .. } = self { operation.batch } else { None };
        batch.filter(|it| it.lines.is_some()).map(|it| it.list)
    }

    /// `None` = no route matches.
    pub(crate) fn pattern(&self) -> Option<String> {
        match self {
            Self::Operation { prefix, name, parameter: None, .. } => Some(format!("{prefix}/{name}")),
            Self::Operation { prefix, name, parameter: Some(parameter), .. } => {
                Some(format!("{prefix}/{name}/{{{}}}", parameter.name))
            }
            Self::Dialect(DialectRoute { named, called }) => {
                Some(format!("/compat/{}{}", named.name, called.map_or("", |called| called.path)))
            }
            Self::Unserved(name) => Some(format!("/{name}")),
            Self::Mcp => Some("/mcp".to_owned()),
            Self::App(request) => request.match_pattern(),
        }
    }
}
