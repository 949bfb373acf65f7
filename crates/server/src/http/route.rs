//! The route of a request: the part of its path that is safe to log. A path may contain anything, such as a person's RUC.

use actix_web::HttpRequest;
use kuraka_adapters::sources::provider_api::DialectAnswer;
use kuraka_api::Operation;

use super::dialects::DialectRoute;

/// The route of a request.
#[derive(Clone, Copy)]
pub(crate) enum Route<'a> {
    /// The path of an operation: `/name` or `/api/name`, or either with a parameter.
    Operation {
        /// Empty or `/api`.
        prefix: &'static str,
        /// The operation's name or one of its aliases.
        name: &'static str,
        operation: &'static Operation,
        /// Whether the call is answered as the original interface answers it, see [`Route::is_legacy`].
        is_legacy: bool,
        /// The segment after the name.
        parameter: Option<Parameter<'a>>,
    },
    /// A path of another provider.
    Dialect(DialectRoute<'a>),
    /// An operation of the original interface that this service does not have, by its name.
    Unserved(&'static str),
    /// What actix-web's router found: a page, a document or nothing.
    App(&'a HttpRequest),
}

/// A field of a call that is a segment of its path.
#[derive(Clone, Copy)]
pub(crate) struct Parameter<'a> {
    /// The field's name.
    pub(crate) name: &'static str,
    /// The segment, without escapes. It is never logged.
    pub(crate) value: &'a str,
}

impl<'a> Route<'a> {
    /// The field in the path.
    pub(crate) fn parameter(&self) -> Option<Parameter<'a>> {
        match self {
            Self::Operation { parameter, .. } => *parameter,
            Self::Dialect(_) | Self::Unserved(_) | Self::App(_) => None,
        }
    }

    /// Whether the path is one of the original interface: below `/api`, or an alias. There a request may be written in all
    /// ways of its clients, and an answer has its fields too.
    pub(crate) fn is_legacy(&self) -> bool {
        matches!(self, Self::Operation { is_legacy: true, .. } | Self::Dialect(_))
    }

    /// The form of another provider in which a call is answered.
    pub(crate) fn form(&self) -> Option<&'a DialectAnswer> {
        if let Self::Dialect(route) = self { route.called.map(|called| &called.form.answer) } else { None }
    }

    /// Whether pages of other sites may call it.
    pub(crate) fn is_for_pages(&self) -> bool {
        !matches!(self, Self::App(_))
    }

    /// The operation's name or alias in the path.
    pub(crate) fn name(&self) -> Option<&'static str> {
        match self {
            Self::Operation { name, .. } => Some(name),
            Self::Dialect(_) | Self::Unserved(_) | Self::App(_) => None,
        }
    }

    /// Whether a body may also be an HTML form.
    pub(crate) fn takes_forms(&self) -> bool {
        self.is_legacy() || matches!(self, Self::Operation { operation, .. } if operation.takes_forms)
    }

    /// The list whose items a text body has, one a line; `None` = it may not be text.
    pub(crate) fn list_of_lines(&self) -> Option<&'static str> {
        match self {
            Self::Operation { operation, .. } => operation.batch.filter(|it| it.lines.is_some()).map(|it| it.list),
            Self::Dialect(_) | Self::Unserved(_) | Self::App(_) => None,
        }
    }

    /// The route's pattern; `None` if no route matches.
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
            Self::App(request) => request.match_pattern(),
        }
    }
}
