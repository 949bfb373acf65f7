//! What can go wrong on the way to a page, and the page that says so. Nothing of the inside is told.

use std::borrow::Cow;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use kuraka_app::throttle::Throttled;
use kuraka_ports::{StoreError, StoreErrorKind};

use crate::frame::Frame;
use crate::page;

/// Why there is no page.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Nobody is signed in: to the log-in page.
    SignedOut,
    /// A form that did not come from one of our pages, or came from a page of an older session.
    NotOurForm,
    /// A body that is no form.
    NotAForm,
    /// A form that is too large.
    TooLarge,
    /// No such page, or nothing of that number in this account.
    NotFound,
    /// Too many attempts.
    TooMany {
        /// Seconds until the next may be made.
        retry_after: u64,
    },
    /// Too much to do just now.
    Busy,
    /// The store is out of reach.
    Store(StoreError),
    /// A bug.
    Inside(&'static str),
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    frame: Frame,
    status: u16,
    title: &'static str,
    text: Cow<'static, str>,
    way_out: &'static str,
    way_out_title: &'static str,
}

impl Problem {
    fn words(&self) -> (&'static str, Cow<'static, str>) {
        match self {
            Self::SignedOut => ("Ingrese primero", "Su sesión terminó o todavía no ingresó.".into()),
            Self::NotOurForm => (
                "No se pudo comprobar el formulario",
                "No se hizo ningún cambio. La página estuvo abierta demasiado tiempo, o el navegador no acepta cookies. \
                 Vuelva a abrirla e inténtelo otra vez."
                    .into(),
            ),
            Self::NotAForm => ("No se entendió el formulario", "No se hizo ningún cambio.".into()),
            Self::TooLarge => ("El formulario es demasiado grande", "No se hizo ningún cambio.".into()),
            Self::NotFound => ("Esta página no existe", "Revise la dirección, o vuelva al inicio.".into()),
            Self::TooMany { retry_after } => (
                "Demasiados intentos",
                format!("Por seguridad, espere {} antes de volver a intentar.", wait(*retry_after)).into(),
            ),
            Self::Busy => ("Hay mucha demanda en este momento", "Vuelva a intentar en unos segundos.".into()),
            Self::Store(_) => {
                ("El panel no está disponible", "No se pudo completar. Vuelva a intentar en unos segundos.".into())
            }
            Self::Inside(_) => ("Ocurrió un error interno", "Vuelva a intentar en unos segundos.".into()),
        }
    }
}

/// For a path that nobody has.
pub(crate) async fn lost() -> Result<HttpResponse, Problem> {
    Err(Problem::NotFound)
}

/// A wait in words, rounded up.
fn wait(seconds: u64) -> String {
    match seconds {
        0 | 1 => "1 segundo".to_owned(),
        2..=90 => format!("{seconds} segundos"),
        _ => format!("{} minutos", seconds.div_ceil(60)),
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::SignedOut => StatusCode::SEE_OTHER,
            Self::NotOurForm => StatusCode::FORBIDDEN,
            Self::NotAForm => StatusCode::BAD_REQUEST,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Inside(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let status = self.status_code();
        let (title, text) = self.words();
        let page = ProblemPage {
            frame: Frame::outside(),
            status: status.as_u16(),
            title,
            text,
            way_out: "/",
            way_out_title: "Ir al inicio",
        };
        let mut response = page::html(status, &page);
        let headers = response.headers_mut();
        match self {
            Self::SignedOut => drop(headers.insert(LOCATION, HeaderValue::from_static("/ingresar"))),
            Self::TooMany { retry_after } => drop(headers.insert(RETRY_AFTER, HeaderValue::from(*retry_after))),
            Self::Busy | Self::Store(_) => drop(headers.insert(RETRY_AFTER, HeaderValue::from(1))),
            Self::NotOurForm | Self::NotAForm | Self::TooLarge | Self::NotFound | Self::Inside(_) => {}
        }
        response
    }
}

/// For the log, never for the page.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SignedOut => f.write_str("nobody is signed in"),
            Self::NotOurForm => f.write_str("the form did not come from one of our pages"),
            Self::NotAForm => f.write_str("the body is no form"),
            Self::TooLarge => f.write_str("the form is too large"),
            Self::NotFound => f.write_str("there is no such page"),
            Self::TooMany { retry_after } => write!(f, "too many attempts, the next in {retry_after} s"),
            Self::Busy => f.write_str("too many passwords are being checked"),
            Self::Store(error) => {
                write!(f, "{error}")?;
                error.cause.iter().try_for_each(|cause| write!(f, ": {cause}"))
            }
            Self::Inside(what) => f.write_str(what),
        }
    }
}

impl From<Throttled> for Problem {
    fn from(throttled: Throttled) -> Self {
        Self::TooMany { retry_after: throttled.wait.as_secs().max(1) }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error.kind {
            StoreErrorKind::Missing => Self::NotFound,
            StoreErrorKind::Unavailable | StoreErrorKind::Conflict | StoreErrorKind::Unreadable => Self::Store(error),
        }
    }
}
