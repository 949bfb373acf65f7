//! The operations as the listener serves them, without a listener.

use actix_http::Request;
use actix_service::{ServiceFactory, ServiceFactoryExt};
use actix_web::body::BoxBody;
use actix_web::dev::{AppConfig, Response, ServiceResponse};
use actix_web::web::{Data, ServiceConfig};
use actix_web::{App, Error, HttpResponse, test};
use kuraka_server::http::{Api, ENDPOINTS, configure, service};

/// The operations and the documents as the listener serves them, in the form that actix's test functions expect.
pub(crate) fn served(
    api: Api,
) -> impl ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>
{
    served_with(api, |_| {})
}

/// The same with these pages.
pub(crate) fn served_with(
    api: Api,
    pages: fn(&mut ServiceConfig),
) -> impl ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<BoxBody>, Error = Error, InitError = ()>
{
    let api = Data::new(api);
    let app = App::new().configure(|routes| configure(routes, &api, pages));
    service(api, ENDPOINTS.to_vec(), app).map(|response: Response<BoxBody>| {
        ServiceResponse::new(test::TestRequest::default().to_http_request(), HttpResponse::from(response))
    })
}
