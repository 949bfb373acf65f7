//! The errors of a page, and the page that reports them. Internal texts go to the log only.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use kuraka_app::SignInError;
use kuraka_app::throttle::ThrottledError;
use kuraka_ports::{StoreError, StoreErrorKind};
use thiserror::Error;
use tokio::sync::TryAcquireError;

use crate::layout::Layout;
use crate::{response, return_page, spanish};

/// Text and sources are for the log.
#[derive(Debug, Error)]
pub enum PageError {
    #[error("the request has no session")]
    SignedOut { page: Option<String>, form: bool },
    #[error("the form did not come from a page of the panel")]
    ForeignForm,
    #[error("the body is not a form")]
    NotAForm,
    #[error("the form is too large")]
    TooLarge { limit: usize },
    #[error("there is no such page")]
    NotFound,
    #[error("the change of a dataset is not possible now")]
    NotDone,
    #[error("too many attempts, the next in {retry_after} s")]
    Throttled { retry_after: u64 },
    #[error("too many forms, the next in {retry_after} s")]
    TooManyForms { retry_after: u64 },
    #[error("the plan's rate is exceeded, the next call is admitted in {retry_after} s")]
    TooFast { retry_after: u64 },
    #[error("the page costs {queries} queries, and {left} are left")]
    Exhausted {
        left: u64,
        queries: u64,
        /// The number of the next month.
        renews: u8,
    },
    #[error("the account has no place for another upload or large answer")]
    NoPlace,
    #[error("the answer would be too long")]
    LongAnswer,
    #[error("the account's data would be too long")]
    LongData,
    #[error("too many passwords are being checked, or too many calls are in progress")]
    Busy,
    #[error(transparent)]
    Store(StoreError),
    #[error("{0}")]
    Internal(&'static str),
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    layout: Layout,
    status: u16,
    title: &'static str,
    text: Cow<'static, str>,
    left: Option<u64>,
    back: Option<String>,
}

/// The same with the menu.
#[derive(Template)]
#[template(path = "error_signed_in.html")]
struct SignedInErrorPage {
    layout: Layout,
    page: ErrorPage,
}

impl PageError {
    /// The page's HTML, with the menu if `layout` has a user, and a link to the page before.
    pub(crate) fn html(&self, layout: Layout, back: Option<String>) -> Option<String> {
        let has_menu = !layout.email.is_empty();
        let page = ErrorPage { back, ..self.error_page(layout.clone()) };
        let html = if has_menu { SignedInErrorPage { layout, page }.render() } else { page.render() };
        html.ok()
    }

    fn error_page(&self, layout: Layout) -> ErrorPage {
        let (status, title, text) = self.page();
        let left = if let Self::Exhausted { left, .. } = self { Some(*left) } else { None };
        ErrorPage { layout, status: status.as_u16(), title, text, left, back: None }
    }

    /// Its text, for a page that has a place for it.
    pub(crate) fn text(&self) -> String {
        let (_, title, text) = self.page();
        format!("{title}. {text}")
    }

