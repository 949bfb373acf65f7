//! Who asks for a page: somebody with a session, or anybody.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use kuraka_ports::Account;

use crate::Panel;
use crate::cookie::Cookie;
use crate::forgery;
use crate::frame::{Frame, Place};
use crate::problem::Problem;

/// A request of somebody who is signed in. Without a session there is none: the browser is sent to the log-in page.
pub(crate) struct Visit {
    pub(crate) panel: Data<Panel>,
    pub(crate) request: HttpRequest,
    pub(crate) account: Account,
    /// The session's secret, as the cookie holds it.
    pub(crate) session: String,
}

/// A request of anybody.
pub(crate) struct Guest {
    pub(crate) panel: Data<Panel>,
    pub(crate) request: HttpRequest,
    /// Who it is, if they are signed in.
    pub(crate) visit: Option<Visit>,
}

impl Visit {
    pub(crate) async fn of(request: &HttpRequest) -> Result<Option<Self>, Problem> {
        let panel = panel(request)?;
        let session = Cookie::Session.read(request, &panel.site).map(str::to_owned);
        let Some(session) = session else { return Ok(None) };
        let account = panel.sign_in.find(&session).await?;
        let Some(account) = account else { return Ok(None) };
        // For the line of log.
        request.extensions_mut().insert(account.id);
        Ok(Some(Self { panel, request: request.clone(), account, session }))
    }

    /// Whose address this comes from.
    pub(crate) fn client_address(&self) -> Option<IpAddr> {
        (self.panel.site.client_address)(&self.request)
    }

    /// The frame of a page of the menu.
    pub(crate) fn frame(&self, place: Place) -> Frame {
        Frame::inside(self.account.email.as_str().to_owned(), forgery::form_token(&self.session), Some(place))
    }
}

impl Guest {
    pub(crate) async fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let visit = Visit::of(request).await?;
        Ok(Self { panel: panel(request)?, request: request.clone(), visit })
    }

    /// The frame of a page outside of the menu.
    pub(crate) fn frame(&self) -> Frame {
        match &self.visit {
            Some(visit) => Frame { place: None, ..visit.frame(Place::Tokens) },
            None => Frame::outside(),
        }
    }
}

impl FromRequest for Visit {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::of(&request).await?.ok_or(Problem::SignedOut) })
    }
}

impl FromRequest for Guest {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Self::of(&request).await })
    }
}

/// What this request is answered with.
pub(crate) fn panel(request: &HttpRequest) -> Result<Data<Panel>, Problem> {
    request.app_data::<Data<Panel>>().cloned().ok_or(Problem::Inside("the panel is not set up"))
}
