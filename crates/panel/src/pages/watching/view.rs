//! Which of the watched RUCs a page of *Seguimiento* shows, and in which order.

use std::cmp::Reverse;

use kuraka_domain::name;

use super::rows::{Search, WatchedRow};
use crate::pages::status_summary::Severity;
use crate::request::Fields;

/// Rows of a page.
pub(super) const ROWS: usize = 200;

/// The rows with a recent change.
const NEWS: Severity = Severity::Note;
/// What can be shown: news or a bucket.
pub(super) const FILTERS: [Severity; 5] = [NEWS, Severity::Bad, Severity::Warn, Severity::Unknown, Severity::Good];

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// Recent changes, then the worst.
    #[default]
    News,
    Situation,
    Name,
    Code,
}

/// What a page shows.
#[derive(Default)]
pub(super) struct View {
    /// A search. It may be a person's name or RUC, so it is never in an address.
    pub(super) text: String,
    pub(super) filter: Option<Severity>,
    pub(super) order: Order,
    /// From 1.
    pub(super) page: usize,
}

/// The rows of a page, and what they are taken from.
pub(super) struct Shown {
    pub(super) rows: Vec<WatchedRow>,
    /// Rows that the search finds, by filter.
    pub(super) counts: Vec<(Severity, u64)>,
    /// Rows that search and filter leave.
    pub(super) found: u64,
    pub(super) pages: usize,
}

impl Order {
    pub(super) const ALL: [Self; 4] = [Self::News, Self::Situation, Self::Name, Self::Code];

    /// Its name in addresses.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::News => "novedades",
            Self::Situation => "situacion",
            Self::Name => "nombre",
            Self::Code => "codigo",
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::News => "Novedades primero",
            Self::Situation => "Lo peor primero",
            Self::Name => "Por nombre",
            Self::Code => "Por código",
        }
    }

    /// Rows without what they are sorted by are last. Equal rows keep their order, which is by RUC.
    pub(super) fn sort(self, rows: &mut [WatchedRow]) {
        let news = |row: &WatchedRow| row.change.as_ref().filter(|_| row.is_news).map(|change| change.date);
        match self {
            Self::News => rows.sort_by_key(|row| Reverse((news(row), row.tone))),
            Self::Situation => rows.sort_by_key(|row| Reverse(row.tone)),
            Self::Name => rows.sort_by_cached_key(|row| (row.name.is_empty(), name::folded(&row.name))),
            Self::Code => rows.sort_by_cached_key(|row| (row.code.is_empty(), row.code.clone())),
        }
    }
}

impl View {
    pub(super) fn from_fields(fields: &Fields, text: &str) -> Self {
        let filter = FILTERS.into_iter().find(|filter| filter.name() == fields.text("estado"));
        let order = Order::ALL.into_iter().find(|order| order.name() == fields.text("orden"));
        let page = fields.text("pagina").parse().unwrap_or_default();
        Self { text: text.trim().to_owned(), filter, order: order.unwrap_or_default(), page }
    }

    /// The address of a page without the search.
    pub(super) fn address(&self, filter: Option<Severity>, page: usize) -> String {
        let (filter, order) = (filter.map_or("", Severity::name), self.order.name());
        format!("/panel/seguimiento?estado={filter}&orden={order}&pagina={page}#filas")
    }

    /// Takes the rows of the page, and turns to the last page if there are fewer.
    pub(super) fn take(&mut self, mut rows: Vec<WatchedRow>) -> Shown {
        if !self.text.is_empty() {
            let search = Search::new(&self.text);
            rows.retain(|row| search.finds(row));
        }
        let has =
            |filter: Severity, row: &WatchedRow| if filter == NEWS { row.is_news } else { row.tone.bucket() == filter };
        let count = |filter| rows.iter().filter(|row| has(filter, row)).count() as u64;
        let counts = FILTERS.map(|filter| (filter, count(filter))).to_vec();
        rows.retain(|row| self.filter.is_none_or(|filter| has(filter, row)));
        self.order.sort(&mut rows);
        let (found, pages) = (rows.len() as u64, rows.len().div_ceil(ROWS).max(1));
        self.page = self.page.clamp(1, pages);
        let rows = rows.into_iter().skip((self.page - 1) * ROWS).take(ROWS).collect();
        Shown { rows, counts, found, pages }
    }
}