    fn page(&self) -> (StatusCode, &'static str, Cow<'static, str>) {
        match self {
            Self::SignedOut { .. } => {
                (StatusCode::SEE_OTHER, "Ingrese primero", "Su sesión terminó o todavía no ingresó.".into())
            }
            Self::ForeignForm => (
                StatusCode::FORBIDDEN,
                "No se pudo comprobar el formulario",
                "No se hizo ningún cambio. La página estuvo abierta demasiado tiempo, el navegador no acepta cookies, o \
                 la petición no dice, con el encabezado Origin, que viene de este sitio. Vuelva a abrirla e inténtelo otra \
                 vez."
                    .into(),
            ),
            Self::NotAForm => {
                (StatusCode::BAD_REQUEST, "No se entendió el formulario", "No se hizo ningún cambio.".into())
            }
            Self::TooLarge { limit } => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "El archivo es demasiado grande",
                format!("Se admiten hasta {}. No se hizo ningún cambio ni se descontó ninguna consulta.", size(*limit)).into(),
            ),
            Self::NotFound => {
                (StatusCode::NOT_FOUND, "Esta página no existe", "Revise la dirección, o vuelva al inicio.".into())
            }
            Self::NotDone => (
                StatusCode::CONFLICT,
                "No se pudo hacer el cambio",
                "Este servidor no actualiza ese conjunto de datos, no guarda otra edición, o ya se está actualizando. El registro del \
                 servidor dice por qué."
                    .into(),
            ),
            Self::Throttled { retry_after } => (
                StatusCode::TOO_MANY_REQUESTS,
                "Demasiados intentos",
                format!("Por seguridad, espere {} antes de volver a intentar.", wait(*retry_after)).into(),
            ),
            Self::TooManyForms { retry_after } => (
                StatusCode::TOO_MANY_REQUESTS,
                "Demasiados formularios en un minuto",
                format!("No se hizo ningún cambio. Espere {} antes de volver a enviarlo.", wait(*retry_after)).into(),
            ),
            Self::TooFast { retry_after } => (
                StatusCode::TOO_MANY_REQUESTS,
                "Superó la velocidad de su plan",
                format!("No se descontó ninguna consulta. Espere {} antes de consultar otra vez.", wait(*retry_after)).into(),
            ),
            Self::Exhausted { left, queries, renews } => (
                StatusCode::TOO_MANY_REQUESTS,
                "No le quedan consultas suficientes",
                format!(
                    "No se descontó ninguna consulta. Esto cuesta {}, y de su plan le quedan {} en este mes. Se renuevan el 1 de {}.",
                    spanish::queries(*queries),
                    spanish::number(*left),
                    spanish::month(*renews)
                )
                .into(),
            ),
            Self::NoPlace => (
                StatusCode::TOO_MANY_REQUESTS,
                "Ya tiene dos archivos o páginas grandes en curso",
                "No se hizo ningún cambio ni se descontó ninguna consulta. Espere a que terminen de enviarse o descargarse y vuelva a \
                 intentar."
                    .into(),
            ),
            Self::LongAnswer => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "La respuesta sería demasiado grande",
                "Divida la lista en partes. De una lista consultada, el libro de Excel ocupa menos que el CSV.".into(),
            ),
            Self::LongData => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "Sus datos ocupan demasiado para una descarga",
                "Elimine listas que ya no necesite, o pida el archivo a quien opera este servicio.".into(),
            ),
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                "Hay mucha demanda en este momento",
                "Vuelva a intentar en unos segundos.".into(),
            ),
            Self::Store(_) => (
                StatusCode::SERVICE_UNAVAILABLE,
                "El panel no está disponible",
                "No se pudo completar. Vuelva a intentar en unos segundos.".into(),
            ),
            Self::Internal(_) => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "Ocurrió un error interno",
                "Vuelva a intentar en unos segundos.".into(),
            ),
        }
    }
}

fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{} KB", bytes >> 10) } else { format!("{} MB", bytes >> 20) }
}

/// Rounded up to minutes above 90 seconds.
fn wait(seconds: u64) -> String {
    match seconds {
        0 | 1 => "1 segundo".to_owned(),
        2..=90 => format!("{seconds} segundos"),
        _ => format!("{} minutos", seconds.div_ceil(60)),
    }
}

impl ResponseError for PageError {
    fn status_code(&self) -> StatusCode {
        self.page().0
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = response::page(self.status_code(), &self.error_page(Layout::default()));
        let mut set = |name, value| drop(response.headers_mut().insert(name, value));
        if let Self::SignedOut { page, form } = self
            && let Ok(log_in) = HeaderValue::from_str(&return_page::log_in(page.as_deref(), *form))
        {
            set(LOCATION, log_in);
        } else if let Self::Throttled { retry_after }
        | Self::TooManyForms { retry_after }
        | Self::TooFast { retry_after } = self
        {
            set(RETRY_AFTER, HeaderValue::from(*retry_after));
        } else if matches!(self, Self::NoPlace | Self::Busy | Self::Store(_)) {
            set(RETRY_AFTER, HeaderValue::from(1));
        }
        response
    }
}

impl From<ThrottledError> for PageError {
    fn from(throttled: ThrottledError) -> Self {
        Self::Throttled { retry_after: throttled.whole_seconds() }
    }
}

/// The errors for which no form has a text.
impl From<TryAcquireError> for PageError {
    fn from(_: TryAcquireError) -> Self {
        Self::Busy
    }
}

impl From<SignInError> for PageError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Throttled(throttled) => throttled.into(),
            SignInError::Store(error) => error.into(),
            SignInError::Suspended => Self::SignedOut { page: None, form: false },
            SignInError::Busy | SignInError::Wrong | SignInError::Email | SignInError::Taken | SignInError::Weak(_) => {
                Self::Busy
            }
        }
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        if error.kind == StoreErrorKind::Missing { Self::NotFound } else { Self::Store(error) }
    }
}
