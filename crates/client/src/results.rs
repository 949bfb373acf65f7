//! Results that come in several answers, which are requested as they are read.

use std::collections::VecDeque;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::{Call, Kuraka};
use crate::error::{Error, Result};

/// Results in order. After an error, [`Results::next`] continues with the call that failed.
#[derive(Debug)]
pub struct Results<'a, T> {
    pub(crate) client: &'a Kuraka,
    pub(crate) rest: Rest<T>,
    pub(crate) ready: VecDeque<T>,
}

type ReadPage<T> = fn(&Call, Value) -> serde_json::Result<(Vec<T>, Option<Call>)>;

/// What has not been requested yet.
#[derive(Debug)]
pub(crate) enum Rest<T> {
    /// A page, and how to read it: the results, and the call of the next page.
    Page(Option<Call>, ReadPage<T>),
    /// Items, which the call sends under this name.
    Items(Call, &'static str, Vec<Value>),
}

impl<T: DeserializeOwned> Results<'_, T> {
    /// The next result, `None` after the last one.
    ///
    /// # Errors
    /// Those of the call.
    pub async fn next(&mut self) -> Result<Option<T>> {
        while self.ready.is_empty() {
            match &mut self.rest {
                Rest::Page(next, read) => {
                    let Some(call) = next else { return Ok(None) };
                    let page = read(call, self.client.call(call).await?).map_err(|_| Error::other_program(200))?;
                    self.ready.extend(page.0);
                    *next = page.1;
                }
                Rest::Items(call, name, items) if !items.is_empty() => {
                    let size = self.client.limit(name, items.len()).await?.min(items.len());
                    self.ready.extend(self.client.batch(call, name, items.get(..size).unwrap_or_default()).await?);
                    items.drain(..size);
                }
                Rest::Items(..) => return Ok(None),
            }
        }
        Ok(self.ready.pop_front())
    }
}
