//! The answer about an item of a list, as it is kept.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::future::pending;

use kuraka_api::spanish::{NO_RECORD, rejected_voucher, stale_miss};
use kuraka_api::table_row::voucher_cells;
use kuraka_app::{ChargedCall, HistoryError, ListAnswer, ListItem, LookupError, RegistryBatch};
use kuraka_domain::{
    Date, DomicileCondition, ListedTaxpayer, OnDay, ResultCode, Ruc, TaxpayerProfile, TaxpayerStatus, Voucher,
    VoucherStatus, VoucherValidation,
};
use kuraka_ports::{DatasetStatus, ProfileParts, SourceErrorKind};
use serde::{Deserialize, Serialize};

use super::item::{Item, Kind};
use super::settings::Uncovered;
use crate::pages::meaning::Of;
use crate::pages::status_summary::{
    INCAPABLE, Severity, StatusSummary, absence, condition_tone, published, status_tone, was_incapable, with_capacity,
};
use crate::panel::Panel;
use crate::spanish;

/// Days after which an edition is named beside what it says of a day.
const NEAR: i32 = 2;
const WAS_ABSENT: &str = "No estaba en el padrón";
pub(super) const UNKNOWN: &str = "No se sabe";
const NO_CAPACITY: &str = "No se sabe: sin la relación de ese día";

/// What is known of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Answer {
    pub(super) item: String,
    pub(super) tone: Severity,
    /// Whether it is what was published for the month of the day, which does not say the day.
    pub(super) is_of_month: bool,
    /// The name of a taxpayer; may be empty.
    pub(super) name: String,
    pub(super) situation: String,
    /// By what the situation is known, where it is not of the day; may be empty.
    pub(super) basis: String,
    /// What it is today, beside what it was; may be empty.
    pub(super) today: String,
    /// The visible cells after the situation.
    pub(super) rest: [String; 2],
    /// The padrón's edition, of what is not about a day.
    pub(super) edition: String,
    pub(super) problems: Vec<String>,
    /// Empty if it was not looked up.
    pub(super) code: String,
    /// The cells of [`Kind::columns`] after the code and the note.
    pub(super) cells: Vec<String>,
}

/// A batch of answers, and what they are from.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct AnswerBatch {
    /// When they were looked up, in seconds.
    pub(super) at: i64,
    /// The titles of the sources, and the dates of their editions.
    pub(super) sources: Vec<(String, String)>,
    /// The label of the padrón's edition and the digest of its file.
    pub(super) padron: Option<(String, String)>,
    pub(super) answers: Vec<Answer>,
    /// Of the run before: what each item was.
    pub(super) before: HashMap<String, Severity>,
}

/// An answer and the queries that it costs; `None` = the sources did not answer, and may be asked again.
pub(super) type Answered = Option<(Answer, u64)>;

impl Answer {
    fn new(item: &str, tone: Severity, situation: impl Into<String>) -> Self {
        let (item, code) = (item.to_owned(), ResultCode::Found.as_str().to_owned());
        Self { item, tone, situation: situation.into(), code, ..Self::default() }
    }

    /// About a row that was not looked up.
    pub(super) fn none(tone: Severity, why: impl Into<String>) -> Self {
        Self { tone, situation: why.into(), ..Self::default() }
    }

    /// Whether it was found or is proven absent, or is known of today, which costs a query.
    pub(super) fn is_paid(&self) -> bool {
        let paid = [ResultCode::Found, ResultCode::DocumentNotFound];
        paid.iter().any(|code| self.code == code.as_str()) || !self.today.is_empty()
    }

    /// Whether it says something, but not of the asked day: what was published for a month has fewer cells.
    pub(super) fn is_beside_day(&self) -> bool {
        !self.today.is_empty() || (1..=3).contains(&self.cells.len())
    }

    /// Whether the RUC is, or was on the day, in no padrón.
    pub(super) fn is_absent(&self) -> bool {
        [absence(true).1, WAS_ABSENT].contains(&&*self.situation)
    }

    fn failed(item: &str, tone: Severity, code: ResultCode, reason: &str, problem: &str) -> Self {
        let problems = vec![problem.to_owned()];
        Self { problems, code: code.as_str().to_owned(), ..Self::new(item, tone, reason) }
    }
}

