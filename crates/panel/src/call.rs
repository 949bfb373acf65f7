//! Calls of the API's operations that a page makes for its owner. They are admitted and charged as the calls of a token
//! are, at the account's own rate and queries, and the server counts them with those.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;

use actix_web::{HttpMessage, HttpRequest};
use kuraka_api::Operation;
use kuraka_app::{AdmitError, AuthenticateError, CalledOperation, ChargedCall, Permit, calendar};
use kuraka_domain::ResultCode;
use kuraka_ports::{StoreError, chain};

use crate::current_user::CurrentUser;
use crate::error::PageError;

/// The place of a page's call: an extension of the page's request. The server keeps a clone, and finds the call there also
/// if the browser leaves, which drops the request.
#[derive(Clone, Default)]
pub struct PageCallSlot(Rc<RefCell<Option<Rc<ChargedCall>>>>);

impl PageCallSlot {
    /// Takes the call of the page, if it made one.
    #[must_use]
    pub fn take(&self) -> Option<Rc<ChargedCall>> {
        self.0.take()
    }

    /// Sets the call of the page.
    pub fn put(&self, call: Rc<ChargedCall>) {
        self.0.replace(Some(call));
    }

    /// Sets the call of the page with this request.
    fn put_into(request: &HttpRequest, call: Rc<ChargedCall>) {
        let mut extensions = request.extensions_mut();
        if !extensions.contains::<Self>() {
            extensions.insert(Self::default());
        }
        if let Some(slot) = extensions.get::<Self>() {
            slot.put(call);
        }
    }
}

/// The call of a page. If it gets no result, the page fails, and the call is refunded.
pub(crate) struct Call<'a> {
    call: Rc<ChargedCall>,
    _permit: Permit<'a>,
}

impl Deref for Call<'_> {
    type Target = ChargedCall;

    fn deref(&self) -> &ChargedCall {
        &self.call
    }
}

impl CurrentUser {
    /// Admits a call of this operation that costs so many queries, and charges it.
    pub(crate) async fn call(&self, operation: &Operation, queries: u64) -> Result<Call<'_>, PageError> {
        let index = self.panel.operations.iter().position(|known| known.name == operation.name);
        let (index, limit) = index
            .and_then(|index| Some((index, self.panel.concurrency.get(index)?)))
            .ok_or(PageError::Internal("the server does not have an operation that the page needs"))?;
        let (caller, permit) = match self.panel.admission.owner(&self.account, limit).await {
            Ok(admitted) => admitted,
            Err(AuthenticateError::Overloaded) => return Err(PageError::Busy),
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
        let called = CalledOperation { name: operation.name, index, in_usage: operation.cost > 0 };
        let call = self.panel.admission.admit(caller, called, || queries).await.map_err(|refusal| match refusal {
            AdmitError::TooFast { retry_after, .. } => PageError::TooFast { retry_after },
            AdmitError::Exhausted { queries, left, .. } => {
                let renews = calendar::next(calendar::period(self.panel.clock.now())).month;
                PageError::Exhausted { left, queries, renews }
            }
            AdmitError::Store { error, .. } => error.into(),
        })?;
        let call = Rc::new(call);
        PageCallSlot::put_into(&self.request, Rc::clone(&call));
        Ok(Call { call, _permit: permit })
    }
}

impl Call<'_> {
    /// Ends the call because the store failed.
    pub(crate) fn store_failed(&self, error: StoreError) -> PageError {
        self.end_because(ResultCode::ServiceUnavailable, Some(chain(&error)));
        error.into()
    }
}
