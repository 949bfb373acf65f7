//! A form that was sent to us. There is no other way to read one: what a handler gets has passed the checks of
//! [`crate::forgery`], and its session, if it needs one, is alive.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::cookie::Cookie;
use crate::fields::Fields;
use crate::problem::Problem;
use crate::visit::{Guest, Visit};
use crate::{forgery, visit};

/// The name of the field that holds the form's token.
const FORM_TOKEN: &str = "form_token";

/// A form of somebody who is signed in.
pub(crate) struct Submission {
    pub(crate) visit: Visit,
    pub(crate) fields: Fields,
}

/// A form of anybody: to sign up, to log in.
pub(crate) struct OpenSubmission {
    pub(crate) guest: Guest,
    pub(crate) fields: Fields,
}

impl FromRequest for Submission {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (guest, fields) = ours(&request, payload).await?;
            let visit = guest.visit.ok_or(Problem::SignedOut)?;
            check(&visit.session, &fields)?;
            Ok(Self { visit, fields })
        })
    }
}

impl FromRequest for OpenSubmission {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (guest, fields) = ours(&request, payload).await?;
            let secret = Cookie::Form.read(&request, &guest.panel.site).ok_or(Problem::NotOurForm)?;
            check(secret, &fields)?;
            Ok(Self { guest, fields })
        })
    }
}

/// A form that a browser says came from a page of ours; its token is not checked yet.
async fn ours(request: &HttpRequest, mut payload: Payload) -> Result<(Guest, Fields), Problem> {
    if !forgery::came_from_us(request, &visit::panel(request)?.site) {
        return Err(Problem::NotOurForm);
    }
    let fields = Fields::of_form(request, &mut payload).await?;
    Ok((Guest::of(request).await?, fields))
}

fn check(secret: &str, fields: &Fields) -> Result<(), Problem> {
    if forgery::carries_token(secret, fields.text(FORM_TOKEN)) { Ok(()) } else { Err(Problem::NotOurForm) }
}