/// Looks up the taxpayers of a batch, as they are or as they were on their days.
pub(super) async fn taxpayers(
    panel: &Panel,
    call: &ChargedCall,
    (kind, uncovered): (Kind, Uncovered),
    asked: &[Item],
) -> Result<Vec<Answered>, LookupError> {
    let batch = panel.lookup_taxpayer.batch(call)?;
    let (statuses, today) = (panel.datasets.statuses(), kuraka_app::calendar::today(panel.clock.now()));
    let items: Vec<ListItem> = asked.iter().filter_map(|(_, subject)| subject.taxpayer()).collect();
    batch.check(&items)?;
    let answers = batch.answers_of_call(&items, ProfileParts::TABLE).await;
    let beside = |item: &str, (ruc, date)| {
        if uncovered == Uncovered::Omit {
            return None;
        }
        let profile = batch.answers(&[(ruc, None)], ProfileParts::TABLE).pop();
        let summary = |profile: &_| StatusSummary::new(profile, &*batch.snapshot, &statuses, today).headline;
        let (name, now) = match profile {
            Some(Ok(Some(ListedTaxpayer::Now(profile)))) => (profile.summary.name.to_string(), summary(&profile)),
            Some(Ok(None)) => (String::new(), absence(true).1.to_owned()),
            _ => Default::default(),
        };
        let now = if uncovered == Uncovered::MonthAndToday { now } else { String::new() };
        let of_month = in_month(panel, &batch, item, (ruc, date));
        let known = of_month.or_else(|| {
            let (code, why) = (ResultCode::DateNotCovered, "Sin registro de ese día, ni de su mes");
            (!now.is_empty()).then(|| Answer::failed(item, Severity::Unknown, code, why, "Fecha sin registro"))
        })?;
        let cells = if known.cells.is_empty() { Vec::new() } else { [vec![name.clone()], known.cells].concat() };
        Some(Answer { name, today: now, cells, ..known })
    };
    Ok(of_taxpayers(&batch, (&statuses, today), kind, asked, answers, beside))
}

/// What is kept of the answers of a snapshot; `beside` says what is known of a taxpayer instead of on a day.
pub(super) fn of_taxpayers(
    batch: &RegistryBatch,
    (statuses, today): (&[DatasetStatus], Date),
    kind: Kind,
    asked: &[Item],
    answers: Vec<ListAnswer>,
    beside: impl Fn(&str, (Ruc, Date)) -> Option<Answer>,
) -> Vec<Answered> {
    let answer = |((item, subject), answer): (&Item, ListAnswer)| match answer {
        Ok(Some(taxpayer)) => {
            let taxpayer = match taxpayer {
                ListedTaxpayer::OnDay(day) => ListedTaxpayer::OnDay(with_capacity(day, &*batch.snapshot)),
                now @ ListedTaxpayer::Now(_) => now,
            };
            let cells = kind.taxpayer_columns().cells(&taxpayer).into_iter().map(Cow::into_owned).collect();
            let answer = match &taxpayer {
                ListedTaxpayer::Now(profile) => {
                    let now = now(item, profile, &StatusSummary::new(profile, &*batch.snapshot, statuses, today));
                    Answer { edition: batch.snapshot.edition().label.to_string(), ..now }
                }
                ListedTaxpayer::OnDay(day) => on_day(item, day, statuses),
            };
            Some((Answer { cells, ..answer }, 1))
        }
        Ok(None) => {
            let (tone, words) = absence(true);
            let absent = Answer::failed(item, tone, ResultCode::DocumentNotFound, words, words);
            Some((Answer { edition: batch.snapshot.edition().label.to_string(), ..absent }, 1))
        }
        Err(HistoryError::NotCovered { date, periods }) => {
            let known = date.ok().and_then(|date| beside(item, (subject.taxpayer()?.0, date)));
            let reason = spanish::not_covered(date.ok(), &periods);
            Some(known.map_or_else(
                || {
                    let code = ResultCode::DateNotCovered;
                    (Answer::failed(item, Severity::Unknown, code, &reason, "Fecha sin registro"), 0)
                },
                |answer| (answer, 1),
            ))
        }
        Err(HistoryError::NoRecord) => {
            let code = ResultCode::UpstreamUnavailable;
            Some((Answer::failed(item, Severity::Unknown, code, NO_RECORD, "Fecha sin registro"), 0))
        }
        Err(HistoryError::Registry(LookupError::StaleMiss { age_days, .. })) => {
            let (tone, words) = absence(false);
            Some((Answer::failed(item, tone, ResultCode::UpstreamUnavailable, &stale_miss(age_days), words), 1))
        }
        Err(HistoryError::Registry(_)) => None,
    };
    asked.iter().zip(answers).map(answer).collect()
}

