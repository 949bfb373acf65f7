//! What handlers get of a request: [`CurrentUser`] has a session, [`Visitor`] may have one, and [`Fields`] are those of a
//! query string or of a form. Handlers have no other way to read a form: one that reaches a handler has passed the checks of
//! [`crate::csrf`] and, if it needs a session, has one. It is within the rate of forms. A form that fails the checks does
//! not count, so that another site cannot use up the rate; a large form does, unless another site sent it.

use std::net::IpAddr;

use actix_multipart::Multipart;
use actix_web::dev::{Payload, UrlEncoded};
use actix_web::error::UrlencodedError;
use actix_web::web::{self, Data};
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::TryStreamExt;
use futures_util::future::LocalBoxFuture;
use kuraka_app::throttle::ThrottledError;
use kuraka_app::{ClientNetwork, Place};
use kuraka_ports::{Account, AccountId, AccountRole};

use crate::cookie::Cookie;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::{csrf, return_page};

/// The field of the CSRF token.
const FORM_TOKEN: &str = "form_token";
/// Bytes of an ordinary form.
const SMALL: usize = 16 * 1024;
/// Maximum fields of a form with a file.
const FIELDS: usize = 16;

/// Who a route is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Public,
    SignedIn,
    /// For others than operators, it does not exist.
    Operator,
}

/// A request with a session. As an extractor it redirects others to the log-in page.
pub(crate) struct CurrentUser {
    pub(crate) panel: Data<Panel>,
    pub(crate) request: HttpRequest,
    pub(crate) account: Account,
    pub(crate) session: String,
}

pub(crate) struct Visitor {
    pub(crate) panel: Data<Panel>,
    pub(crate) request: HttpRequest,
    pub(crate) user: Option<CurrentUser>,
}

impl CurrentUser {
    async fn find(request: &HttpRequest) -> Result<Option<Self>, PageError> {
        let panel = panel(request)?;
        let session = Cookie::Session.read(request, &panel.site).map(str::to_owned);
        let Some(session) = session else { return Ok(None) };
        let account = panel.sign_in.find(&session).await?;
        let Some(account) = account else { return Ok(None) };
        // For the server's log line.
        request.extensions_mut().insert(account.id);
        let user = Self { panel, request: request.clone(), account, session };
        // For the page of an error.
        request.extensions_mut().insert(Layout { menu_item: None, ..user.layout(MenuItem::HOME) });
        let is_for_operators = request.app_data::<Access>() == Some(&Access::Operator);
        if is_for_operators && user.account.role != AccountRole::Operator {
            return Err(PageError::NotFound);
        }
        Ok(Some(user))
    }

    /// One of the account's places for uploads and large answers.
    pub(crate) fn place(&self) -> Result<Place, PageError> {
        self.panel.places.take(self.account.id).ok_or(PageError::NoPlace)
    }

    pub(crate) fn layout(&self, menu_item: MenuItem) -> Layout {
        let (email, form_token) = (self.account.email.as_str().to_owned(), csrf::form_token(&self.session));
        let is_operator = self.account.role == AccountRole::Operator;
        Layout { email, form_token, is_operator, menu_item: Some(menu_item), ..Layout::public(&self.panel.site) }
    }
}

impl Visitor {
    pub(crate) async fn find(request: &HttpRequest) -> Result<Self, PageError> {
        let user = CurrentUser::find(request).await?;
        Ok(Self { panel: panel(request)?, request: request.clone(), user })
    }

    /// The secret of the browser's session, which a new one replaces.
    pub(crate) fn session(&self) -> Option<&str> {
        self.user.as_ref().map(|user| user.session.as_str())
    }

    pub(crate) fn client_address(&self) -> Option<IpAddr> {
        (self.panel.site.client_address)(&self.request)
    }

    pub(crate) fn layout(&self) -> Layout {
        match &self.user {
            Some(user) => Layout { menu_item: None, ..user.layout(MenuItem::HOME) },
            None => Layout::public(&self.panel.site),
        }
    }
}

impl FromRequest for CurrentUser {
    type Error = PageError;
    type Future = LocalBoxFuture<'static, Result<Self, PageError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move {
            let page = || request.uri().path_and_query().and_then(|page| return_page::read(page.as_str()));
            Self::find(&request).await?.ok_or_else(|| PageError::SignedOut { page: page(), form: false })
        })
    }
}

