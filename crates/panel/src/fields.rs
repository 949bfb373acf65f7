//! The fields of a form or of a query string, read by name. Handlers read only the fields of their page, so that extra
//! fields have no effect.

use actix_multipart::Multipart;
use actix_web::dev::{Payload, UrlEncoded};
use actix_web::error::UrlencodedError;
use actix_web::{HttpMessage, HttpRequest, web};
use futures_util::TryStreamExt;

use crate::error::PageError;

/// Maximum fields of a form with a file.
const FIELDS: usize = 16;

/// Names and values in the order of the request.
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