/// What was published for the month of a day, marked as such.
fn in_month(panel: &Panel, batch: &RegistryBatch, item: &str, (ruc, date): (Ruc, Date)) -> Option<Answer> {
    let published = panel.lookup_taxpayer.month(ruc, date)?;
    let of_month = spanish::month_of(date);
    let (status, condition) = match &published {
        Some(state) => (state.status.as_str(), state.condition.as_str()),
        None => ("No figuraba", ""),
    };
    let is_incapable = was_incapable(&*batch.snapshot, ruc, date);
    let incapable = is_incapable.then_some((INCAPABLE, Severity::Bad));
    let tones = [
        (condition, condition_tone(&DomicileCondition::from_text(condition))),
        (status, status_tone(&TaxpayerStatus::from_text(status))),
    ];
    let mut answer = weighed(item, &tones.into_iter().chain(incapable).collect::<Vec<_>>());
    answer.situation = format!("{} (mes de {of_month})", answer.situation);
    answer.basis = "un mes no dice el día".to_owned();
    answer.cells = vec![status.to_owned(), condition.to_owned()];
    let rest = [String::new(), if is_incapable { INCAPABLE } else { NO_CAPACITY }.to_owned()];
    Some(Answer { rest, is_of_month: !is_incapable, ..answer })
}

/// An answer with the worst of these tones, worst first. A fact without a text is not known, which counts.
fn weighed(item: &str, facts: &[(&str, Severity)]) -> Answer {
    let tone = facts.iter().map(|(_, tone)| *tone).max().unwrap_or(Severity::Unknown);
    let mut facts: Vec<_> = facts.iter().filter(|(text, _)| !text.is_empty()).collect();
    facts.sort_by_key(|(_, tone)| Reverse(*tone));
    let problems = facts.iter().filter(|(_, tone)| *tone != Severity::Good).map(|(text, _)| (*text).to_owned());
    let problems = problems.collect();
    let situation = facts.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" · ");
    Answer { problems, ..Answer::new(item, tone, situation) }
}

fn on_day(item: &str, on_day: &OnDay, statuses: &[DatasetStatus]) -> Answer {
    let age = |day: &Date| on_day.date.days_since_epoch() - day.days_since_epoch();
    let edition = published(&on_day.edition).filter(|day| age(day) > NEAR);
    let basis = edition.map(|day| format!("según el padrón del {}", spanish::day(day))).unwrap_or_default();
    let Some(known) = &on_day.taxpayer else {
        return Answer { problems: vec![WAS_ABSENT.to_owned()], basis, ..Answer::new(item, Severity::Bad, WAS_ABSENT) };
    };
    let (status, condition) = (&known.summary.status, &known.summary.condition);
    let (capacity, tone) = match known.without_capacity {
        Some(true) => (INCAPABLE, Severity::Bad),
        Some(false) => ("", Severity::Plain),
        None => (NO_CAPACITY, Severity::Plain),
    };
    let registered = [(condition.as_str(), condition_tone(condition)), (status.as_str(), status_tone(status))];
    let incapable = Some((capacity, tone)).filter(|_| tone == Severity::Bad);
    let facts: Vec<_> = incapable.into_iter().chain(registered).collect();
    let titles = known.lists.iter().filter_map(|list| statuses.iter().find(|known| known.name == *list));
    let lists = titles.map(|list| list.title).collect::<Vec<_>>().join(", ");
    Answer { name: known.summary.name.to_string(), basis, rest: [lists, capacity.to_owned()], ..weighed(item, &facts) }
}

fn now(item: &str, profile: &TaxpayerProfile, summary: &StatusSummary) -> Answer {
    let lists = profile.lists.as_ref().map(|lists| lists.iter().map(|list| list.title).collect::<Vec<_>>().join(", "));
    let sanctions = profile.sanctions.as_ref().map(|sanctions| match sanctions.len() {
        0 => String::new(),
        1 => "1 sanción".to_owned(),
        many => format!("{many} sanciones"),
    });
    let unknown = || UNKNOWN.to_owned();
    Answer {
        name: profile.summary.name.to_string(),
        rest: [lists.unwrap_or_else(unknown), sanctions.unwrap_or_else(unknown)],
        problems: summary.problems(),
        ..Answer::new(item, summary.tone, summary.headline.clone())
    }
}

pub(super) async fn vouchers(panel: &Panel, call: &ChargedCall, asked: &[Item]) -> Vec<Answered> {
    let vouchers: Vec<Voucher> = asked.iter().filter_map(|(_, subject)| subject.voucher()).collect();
    let answers: HashMap<_, _> = panel.validate_voucher.run_all(call, vouchers.iter().copied(), pending()).await;
    let incapable = incapable(panel, call, &vouchers);
    let answer = |(item, subject): &Item| match answers.get(&subject.voucher()?)? {
        Ok(answer) => {
            let is_incapable = subject.voucher().is_some_and(|voucher| incapable.contains(&voucher));
            Some((validated(item, &answer.validation, is_incapable), 1))
        }
        Err(error) if error.kind == SourceErrorKind::Rejected => {
            let reason = rejected_voucher(error.reason.as_deref());
            let (tone, code) = (Severity::Warn, ResultCode::InvalidInput);
            Some((Answer::failed(item, tone, code, &reason, "No es válido, según la SUNAT"), 1))
        }
        Err(_) => None,
    };
    asked.iter().map(answer).collect()
}

