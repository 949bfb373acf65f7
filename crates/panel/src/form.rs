//! Forms that browsers submit. Handlers have no other way to read one: a form that reaches a handler has passed the
//! checks of [`crate::csrf`] and, if it needs a session, has one. It is within the rate of forms. A form that fails the
//! checks does not count, so that another site cannot use up the rate; a large form does, unless another site sent it.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use kuraka_app::throttle::ThrottledError;
use kuraka_app::{ClientNetwork, Place};
use kuraka_ports::AccountId;

use crate::cookie::Cookie;
use crate::csrf;
use crate::current_user::{self, CurrentUser, Visitor};
use crate::error::PageError;
use crate::fields::Fields;
use crate::panel::Panel;
use crate::return_page;

/// The field of the CSRF token.
const FORM_TOKEN: &str = "form_token";

/// Bytes of an ordinary form.
pub(crate) const SMALL: usize = 16 * 1024;

pub(crate) struct UserForm {
    pub(crate) user: CurrentUser,
    pub(crate) fields: Fields,
}

/// A form of at most `LIMIT` bytes that needs a session and a place of the account.
pub(crate) struct LargeForm<const LIMIT: usize> {
    pub(crate) user: CurrentUser,
    /// `None` = it is larger, and its token was not checked: its page says so, and nothing else.
    pub(crate) fields: Option<Fields>,
    pub(crate) place: Place,
}

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
            let fields = read_same_origin(&request, payload, SMALL).await?;
            let user = signed_in(&request).await?;
            check_token(&user.session, &fields)?;
            user.panel.form_rate.accounts.take(&user.account.id).map_err(too_many)?;
            Ok(Self { user, fields })
        })
    }
}

impl<const LIMIT: usize> FromRequest for LargeForm<LIMIT> {
    type Error = PageError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let user = signed_in(&request).await?;
            check_origin(&request)?;
            user.panel.form_rate.accounts.take(&user.account.id).map_err(too_many)?;
            let place = user.place()?;
            let fields = match Fields::from_form(&request, &mut payload, LIMIT).await {
                Err(PageError::TooLarge { .. }) => None,
                read => Some(read?),
            };
            if let Some(fields) = &fields {
                check_token(&user.session, fields)?;
            }
            Ok(Self { user, fields, place })
        })
    }
}

impl FromRequest for VisitorForm {
    type Error = PageError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let fields = read_same_origin(&request, payload, SMALL).await?;
            let panel = current_user::panel(&request)?;
            let secret = Cookie::Form.read(&request, &panel.site).ok_or(PageError::ForeignForm)?;
            check_token(secret, &fields)?;
            // Counted before the store is queried for a session or a device, which any client can invent.
            if let Err(throttled) =
                panel.form_rate.networks.take(&(panel.site.client_address)(&request).map(ClientNetwork::from))
            {
                let owner = known_owner(&panel, &request, &fields).await?.ok_or(too_many(throttled))?;
                panel.form_rate.accounts.take(&owner).map_err(too_many)?;
            }
            let visitor = Visitor::find(&request).await?;
            Ok(Self { visitor, fields })
        })
    }
}

/// Reads a form from a page of the panel, by the browser's headers, without checking its token.
async fn read_same_origin(request: &HttpRequest, mut payload: Payload, limit: usize) -> Result<Fields, PageError> {
    check_origin(request)?;
    Fields::from_form(request, &mut payload, limit).await
}

fn check_origin(request: &HttpRequest) -> Result<(), PageError> {
    let is_same = csrf::is_same_origin(request, &current_user::panel(request)?.site);
    if is_same { Ok(()) } else { Err(PageError::ForeignForm) }
}

async fn signed_in(request: &HttpRequest) -> Result<CurrentUser, PageError> {
    let Visitor { panel, user, .. } = Visitor::find(request).await?;
    let page = || csrf::previous_page(request, &panel.site).and_then(return_page::read);
    user.ok_or_else(|| PageError::SignedOut { page: page(), form: true })
}

/// The account that the form names, if the browser has logged in to it. Then the form counts for the account, not for
/// the network.
async fn known_owner(panel: &Panel, request: &HttpRequest, fields: &Fields) -> Result<Option<AccountId>, PageError> {
    let Some(device) = Cookie::Device.read(request, &panel.site) else { return Ok(None) };
    Ok(panel.sign_in.known_owner(fields.text("email"), device).await?)
}

fn too_many(throttled: ThrottledError) -> PageError {
    PageError::TooManyForms { retry_after: throttled.whole_seconds() }
}

fn check_token(secret: &str, fields: &Fields) -> Result<(), PageError> {
    if csrf::is_form_token(secret, fields.text(FORM_TOKEN)) { Ok(()) } else { Err(PageError::ForeignForm) }
}
