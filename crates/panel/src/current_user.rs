//! The user of a request: [`CurrentUser`] has a session, [`Visitor`] may have one.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use kuraka_app::Place;
use kuraka_ports::{Account, AccountRole};

use crate::cookie::Cookie;
use crate::csrf;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::return_page;

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
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

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
    type Future = Pin<Box<dyn Future<Output = Result<Self, PageError>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::find(&request).await })
    }
}

/// The server registers it as application data.
pub(crate) fn panel(request: &HttpRequest) -> Result<Data<Panel>, PageError> {
    request.app_data::<Data<Panel>>().cloned().ok_or(PageError::Internal("the panel is not configured"))
}
