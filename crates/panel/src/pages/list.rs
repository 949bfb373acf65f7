//! `/panel/lista`: many RUCs or vouchers at once. The owner uploads or pastes a list, chooses how it is read, sees what it
//! costs, and the server looks it up. What was read and what was answered are kept with the account.

mod answer;
mod certified;
mod file;
mod item;
mod kept;
mod read_page;
mod result_page;
mod run;
mod settings;
mod table;

use std::collections::HashSet;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use kuraka_domain::Ruc;
use kuraka_ports::{KeptList, ListChange, ListStatus, StoreErrorKind};
use kuraka_tables::{Source, TableError, TableForm};

pub(super) use self::answer::{incapable, issuer_facts, observation, voucher_tone, voucher_words};
pub(super) use self::certified::{certified, certified_taxpayer};
pub use self::file::list_workbook;
use self::item::Kind;
pub(super) use self::item::{LABELS, read as read_fields};
use self::kept::{UNREADABLE, find, with_contents, with_table};
pub(super) use self::kept::{has_paid, status_words, title};
use self::run::ListResults;
use self::settings::{Settings, Uncovered};
use super::status_summary::Severity;
use super::upload::{self, ROWS, UPLOAD_FORM, large, table_error};
use super::usage::used_of_plan;
use super::watching;
use kuraka_app::Place;

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, Fields, LargeForm, UserForm};
use crate::{large_answer, response};

const NO_ROOM: &str = "No cabe otra lista: su cuenta guarda hasta 100, o 8 MB. Elimine una que no necesite.";
/// Characters of a list's name, and of its note.
const NAME: usize = 80;
const NOTE: usize = 500;

#[derive(Template)]
#[template(path = "list.html")]
struct ListPage {
    layout: Layout,
    text: String,
    wrong: Option<String>,
    lists: Vec<KeptList>,
    /// Only lists with this RUC are shown.
    ruc: Option<Ruc>,
    kept_days: u32,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    list_page(&user, None, StatusCode::OK, String::new(), None).await
}

pub(crate) async fn read(form: LargeForm<UPLOAD_FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, fields, place } = form;
    let place = Some(place.of_all()?);
    let read = upload::read(fields, |name, bytes, is_wanted| {
        let source = Source::read(name, bytes, ROWS, is_wanted)?;
        let bytes = source.to_bytes().map_err(TableError::Io)?;
        source.reading(&Settings::default().choice(), ROWS).map(|_| bytes)
    });
    let (status, text, wrong) = match read.await? {
        Err(refused) => refused,
        Ok((source, text)) => {
            match user.panel.lists.keep(user.account.id, Settings::default().to_text(), source, None).await {
                Ok(id) => return Ok(response::redirect(&format!("/panel/lista/{id}"))),
                Err(error) if error.kind == StoreErrorKind::LimitReached => {
                    (StatusCode::UNPROCESSABLE_ENTITY, text, NO_ROOM.to_owned())
                }
                Err(error) => return Err(error.into()),
            }
        }
    };
    list_page(&user, place, status, text, Some(wrong)).await
}

pub(crate) async fn show_one(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let list = find(&user).await?;
    if list.status == ListStatus::Done || list.done > 0 && list.status != ListStatus::Running {
        let fields = Fields::from_query(&user.request);
        return result_page::page(&user, list, &fields).await;
    }
    let missing = kept::missing(&user, &list);
    read_page::page(&user, list, StatusCode::OK, missing).await
}

