//! The page of a list's result: what is at risk, and its rows, red first.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_ports::KeptList;

use super::item::Kind;
use super::kept::{missing, with_table};
use super::table::{Change, Risk, Row, Sums, Supplier};
use crate::error::PageError;
use crate::large_answer;
use crate::layout::{Layout, MenuItem};
use crate::pages::status_summary::Severity;
use crate::pages::usage::used_of_plan;
use crate::panel::is_demo;
use crate::request::{CurrentUser, Fields};

const ROWS: usize = 200;
/// Suppliers whose sums are shown.
const SUPPLIERS: usize = 20;

#[derive(Template)]
#[template(path = "list_result.html")]
struct ResultPage {
    layout: Layout,
    list: KeptList,
    kind: Kind,
    counts: Vec<(Severity, u64)>,
    /// Since the run before.
    changes: Vec<(Change, u64)>,
    /// The sums of the red rows, and of what is told apart.
    red: Sums,
    red_month: Sums,
    amber: Sums,
    unknown: Sums,
    suppliers: Vec<Supplier>,
    /// The rows of this page.
    rows: Vec<Row>,
    shown: Option<Severity>,
    changed: Option<Change>,
    page: usize,
    pages: usize,
    left: u64,
    days: Option<i64>,
    /// Why some rows are not answered.
    missing: Option<String>,
    is_demo: bool,
}

impl ResultPage {
    fn has_changes(&self) -> bool {
        self.changes.iter().any(|(_, count)| *count > 0)
    }

    fn has_reds(&self) -> bool {
        self.rows.iter().any(|row| row.bucket() == Severity::Bad && !row.sheet.is_empty())
    }

    fn has_amounts(&self) -> bool {
        self.rows.iter().any(|row| !row.sums.is_empty())
    }

    fn has_today(&self) -> bool {
        self.rows.iter().any(|row| !row.answer.today.is_empty())
    }

    fn address(&self, page: usize) -> String {
        let bucket = self.shown.map_or("", Severity::name);
        let change = self.changed.map_or("", Change::name);
        format!("/panel/lista/{}?estado={bucket}&cambio={change}&pagina={page}#filas", self.list.id)
    }
}

pub(super) async fn page(user: &CurrentUser, list: KeptList, fields: &Fields) -> Result<HttpResponse, PageError> {
    let shown = Severity::bucket_named(fields.text("estado"));
    let changed = Change::ALL.into_iter().find(|change| change.name() == fields.text("cambio"));
    let page = fields.text("pagina").parse::<usize>().unwrap_or(1).max(1);
    let left = used_of_plan(user).await?.left();
    let (layout, is_demo, kept) = (user.layout(MenuItem::LIST), is_demo(&user.panel.datasets.statuses()), list.clone());
    let (days, missing) = (user.panel.lists.days(&list), missing(user, &list));
    let page = with_table(user, &list, move |_, table| {
        let counts = Severity::BUCKETS.map(|bucket| (bucket, table.count(bucket))).to_vec();
        let changes = Change::ALL.map(|change| (change, table.changes(change))).to_vec();
        let [red, red_month, amber, unknown] = Risk::ALL.map(|risk| table.sums(risk));
        let suppliers = table.suppliers();
        let is_shown = |row: &Row| shown.is_none_or(|shown| row.bucket() == shown);
        let mut rows = table.rows;
        rows.retain(|row| is_shown(row) && (changed.is_none() || row.change == changed));
        let pages = rows.len().div_ceil(ROWS).max(1);
        let page = page.min(pages);
        ResultPage {
            layout,
            list: kept,
            kind: table.kind,
            counts,
            changes,
            red,
            red_month,
            amber,
            unknown,
            suppliers,
            rows: rows.into_iter().skip((page - 1) * ROWS).take(ROWS).collect(),
            shown,
            changed,
            page,
            pages,
            left,
            days,
            missing,
            is_demo,
        }
    });
    large_answer::page(user, None, StatusCode::OK, &page.await?)
}
