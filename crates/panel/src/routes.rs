//! The panel's routes, which the tests of access, forged forms and foreign numbers walk.

use std::panic::AssertUnwindSafe;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::guard::{Guard, GuardContext};
use actix_web::http::header::ACCEPT;
use actix_web::middleware::{Next, from_fn};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, guard, web};
use futures_util::FutureExt;
use kuraka_api::Method;

use crate::error::PageError;
use crate::layout::Layout;
use crate::pages::{
    account, asset, certificate, docs, exchange_rate, guide, home, landing, list, log_in, mailed_link, operation, plan,
    playground, search, sheet, sign_up, status, tokens, usage, voucher, watching, webhooks,
};
pub use crate::request::Access;
use crate::request::{self, Visitor};
use crate::security_headers::security_headers;
use crate::{csrf, return_page};

pub struct Route {
    /// `Get` shows a page and changes nothing, `Post` submits a form.
    pub method: Method,
    /// `{id}` is the number of a row of one account, `{code}` a secret.
    pub path: &'static str,
    /// Who the route is for.
    pub access: Access,
    handler: fn() -> actix_web::Route,
}

use Access::{Operator, Public, SignedIn};
use Method::{Get, Post};

pub const ROUTES: &[Route] = &[
    route(Get, "/", Public, || web::to(landing::show)),
    route(Get, "/docs", Public, || web::to(docs::show)),
    route(Get, "/docs/", Public, || web::to(docs::without_slash)),
    route(Get, "/docs/primera-consulta", Public, || web::to(guide::show)),
    route(Get, "/docs/panel", Public, || web::to(guide::show)),
    route(Get, "/docs/hojas-de-calculo", Public, || web::to(guide::show)),
    route(Get, "/docs/cambiar-de-servicio", Public, || web::to(guide::show)),
    route(Get, "/assets/{file}", Public, || web::to(asset::show)),
    // Without a log-in if `status.public` is set.
    route(Get, "/estado", SignedIn, || web::to(status::show)),
    route(Get, "/estado.json", Public, || web::to(status::json)),
    route(Get, "/registro", Public, || web::to(sign_up::show)),
    route(Post, "/registro", Public, || web::to(sign_up::submit)),
    route(Get, "/ingresar", Public, || web::to(log_in::show)),
    route(Post, "/ingresar", Public, || web::to(log_in::submit)),
    route(Get, "/clave", Public, || web::to(mailed_link::show)),
    route(Post, "/clave", Public, || web::to(mailed_link::request_password)),
    route(Get, "/clave/{code}", Public, || web::to(mailed_link::show_password)),
    route(Post, "/clave/{code}", Public, || web::to(mailed_link::set_password)),
    route(Get, "/confirmar/{code}", Public, || web::to(mailed_link::show_confirmation)),
    route(Post, "/confirmar/{code}", Public, || web::to(mailed_link::confirm)),
    route(Get, "/correo/{code}", Public, || web::to(mailed_link::show_digest)),
    route(Post, "/correo/{code}", Public, || web::to(mailed_link::end_digest)),
    route(Post, "/salir", SignedIn, || web::to(log_in::log_out)),
    route(Get, "/panel", SignedIn, || web::to(home::show)),
    route(Get, "/panel/consultar", SignedIn, || web::to(search::show)),
    route(Get, "/panel/consultar/sugerencias", SignedIn, || web::to(search::suggest)),
    route(Get, "/panel/consultar/{ruc}", SignedIn, || web::to(sheet::show)),
    route(Get, "/panel/comprobante", SignedIn, || web::to(voucher::show)),
    route(Post, "/panel/comprobante", SignedIn, || web::to(voucher::submit)),
    route(Get, "/panel/lista", SignedIn, || web::to(list::show)),
    route(Post, "/panel/lista", SignedIn, || web::to(list::read)),
    route(Get, "/panel/lista/{id}.xlsx", SignedIn, || web::to(list::download)),
    route(Get, "/panel/lista/{id}.csv", SignedIn, || web::to(list::download)),
    route(Get, "/panel/lista/{id}", SignedIn, || web::to(list::show_one)),
    route(Post, "/panel/lista/{id}", SignedIn, || web::to(list::choose)),
    route(Post, "/panel/lista/{id}/consultar", SignedIn, || web::to(list::look_up)),
    route(Post, "/panel/lista/{id}/detener", SignedIn, || web::to(list::stop)),
    route(Post, "/panel/lista/{id}/seguir", SignedIn, || web::to(list::follow)),
    route(Post, "/panel/lista/{id}/nombre", SignedIn, || web::to(list::name)),
    route(Post, "/panel/lista/{id}/eliminar", SignedIn, || web::to(list::delete)),
    route(Get, "/panel/seguimiento", SignedIn, || web::to(watching::show)),
    route(Post, "/panel/seguimiento", SignedIn, || web::to(watching::add)),
    route(Post, "/panel/seguimiento/buscar", SignedIn, || web::to(watching::search)),
    route(Post, "/panel/seguimiento/quitar", SignedIn, || web::to(watching::remove)),
    route(Post, "/panel/seguimiento/reponer", SignedIn, || web::to(watching::restore)),
    route(Post, "/panel/seguimiento/correo", SignedIn, || web::to(watching::set_digest)),
    route(Get, "/panel/seguimiento.csv", SignedIn, || web::to(watching::download)),
    route(Post, "/panel/constancia", SignedIn, || web::to(certificate::make)),
    route(Post, "/panel/constancia/eliminar", SignedIn, || web::to(certificate::delete)),
    route(Get, "/constancia/{code}", Public, || web::to(certificate::show)),
    route(Get, "/panel/tipo-de-cambio", SignedIn, || web::to(exchange_rate::show)),
    route(Get, "/panel/tipo-de-cambio.csv", SignedIn, || web::to(exchange_rate::download)),
    route(Get, "/panel/tokens", SignedIn, || web::to(tokens::show)),
    route(Post, "/panel/tokens", SignedIn, || web::to(tokens::create)),
    route(Get, "/panel/tokens/{id}/revocar", SignedIn, || web::to(tokens::ask_to_revoke)),
    route(Post, "/panel/tokens/{id}/revocar", SignedIn, || web::to(tokens::revoke)),
    route(Get, "/panel/avisos", SignedIn, || web::to(webhooks::show)),
    route(Post, "/panel/avisos", SignedIn, || web::to(webhooks::create)),
    route(Get, "/panel/avisos/{id}", SignedIn, || web::to(webhooks::show_one)),
    route(Post, "/panel/avisos/{id}", SignedIn, || web::to(webhooks::change)),
    route(Get, "/panel/consumo", SignedIn, || web::to(usage::show)),
    route(Get, "/panel/consumo.csv", SignedIn, || web::to(usage::download)),
    route(Get, "/panel/plan", SignedIn, || web::to(plan::show)),
    route(Get, "/panel/probar", SignedIn, || web::to(playground::show)),
    route(Get, "/panel/estado", Public, || web::to(status::moved)),
    route(Get, "/panel/cuenta", SignedIn, || web::to(account::show)),
    route(Get, "/panel/cuenta.csv", SignedIn, || web::to(account::download_lines)),
    route(Get, "/panel/cuenta.json", SignedIn, || web::to(account::download_data)),
    route(Post, "/panel/cuenta/clave", SignedIn, || web::to(account::change_password)),
    route(Post, "/panel/cuenta/correo", SignedIn, || web::to(account::change_email)),
    route(Get, "/panel/cuenta/eliminar", SignedIn, || web::to(account::ask_to_delete)),
    route(Post, "/panel/cuenta/eliminar", SignedIn, || web::to(account::delete)),
    route(Get, "/panel/operacion", Operator, || web::to(operation::show)),
    route(Post, "/panel/operacion/datos", Operator, || web::to(operation::change_dataset)),
    route(Get, "/panel/operacion/cuentas", Operator, || web::to(operation::accounts::show)),
    route(Post, "/panel/operacion/cuentas", Operator, || web::to(operation::accounts::search)),
    route(Get, "/panel/operacion/cuentas/{page}", Operator, || web::to(operation::accounts::show_one)),
    route(Post, "/panel/operacion/cuentas/{page}", Operator, || web::to(operation::accounts::change)),
    route(Get, "/panel/operacion/auditoria", Operator, || web::to(operation::audit::show)),
    route(Post, "/panel/operacion/auditoria", Operator, || web::to(operation::audit::search)),
];

