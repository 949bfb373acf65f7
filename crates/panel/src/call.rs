//! Calls of the API's operations that a page makes for its owner. They are admitted and charged as the calls of a token
//! are, at the account's own rate and queries, and the server counts them with those.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use actix_web::{HttpMessage, HttpRequest};
use kuraka_api::Operation;
use kuraka_app::{AdmitError, AuthenticateError, Caller, Charge, Grant, Permit, calendar};
use kuraka_domain::ResultCode;
use kuraka_ports::{StoreError, chain};

use crate::current_user::CurrentUser;
use crate::error::PageError;

/// The place of a page's call: an extension of the page's request. The server keeps a clone, and finds the call there also
/// if the browser leaves, which drops the request.
#[derive(Clone, Default)]
pub struct PageCallPlace(Rc<RefCell<Option<PageCall>>>);

/// A call that a page made.
pub struct PageCall {
    /// The name of the operation, and its index in [`Panel::operations`](crate::Panel::operations).
    pub operation: (&'static str, usize),
    /// `None` = refused because too many calls of the operation were in progress.
    pub caller: Option<Arc<Caller>>,
    /// What was charged, if anything was.
    pub charge: Option<Charge>,
    /// The result.
    pub code: ResultCode,
    /// Why the call has no answer, for the log.
    pub cause: Option<String>,
}

impl PageCallPlace {
    /// Takes the call of the page, if it made one.
    #[must_use]
    pub fn take(&self) -> Option<PageCall> {
        self.0.take()
    }

    /// Records the call of the page.
    pub fn put(&self, call: PageCall) {
        self.0.replace(Some(call));
    }

    /// The place in this request.
    fn of(request: &HttpRequest) -> Self {
        let known = request.extensions().get::<Self>().cloned();
        known.unwrap_or_else(|| {
            let place = Self::default();
            request.extensions_mut().insert(place.clone());
            place
        })
    }
}

/// An admitted and charged call. The page of a call that never got a result fails, and is refunded.
pub(crate) struct Call<'a> {
    pub(crate) grant: Grant,
    user: &'a CurrentUser,
    place: PageCallPlace,
    _permit: Permit<'a>,
}

impl CurrentUser {
    /// Admits a call of this operation that costs so many queries, and charges it.
    pub(crate) async fn call(&self, operation: &Operation, queries: u64) -> Result<Call<'_>, PageError> {
        let index = self.panel.operations.iter().position(|known| known.name == operation.name);
        let (index, limit) = index
            .and_then(|index| Some((index, self.panel.concurrency.get(index)?)))
            .ok_or(PageError::Internal("the server does not have an operation that the page needs"))?;
        let place = PageCallPlace::of(&self.request);
        let record = |caller, charge, code| {
            place.put(PageCall { operation: (operation.name, index), caller, charge, code, cause: None });
        };
        let (caller, permit) = match self.panel.admission.owner(&self.account, limit).await {
            Ok(admitted) => admitted,
            Err(AuthenticateError::Overloaded) => {
                record(None, None, ResultCode::ServiceUnavailable);
                return Err(PageError::Busy);
            }
            Err(AuthenticateError::Store(error)) => return Err(error.into()),
            Err(AuthenticateError::NoSuchPlan(_)) => {
                return Err(PageError::Internal("the plan of the account is not in the settings"));
            }
            // The account was suspended after its session was found.
            Err(
                AuthenticateError::Suspended
                | AuthenticateError::NotGenuine
                | AuthenticateError::Unknown
                | AuthenticateError::AddressNotAllowed(_),
            ) => return Err(PageError::SignedOut { ruc: None }),
        };
        let refused = |code, error| {
            record(Some(Arc::clone(&caller)), None, code);
            Err(error)
        };
        match self.panel.admission.admit(Arc::clone(&caller), || queries).await {
            Ok(grant) => {
                record(Some(caller), Some(grant.charge), ResultCode::InternalError);
                Ok(Call { grant, user: self, place, _permit: permit })
            }
            Err(AdmitError::TooFast { retry_after, .. }) => {
                refused(ResultCode::RateLimited, PageError::TooFast { retry_after })
            }
            Err(AdmitError::Exhausted { left, .. }) => {
                let renews = calendar::next(calendar::period(self.panel.clock.now())).month;
                refused(ResultCode::QuotaExceeded, PageError::Exhausted { left, queries, renews })
            }
            Err(AdmitError::Store { error, .. }) => refused(ResultCode::ServiceUnavailable, error.into()),
        }
    }
}

impl Call<'_> {
    /// Records that the store failed.
    pub(crate) fn store_failed(&self, error: StoreError) -> PageError {
        self.ended(ResultCode::ServiceUnavailable, Some(chain(&error)));
        error.into()
    }

    /// Records the result, and why some or all of it is missing.
    pub(crate) fn ended(&self, code: ResultCode, cause: Option<String>) {
        if let Some(call) = &mut *self.place.0.borrow_mut() {
            (call.code, call.cause) = (code, cause);
        }
    }

    /// Refunds the call, which this server cannot answer.
    pub(crate) fn refund(&self) {
        self.user.panel.admission.refund(&self.grant.caller, self.grant.charge);
        if let Some(call) = &mut *self.place.0.borrow_mut() {
            (call.code, call.charge) = (ResultCode::ServiceUnavailable, None);
        }
    }
}
