//! Answers of up to megabytes. They hold a [`Place`] until they have been read, and let go of what was read.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fmt;
use std::mem;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, rt};
use askama::Template;
use kuraka_app::Place;

use crate::error::PageError;
use crate::request::CurrentUser;
use crate::response;

/// Bytes of the longest answer that needs no place.
pub const SMALL_ANSWER_BYTES: usize = 64 << 10;
/// Bytes of the longest answer: more than the file of most lists of 10,000 rows has, and 64 MB in all places.
pub(crate) const MAX_ANSWER_BYTES: usize = 8 << 20;
/// Bytes that are let go at once.
const PIECE: usize = 16 << 10;
/// The longest that an answer holds its place: the longest answer at 28 kB a second.
const READ_WITHIN: Duration = Duration::from_secs(300);

/// `place` is the place that its form has taken; without one, a long page takes a place.
pub(crate) fn page(
    user: &CurrentUser,
    place: Option<Place>,
    status: StatusCode,
    page: &impl Template,
) -> Result<HttpResponse, PageError> {
    Ok(response::html(status, pieces_of(page)?.into_body(|| Ok(user.place()?.of_all()?), place)?))
}

/// A page without a log-in, which takes a place by `take` if it is long.
pub(crate) fn public_page(
    take: impl FnOnce() -> Result<Place, PageError>,
    page: &impl Template,
) -> Result<HttpResponse, PageError> {
    Ok(response::html(StatusCode::OK, pieces_of(page)?.into_body(take, None)?))
}

fn pieces_of(page: &impl Template) -> Result<Pieces, PageError> {
    let mut pieces = Pieces::default();
    if page.render_into(&mut pieces).is_err() {
        return Err(if pieces.length > MAX_ANSWER_BYTES {
            PageError::LongAnswer
        } else {
            PageError::Internal("a page could not be rendered")
        });
    }
    Ok(pieces)
}

/// A file, with a place as a page.
pub(crate) fn file(
    user: &CurrentUser,
    place: Option<Place>,
    media_type: &'static str,
    name: &str,
    content: &[u8],
) -> Result<HttpResponse, PageError> {
    let mut pieces = Pieces::default();
    pieces.push(content).map_err(|_| PageError::LongAnswer)?;
    Ok(response::file(media_type, name, pieces.into_body(|| Ok(user.place()?.of_all()?), place)?))
}

#[derive(Default)]
struct Pieces {
    whole: VecDeque<Bytes>,
    last: Vec<u8>,
    length: usize,
}

impl Pieces {
    fn push(&mut self, mut bytes: &[u8]) -> fmt::Result {
        self.length += bytes.len();
        if self.length > MAX_ANSWER_BYTES {
            return Err(fmt::Error);
        }
        while let Some((now, rest)) = bytes.split_at_checked(PIECE - self.last.len()) {
            self.last.extend_from_slice(now);
            self.whole.push_back(mem::replace(&mut self.last, Vec::with_capacity(PIECE)).into());
            bytes = rest;
        }
        self.last.extend_from_slice(bytes);
        Ok(())
    }

    fn into_body(
        mut self,
        take: impl FnOnce() -> Result<Place, PageError>,
        place: Option<Place>,
    ) -> Result<LargeBody, PageError> {
        let place = match place {
            None if self.length > SMALL_ANSWER_BYTES => Some(take()?),
            place => place.filter(|_| self.length > SMALL_ANSWER_BYTES),
        };
        self.whole.push_back(self.last.into());
        let body = LargeBody::new(self.whole, place);
        if self.length > SMALL_ANSWER_BYTES {
            let weak = Rc::downgrade(&body.unread);
            rt::spawn(async move {
                tokio::time::sleep(READ_WITHIN).await;
                drop(weak.upgrade().map(|unread| unread.take()));
            });
        }
        Ok(body)
    }
}

impl fmt::Write for Pieces {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push(text.as_bytes())
    }
}

#[derive(Default)]
struct Unread {
    pieces: VecDeque<Bytes>,
    place: Option<Place>,
}

/// A body that is let go as it is read, and then leaves its place.
pub struct LargeBody {
    length: u64,
    unread: Rc<RefCell<Unread>>,
}

impl LargeBody {
    pub fn copy(content: &[u8], place: Place) -> Self {
        Self::new(content.chunks(PIECE).map(Bytes::copy_from_slice).collect(), Some(place))
    }

    fn new(pieces: VecDeque<Bytes>, place: Option<Place>) -> Self {
        let length = pieces.iter().map(|piece| piece.len() as u64).sum();
        Self { length, unread: Rc::new(RefCell::new(Unread { pieces, place })) }
    }
}

impl MessageBody for LargeBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.length)
    }

    /// A body that ends early, because its time is over, closes the connection.
    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let mut unread = self.unread.borrow_mut();
        let piece = unread.pieces.pop_front();
        if unread.pieces.is_empty() {
            unread.place = None;
        }
        Poll::Ready(piece.map(Ok))
    }
}