/// Chooses how a list is read. A list with results stays as it is, and a copy is read.
pub(crate) async fn choose(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let list = find(&user).await?;
    let mut id = list.id;
    let contents = user.panel.lists.store.list_contents(list.account, id).await?;
    let (bytes, _) = contents.ok_or(PageError::NotFound)?;
    let mut settings = Settings::parse(&list.settings);
    let read = large(move || {
        let source = Source::from_bytes(&bytes).map_err(TableError::Io)?;
        settings.choose(&fields, &source.clone().reading(&settings.choice(), ROWS)?);
        let read = source.reading(&settings.choice(), ROWS).map(drop);
        Ok::<_, TableError>((read, settings, bytes))
    });
    let (read, settings, source) = read.await?.map_err(|_| UNREADABLE)?;
    if let Err(error) = read {
        let wrong = Some(table_error(&error));
        return read_page::page(&user, list, StatusCode::UNPROCESSABLE_ENTITY, wrong).await;
    }
    // A run may have begun meanwhile.
    let change = ListChange::Settings(settings.to_text());
    if !user.panel.lists.store.change_list(list.account, id, &change).await? {
        match user.panel.lists.keep(list.account, settings.to_text(), source, Some(id)).await {
            Ok(copy) => id = copy,
            Err(error) if error.kind == StoreErrorKind::LimitReached => {
                let wrong = Some(NO_ROOM.to_owned());
                return list_page(&user, None, StatusCode::UNPROCESSABLE_ENTITY, String::new(), wrong).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(response::redirect(&format!("/panel/lista/{id}")))
}

/// Begins the run of a list, or goes on with it.
pub(crate) async fn look_up(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let list = find(&user).await?;
    let here = response::redirect(&format!("/panel/lista/{}", list.id));
    // The form was made before the latest run of the list, so the browser has sent it a second time.
    let seen = fields.text("ran");
    if list.status == ListStatus::Running || !seen.is_empty() && seen != list.ran.as_microsecond().to_string() {
        return Ok(here);
    }
    let settings = Settings::parse(&list.settings);
    let kind = Kind::named(fields.text("modo")).or(settings.kind()).ok_or(PageError::NotAForm)?;
    if list.status.is_interrupted() && settings.kind() == Some(kind) {
        user.panel.lists.go_on(&list).await?;
        return Ok(here);
    }
    let uncovered = Uncovered::named(fields.text("sin_dato")).unwrap_or(settings.uncovered());
    let today = kuraka_app::calendar::today(user.panel.clock.now());
    let is_again = settings.kind() == Some(kind);
    let counted = with_contents(&user, &list, move |reading, results| {
        let is_certain = reading.unsure.is_empty() && read_page::modes(&reading).contains(&kind);
        let before = if is_again { ListResults::new(results).into_comparison() } else { Vec::new() };
        is_certain.then(|| (run::items(&reading, kind, today).len() as u64, before))
    });
    let wrong = match counted.await? {
        None => "Elija primero las columnas que faltan. No se descontó ninguna consulta.",
        Some((0, _)) => "No hay nada que consultar: cada fila dice por qué.",
        Some((items, before)) => {
            // A run deletes the results of the run before it, so a run that the plan cannot pay does not begin.
            let left = used_of_plan(&user).await?.left();
            if list.done > 0 && left == 0 {
                return Err(user.exhausted(items, left));
            }
            user.panel.lists.run(&list, settings.looked_up(kind, uncovered).to_text(), items, before).await?;
            return Ok(here);
        }
    };
    read_page::page(&user, list, StatusCode::UNPROCESSABLE_ENTITY, Some(wrong.to_owned())).await
}

pub(crate) async fn stop(form: UserForm) -> Result<HttpResponse, PageError> {
    change(&form.user, ListChange::Stop).await
}

pub(crate) async fn name(form: UserForm) -> Result<HttpResponse, PageError> {
    let text = |field, most| form.fields.text(field).trim().chars().filter(|c| !c.is_control()).take(most).collect();
    change(&form.user, ListChange::Name { name: text("nombre", NAME), note: text("nota", NOTE) }).await
}

async fn change(user: &CurrentUser, change: ListChange) -> Result<HttpResponse, PageError> {
    let list = find(user).await?;
    user.panel.lists.store.change_list(list.account, list.id, &change).await?;
    Ok(response::redirect(&format!("/panel/lista/{}", list.id)))
}

pub(crate) async fn follow(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let list = find(&user).await?;
    let shown = Severity::bucket_named(fields.text("estado"));
    let add = with_table(&user, &list, move |reading, table| {
        let rows = table.rows.iter().filter(|row| shown.is_none_or(|shown| row.bucket() == shown));
        let rucs: HashSet<&str> = rows.map(|row| row.ruc.as_str()).collect();
        watching::with_codes(reading.list.iter().filter(|row| rucs.contains(&*table::ruc_of(row))))
    });
    watching::follow(&user, &add.await?).await
}

pub(crate) async fn delete(form: UserForm) -> Result<HttpResponse, PageError> {
    let list = find(&form.user).await?;
    form.user.panel.lists.store.delete_list(list.account, list.id).await?;
    Ok(response::redirect("/panel/lista"))
}

pub(crate) async fn download(user: CurrentUser, request: HttpRequest) -> Result<HttpResponse, PageError> {
    let list = find(&user).await?;
    let is_csv = request.path().ends_with(".csv");
    let form = if is_csv { TableForm::Csv } else { TableForm::Xlsx };
    let (kept, statuses) = (list.clone(), user.panel.datasets.statuses());
    let written = with_table(&user, &list, move |reading, table| {
        file::write(form, file::about(table.kind, &kept, &statuses), reading, &table)
    });
    let bytes = written.await?.map_err(|_| PageError::Internal("the table of a list could not be written"))?;
    let today = kuraka_app::calendar::today(user.panel.clock.now());
    let name = format!("kuraka-lista-{today}.{}", form.extension());
    large_answer::file(&user, None, form.media_type(), &name, &bytes)
}

async fn list_page(
    user: &CurrentUser,
    place: Option<Place>,
    status: StatusCode,
    text: String,
    wrong: Option<String>,
) -> Result<HttpResponse, PageError> {
    let mut lists = user.panel.lists.store.lists(user.account.id).await?;
    let ruc = Ruc::parse(Fields::from_query(&user.request).text("ruc")).ok();
    if let Some(ruc) = ruc {
        lists = kept::with_ruc(user, lists, ruc).await?;
    }
    let kept_days = user.panel.lists.kept_days;
    let page = ListPage { layout: user.layout(MenuItem::LIST), text, wrong, lists, ruc, kept_days };
    large_answer::page(user, place, status, &page)
}