impl FromRequest for Visitor {
    type Error = PageError;
    type Future = LocalBoxFuture<'static, Result<Self, PageError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::find(&request).await })
    }
}

/// The server registers it as application data.
pub(crate) fn panel(request: &HttpRequest) -> Result<Data<Panel>, PageError> {
    request.app_data::<Data<Panel>>().cloned().ok_or(PageError::Internal("the panel is not configured"))
}

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
    type Future = LocalBoxFuture<'static, Result<Self, PageError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let fields = read_small(&request, payload).await?;
            let user = signed_in(&request).await?;
            check_token(&user.session, &fields)?;
            user.panel.form_rate.accounts.take(&user.account.id).map_err(too_many)?;
            Ok(Self { user, fields })
        })
    }
}

impl<const LIMIT: usize> FromRequest for LargeForm<LIMIT> {
    type Error = PageError;
    type Future = LocalBoxFuture<'static, Result<Self, PageError>>;

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
    type Future = LocalBoxFuture<'static, Result<Self, PageError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let fields = read_small(&request, payload).await?;
            let panel = panel(&request)?;
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
async fn read_small(request: &HttpRequest, mut payload: Payload) -> Result<Fields, PageError> {
    check_origin(request)?;
    Fields::from_form(request, &mut payload, SMALL).await
}

fn check_origin(request: &HttpRequest) -> Result<(), PageError> {
    csrf::is_same_origin(request, &panel(request)?.site).then_some(()).ok_or(PageError::ForeignForm)
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
    csrf::is_form_token(secret, fields.text(FORM_TOKEN)).then_some(()).ok_or(PageError::ForeignForm)
}

/// Read by name, so that extra fields have no effect.
#[derive(Default)]
pub(crate) struct Fields {
    texts: Vec<(String, String)>,
    file: Option<(String, Vec<u8>)>,
}

impl Fields {
    /// `limit` in bytes.
    pub(crate) async fn from_form(
        request: &HttpRequest,
        payload: &mut Payload,
        limit: usize,
    ) -> Result<Self, PageError> {
        if request.content_type() == "multipart/form-data" {
            return Self::from_parts(Multipart::new(request.headers(), payload.take()), limit).await;
        }
        match UrlEncoded::new(request, payload).limit(limit).await {
            Ok(texts) => Ok(Self { texts, ..Self::default() }),
            Err(UrlencodedError::Overflow { .. }) => Err(PageError::TooLarge { limit }),
            Err(_) => Err(PageError::NotAForm),
        }
    }

    async fn from_parts(mut parts: Multipart, limit: usize) -> Result<Self, PageError> {
        let (mut fields, mut left) = (Self::default(), limit);
        for _ in 0..FIELDS {
            let Some(mut part) = parts.try_next().await.map_err(|_| PageError::NotAForm)? else { return Ok(fields) };
            let name = part.name().unwrap_or_default().to_owned();
            let file_name = part.content_disposition().and_then(|found| found.get_filename()).map(str::to_owned);
            let bytes = part.bytes(left).await.map_err(|_| PageError::TooLarge { limit })?;
            let bytes = bytes.map_err(|_| PageError::NotAForm)?;
            left = left.saturating_sub(bytes.len());
            match (file_name, String::from_utf8(bytes.to_vec())) {
                (Some(file), _) => fields.file = Some((file, bytes.to_vec())).filter(|(_, bytes)| !bytes.is_empty()),
                (None, Ok(text)) => fields.texts.push((name, text)),
                (None, Err(_)) => return Err(PageError::NotAForm),
            }
        }
        Err(PageError::NotAForm)
    }

    /// An unreadable query string has no fields.
    pub(crate) fn from_query(request: &HttpRequest) -> Self {
        let texts = web::Query::from_query(request.query_string()).map_or_else(|_| Vec::new(), |pairs| pairs.0);
        Self { texts, ..Self::default() }
    }

    /// The first field with this name; empty if there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.texts.iter().find(|(found, _)| found == name).map_or("", |(_, text)| text)
    }

    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// The name and the bytes of the file; `None` if there is none or it is empty.
    pub(crate) fn file(&mut self) -> Option<(String, Vec<u8>)> {
        self.file.take()
    }
}
