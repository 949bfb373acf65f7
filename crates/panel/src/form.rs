//! Forms that browsers submit. Handlers have no other way to read one: a form that reaches a handler has passed the
//! checks of [`crate::csrf`] and, if it needs a session, has one.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::cookie::Cookie;
use crate::csrf;
use crate::current_user::{self, CurrentUser, Visitor};
use crate::error::PageError;
use crate::fields::Fields;

/// The name of the field that holds the CSRF token.
const FORM_TOKEN: &str = "form_token";

/// A form that needs a session.
pub(crate) struct UserForm {
    pub(crate) user: CurrentUser,
    pub(crate) fields: Fields,
}

/// A form without a session: to sign up, to log in.
pub(crate) struct VisitorForm {
    pub(crate) visitor: Visitor,
    pub(crate) fields: Fields,
}

impl FromRequest for UserForm {
    type Error = PageError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (visitor, fields) = read_same_origin(&request, payload).await?;
            let user = visitor.user.ok_or(PageError::SignedOut)?;
            check_token(&user.session, &fields)?;
            Ok(Self { user, fields })
        })
    }
}

impl FromRequest for VisitorForm {
    type Error = PageError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let (visitor, fields) = read_same_origin(&request, payload).await?;
            let secret = Cookie::Form.read(&request, &visitor.panel.site).ok_or(PageError::ForeignForm)?;
            check_token(secret, &fields)?;
            Ok(Self { visitor, fields })
        })
    }
}

/// Reads a form from a page of the panel, as the browser's headers say. Does not check its token.
async fn read_same_origin(request: &HttpRequest, mut payload: Payload) -> Result<(Visitor, Fields), PageError> {
    if !csrf::is_same_origin(request, &current_user::panel(request)?.site) {
        return Err(PageError::ForeignForm);
    }
    let fields = Fields::of_form(request, &mut payload).await?;
    Ok((Visitor::of(request).await?, fields))
}

fn check_token(secret: &str, fields: &Fields) -> Result<(), PageError> {
    if csrf::is_form_token(secret, fields.text(FORM_TOKEN)) { Ok(()) } else { Err(PageError::ForeignForm) }
}
