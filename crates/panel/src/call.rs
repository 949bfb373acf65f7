//! Calls of API operations that a page makes for its owner, admitted and charged like a token's.

use std::cell::RefCell;
use std::rc::Rc;

use actix_web::HttpMessage;
use kuraka_api::Operation;
use kuraka_app::{AdmitError, AuthenticateError, ChargedCall, Permit, calendar};

use crate::error::PageError;
use crate::request::CurrentUser;

/// The place of a page's call, an extension of the page's request. The server keeps a clone, so it finds the call also
/// if the browser leaves. A page that fails, or whose call gets no result, is refunded.
pub type PageCallSlot = Rc<RefCell<Option<Rc<ChargedCall>>>>;

impl CurrentUser {
    /// Admits a call of this cost in queries, and charges it.
    pub(crate) async fn call(
        &self,
        operation: &Operation,
        queries: u64,
    ) -> Result<(Rc<ChargedCall>, Permit<'_>), PageError> {
        let (called, limit) = self.panel.operation(operation)?;
        let (caller, permit) = match self.panel.admission.owner(&self.account, limit).await {
            Ok(admitted) => admitted,
            Err(AuthenticateError::Overloaded) => return Err(PageError::Busy),
            Err(AuthenticateError::Store(error)) => return Err(error.into()),
            Err(AuthenticateError::NoSuchPlan(_)) => {
                return Err(PageError::Internal("the plan of the account is not in the settings"));
            }
            // The account was suspended meanwhile.
            Err(
                AuthenticateError::Inactive(_)
                | AuthenticateError::NotGenuine
                | AuthenticateError::Unknown
                | AuthenticateError::AddressNotAllowed(_),
            ) => return Err(PageError::SignedOut { page: None, form: false }),
        };
        let call = self.panel.admission.admit(caller, called, || queries).await;
        let call = Rc::new(call.map_err(|refusal| self.refused(refusal))?);
        if let Some(slot) = self.request.extensions().get::<PageCallSlot>() {
            slot.replace(Some(Rc::clone(&call)));
        }
        Ok((call, permit))
    }

    /// That so many queries are left, fewer than are needed.
    pub(crate) fn exhausted(&self, queries: u64, left: u64) -> PageError {
        let renews = calendar::next(calendar::period(self.panel.clock.now())).month;
        PageError::Exhausted { left, queries, renews }
    }

    /// Why a call was not admitted or charged.
    pub(crate) fn refused(&self, refusal: AdmitError) -> PageError {
        match refusal {
            AdmitError::TooFast { retry_after, .. } => PageError::TooFast { retry_after },
            AdmitError::Exhausted { queries, left, .. } => self.exhausted(queries, left),
            AdmitError::Store { error, .. } => error.into(),
        }
    }
}