/// The vouchers whose issuers had no operating capacity on their days. The source of vouchers does not say it, so without
/// a list it stays unsaid.
pub(crate) fn incapable(panel: &Panel, call: &ChargedCall, vouchers: &[Voucher]) -> HashSet<Voucher> {
    let Ok(batch) = panel.lookup_taxpayer.batch(call) else { return HashSet::new() };
    let items: Vec<ListItem> = vouchers.iter().map(|it| (it.issuer, Some(Ok(it.issued.date())))).collect();
    let days = batch.answers(&items, ProfileParts::FLAGS);
    let recorded = |answer: &_| match answer {
        Ok(Some(ListedTaxpayer::OnDay(day))) => day.taxpayer.as_ref()?.without_capacity,
        _ => None,
    };
    let of_list = |it: &Voucher| was_incapable(&*batch.snapshot, it.issuer, it.issued.date());
    let known = vouchers.iter().zip(days).filter(|(it, day)| recorded(day).unwrap_or_else(|| of_list(it)));
    known.map(|(voucher, _)| *voucher).collect()
}

fn validated(item: &str, validation: &VoucherValidation, is_incapable: bool) -> Answer {
    let (status, tone) = (voucher_words(&validation.status), voucher_tone(&validation.status));
    let of_issuer = issuer_facts(validation, is_incapable);
    let of_issuer: Vec<_> = of_issuer.iter().map(|(_, text, tone)| (*text, *tone)).collect();
    let noted =
        [(status, tone)].into_iter().chain(of_issuer.iter().copied()).filter(|(_, tone)| *tone != Severity::Good);
    let problems = noted.map(|(text, _)| text.to_owned()).collect();
    let texts = of_issuer.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" · ");
    let worst = of_issuer.iter().max_by_key(|(_, tone)| *tone).filter(|(_, worst)| *worst > tone);
    let situation = worst.map_or(status.into(), |(text, _)| format!("{status}, pero el emisor: {text}"));
    let observations = validation.observations.iter().map(|text| observation(text)).collect::<Vec<_>>();
    Answer {
        rest: [texts, observations.join(" ")],
        problems,
        cells: voucher_cells(validation).into_iter().map(Cow::into_owned).collect(),
        ..Answer::new(item, worst.map_or(tone, |(_, worst)| *worst), situation)
    }
}

/// What is known of the issuer on the day of issue, without what the source leaves out.
pub(crate) fn issuer_facts(validation: &VoucherValidation, is_incapable: bool) -> Vec<(Of, &'static str, Severity)> {
    let issuer = validation.issuer_status.as_ref().map(|status| status.text());
    let domicile = validation.issuer_condition.as_ref().map(|condition| condition.text());
    let facts = [
        is_incapable.then_some((Of::Capacity, INCAPABLE, Severity::Bad)),
        issuer.map(|text| (Of::Status, text, status_tone(&TaxpayerStatus::from_text(text)))),
        domicile.map(|text| (Of::Condition, text, condition_tone(&DomicileCondition::from_text(text)))),
    ];
    facts.into_iter().flatten().filter(|(_, text, _)| !text.is_empty()).collect()
}

/// An observation of the source, and what the usual one means.
pub(crate) fn observation(text: &str) -> String {
    let is_usual = text.contains("emitido a otro contribuyente");
    let meaning = "Es lo usual y no es un rechazo: quien consulta a la SUNAT es este servicio, no el comprador.";
    if is_usual { format!("{text} {meaning}") } else { text.to_owned() }
}

/// The state in words, also if it is unknown.
pub(crate) fn voucher_words(status: &VoucherStatus) -> &'static str {
    if status.text().is_empty() { "Estado desconocido" } else { status.text() }
}

/// Red is what gives no right to deduct. The states are those of `docs/topics/vouchers.md`.
pub(crate) fn voucher_tone(status: &VoucherStatus) -> Severity {
    if matches!(status, VoucherStatus::Accepted | VoucherStatus::Authorised) {
        Severity::Good
    } else if matches!(status, VoucherStatus::Annulled | VoucherStatus::NotAuthorised | VoucherStatus::NotFound) {
        Severity::Bad
    } else {
        Severity::Warn
    }
}