const fn route(method: Method, path: &'static str, access: Access, handler: fn() -> actix_web::Route) -> Route {
    Route { method, path, access, handler }
}

/// Adds the routes to a server with [`Data<Panel>`](crate::Panel), after the server's own: browsers get the panel's
/// not-found page for every other path, other clients the server's response.
pub fn configure(service: &mut web::ServiceConfig) {
    for Route { method, path, access, handler } in ROUTES {
        let resource = web::resource(*path).app_data(*access);
        let resource = resource.wrap(from_fn(error_page)).wrap(from_fn(security_headers));
        service.service(match method {
            Method::Get => resource.guard(get_or_head()).route(handler()),
            Method::Post => resource.guard(guard::Post()).route(handler()),
        });
    }
    let rest = web::resource("/{path:.*}").wrap(from_fn(error_page)).wrap(from_fn(security_headers));
    service.service(rest.guard(get_or_head()).guard(guard::fn_guard(accepts_html)).to(not_found));
}

async fn not_found(_visitor: Visitor) -> Result<HttpResponse, PageError> {
    Err(PageError::NotFound)
}

/// Turns a handler's panic into the page of an internal error, and shows errors with the menu.
async fn error_page<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let copy = request.request().clone();
    let response = match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(response) => response?.map_into_boxed_body(),
        Err(_) => {
            let error = PageError::Internal("a page panicked; the line before this one holds the panic");
            ServiceResponse::from_err(error, copy)
        }
    };
    let error = response.response().error().and_then(|error| error.as_error::<PageError>());
    Ok(match error.and_then(|error| html(error, response.request())) {
        Some(html) => response.map_body(|_, _| BoxBody::new(html)),
        None => response,
    })
}

/// The page of an error with what is known of the request: its user, and the page before.
fn html(error: &PageError, request: &HttpRequest) -> Option<String> {
    let site = &request::panel(request).ok()?.site;
    let layout = request.extensions().get::<Layout>().cloned();
    let back = csrf::previous_page(request, site).and_then(return_page::read);
    error.html(layout.unwrap_or_else(|| Layout::public(site)), back)
}

fn get_or_head() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

/// Whether the client accepts HTML by name, as browsers do.
fn accepts_html(request: &GuardContext<'_>) -> bool {
    let accepted = request.head().headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}
