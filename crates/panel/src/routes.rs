//! Every route of the panel, in one table: what is not in it does not exist, and the tests that try strangers, forged
//! forms and other people's numbers walk it.

use actix_web::guard::{Guard, GuardContext};
use actix_web::http::header::ACCEPT;
use actix_web::middleware::from_fn;
use actix_web::{guard, web};

use crate::pages::{account, docs, landing, log_in, log_out, plan, playground, sign_up, status, tokens, usage};
use crate::{assets, problem, seal};

/// One way to ask for something.
pub struct Route {
    /// How it is asked.
    pub method: Method,
    /// The path; a part in braces is a number that belongs to somebody.
    pub path: &'static str,
    /// Who may ask.
    pub access: Access,
    handler: fn() -> actix_web::Route,
}

/// How something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Shows, changes nothing.
    Get,
    /// Changes something; a form.
    Post,
}

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Anybody,
    /// Who is signed in.
    SignedIn,
}

use Access::{Anybody, SignedIn};
use Method::{Get, Post};

/// The panel.
pub const ROUTES: &[Route] = &[
    route(Get, "/", Anybody, || web::to(landing::show)),
    route(Get, "/docs", Anybody, || web::to(docs::show)),
    route(Get, "/assets/{file}", Anybody, || web::to(assets::serve)),
    route(Get, "/registro", Anybody, || web::to(sign_up::show)),
    route(Post, "/registro", Anybody, || web::to(sign_up::submit)),
    route(Get, "/ingresar", Anybody, || web::to(log_in::show)),
    route(Post, "/ingresar", Anybody, || web::to(log_in::submit)),
    route(Post, "/salir", SignedIn, || web::to(log_out::submit)),
    route(Get, "/panel", SignedIn, || web::to(tokens::first)),
    route(Get, "/panel/tokens", SignedIn, || web::to(tokens::show)),
    route(Post, "/panel/tokens", SignedIn, || web::to(tokens::create)),
    route(Get, "/panel/tokens/{id}/revocar", SignedIn, || web::to(tokens::ask_to_revoke)),
    route(Post, "/panel/tokens/{id}/revocar", SignedIn, || web::to(tokens::revoke)),
    route(Get, "/panel/consumo", SignedIn, || web::to(usage::show)),
    route(Get, "/panel/consumo.csv", SignedIn, || web::to(usage::download)),
    route(Get, "/panel/plan", SignedIn, || web::to(plan::show)),
    route(Get, "/panel/probar", SignedIn, || web::to(playground::show)),
    route(Get, "/panel/estado", SignedIn, || web::to(status::show)),
    route(Get, "/panel/cuenta", SignedIn, || web::to(account::show)),
    route(Post, "/panel/cuenta/clave", SignedIn, || web::to(account::change_password)),
    route(Get, "/panel/cuenta/eliminar", SignedIn, || web::to(account::ask_to_delete)),
    route(Post, "/panel/cuenta/eliminar", SignedIn, || web::to(account::delete)),
];

const fn route(method: Method, path: &'static str, access: Access, handler: fn() -> actix_web::Route) -> Route {
    Route { method, path, access, handler }
}

/// Adds the routes to a server that has `Data<Panel>` among its data; to be called after every other route is added.
/// A path that nobody has is answered with a page where a browser asks, and is left to the server's default otherwise.
pub fn configure(service: &mut web::ServiceConfig) {
    for Route { method, path, handler, .. } in ROUTES {
        let resource = web::resource(*path).wrap(from_fn(seal::seal));
        service.service(match method {
            Method::Get => resource.guard(shows()).route(handler()),
            Method::Post => resource.guard(guard::Post()).route(handler()),
        });
    }
    let lost = web::resource("/{path:.*}").wrap(from_fn(seal::seal));
    service.service(lost.guard(shows()).guard(guard::fn_guard(asks_for_a_page)).to(problem::lost));
}

/// Whether a request changes nothing.
fn shows() -> impl Guard {
    guard::Any(guard::Get()).or(guard::Head())
}

/// Whether the answer is for somebody to read: programs ask for anything, or for JSON.
fn asks_for_a_page(request: &GuardContext<'_>) -> bool {
    let accepted = request.head().headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}
