//! What a taxpayer is, today or on a day, at a glance. Green is only an active taxpayer that is HABIDO by a recent
//! padrón; what is missing or too old is grey.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use kuraka_domain::{Date, DomicileCondition, OnDay, Ruc, Sanction, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary};
use kuraka_ports::{DatasetStatus, Edition, ProfileParts, RegistrySnapshot, dataset};
use serde::{Deserialize, Serialize};

use super::change;
use super::meaning::{self, Meaning, Of};
use crate::spanish;

pub(crate) const INCAPABLE: &str = "SIN CAPACIDAD OPERATIVA";

/// How a fact is shown: each has a colour, an icon and words. In the order of their weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) enum Severity {
    /// No finding.
    #[default]
    Plain,
    /// Good to know, no warning.
    Note,
    Good,
    Unknown,
    Warn,
    /// The most serious warning.
    Bad,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatasetAge {
    /// Current data of this day.
    Of(Date),
    /// The edition of this day is too old for a statement about today.
    TooOld(Date),
    /// No edition here.
    Missing,
}

pub(crate) struct Fact {
    pub(crate) title: &'static str,
    pub(crate) tone: Severity,
    pub(crate) value: Cow<'static, str>,
    /// Why it is unknown, or a detail; may be empty.
    pub(crate) note: String,
}

pub(crate) struct StatusSummary {
    pub(crate) tone: Severity,
    /// `NO HABIDO · ACTIVO`.
    pub(crate) headline: String,
    /// The edition that the headline is based on, and details.
    pub(crate) notes: Vec<String>,
    pub(crate) facts: Vec<Fact>,
    /// What the facts mean, by their titles.
    pub(crate) meanings: Vec<(Cow<'static, str>, &'static Meaning)>,
}

impl DatasetAge {
    /// Of a snapshot's edition.
    pub(crate) fn from_snapshot(snapshot: &dyn RegistrySnapshot, statuses: &[DatasetStatus], name: &str) -> Self {
        Self::new(snapshot.dataset(name).and_then(|dataset| dataset.edition.as_ref()), statuses, name)
    }

    pub(crate) fn new(edition: Option<&Arc<Edition>>, statuses: &[DatasetStatus], name: &str) -> Self {
        let is_too_old = statuses.iter().any(|status| status.name == name && status.is_too_old);
        match edition {
            None => Self::Missing,
            Some(edition) if is_too_old => Self::TooOld(edition.date),
            Some(edition) => Self::Of(edition.date),
        }
    }
}

/// The day of an edition's label.
pub(crate) fn published(label: &str) -> Option<Date> {
    label.get(..10).and_then(|day| Date::parse(day).ok())
}

/// What was recorded of a day, and what today's list proves of it where the record does not cover it.
pub(crate) fn with_capacity(mut day: OnDay, snapshot: &dyn RegistrySnapshot) -> OnDay {
    if let Some(known) = &mut day.taxpayer {
        let listed = || was_incapable(snapshot, known.summary.ruc, day.date).then_some(true);
        known.without_capacity = known.without_capacity.or_else(listed);
    }
    day
}

/// Whether SUNAT had declared a taxpayer without operating capacity by a day, as today's list says since when.
pub(crate) fn was_incapable(snapshot: &dyn RegistrySnapshot, ruc: Ruc, date: Date) -> bool {
    let profile = snapshot.profile(ruc, ProfileParts::OPERATING_INCAPACITY).ok().flatten();
    let since = profile.and_then(|profile| profile.operating_incapacity??.final_since);
    since.is_some_and(|since| since <= date)
}

/// How a RUC that is not in the padrón is shown. Only a padrón that is recent enough proves that there is none.
pub(crate) const fn absence(is_proven: bool) -> (Severity, &'static str) {
    if is_proven { (Severity::Bad, "No existe") } else { (Severity::Unknown, "No se sabe si existe") }
}

/// For status and condition together.
pub(crate) fn tone(taxpayer: &TaxpayerSummary, padron: DatasetAge) -> Severity {
    match padron {
        DatasetAge::Of(_) => status_tone(&taxpayer.status).max(condition_tone(&taxpayer.condition)),
        DatasetAge::TooOld(_) | DatasetAge::Missing => Severity::Unknown,
    }
}

impl Severity {
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Plain | Self::Note => "plain",
            Self::Good => "good",
            Self::Unknown => "unsure",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

impl StatusSummary {
    pub(crate) fn new(
        profile: &TaxpayerProfile,
        snapshot: &dyn RegistrySnapshot,
        statuses: &[DatasetStatus],
        today: Date,
    ) -> Self {
        let answers = |name| DatasetAge::from_snapshot(snapshot, statuses, name);
        let padron = answers(dataset::PADRON);
        let (is_listed, is_barred) = (is_listed(profile), in_force(profile, today).next().is_some());
        let (tone, headline, mut facts) = glance(profile, padron, answers(dataset::OPERATING_CAPACITY));
        facts.push(sanctions(profile, answers(dataset::SANCTIONS), today));
        let basis = match padron {
            DatasetAge::Of(date) => format!("Según el padrón del {}.", spanish::day(date)),
            DatasetAge::TooOld(date) => {
                format!("El padrón de este servicio es del {}, demasiado antiguo para decirlo.", spanish::day(date))
            }
            DatasetAge::Missing => "Este servicio no tiene el padrón.".to_owned(),
        };
        Self { tone, headline, notes: vec![basis], meanings: meanings(&profile.summary, is_listed, is_barred), facts }
    }

    pub(crate) fn on_day(OnDay { date, edition, taxpayer }: &OnDay, statuses: &[DatasetStatus]) -> Self {
        let published = published(edition).map(spanish::day);
        let mut notes = vec![format!(
            "El {}, según el padrón del {} (edición {edition}).",
            spanish::day(*date),
            published.unwrap_or_default()
        )];
        let Some(known) = taxpayer else {
            let headline = "No estaba en el padrón".to_owned();
            return Self { tone: Severity::Bad, headline, notes, facts: Vec::new(), meanings: Vec::new() };
        };
        let title = "Capacidad operativa";
        let (tone, value, note) = match known.without_capacity {
            Some(true) => (Severity::Bad, INCAPABLE, ""),
            Some(false) => (Severity::Plain, "No figuraba en la relación", ""),
            None => (Severity::Unknown, "No se sabe", "Este servicio no tiene la relación de ese día."),
        };
        let mut facts = registered(&known.summary, DatasetAge::Of(*date));
        facts.push(Fact { title, tone, value: value.into(), note: note.to_owned() });
        let is_listed = known.without_capacity == Some(true);
        let (tone, headline) = headline(&facts, is_listed);
        if !known.summary.address.is_empty() {
            notes.push(format!("Domicilio: {}.", known.summary.address));
        }
        if !known.lists.is_empty() {
            let lists: Vec<&str> = known.lists.iter().map(|list| change::title(list, statuses)).collect();
            notes.push(format!("En los padrones: {}.", lists.join(", ")));
        }
        let headline = headline.unwrap_or_else(|| "No se sabe".to_owned());
        Self { tone, headline, notes, meanings: meanings(&known.summary, is_listed, false), facts }
    }

    /// Values that are not green or unknown.
    pub(crate) fn problems(&self) -> Vec<String> {
        let noted = self.facts.iter().filter(|fact| !matches!(fact.tone, Severity::Plain | Severity::Good));
        let text = |fact: &Fact| match fact.tone {
            Severity::Note => "SANCIONADO".to_owned(),
            Severity::Unknown => format!("{}: no se sabe. {}", fact.title, fact.note),
            Severity::Plain | Severity::Good | Severity::Warn | Severity::Bad => fact.value.to_string(),
        };
        noted.map(text).collect()
    }
}

pub(crate) fn status_tone(status: &TaxpayerStatus) -> Severity {
    match status.as_str() {
        "" => Severity::Unknown,
        text if text.starts_with("BAJA") => Severity::Bad,
        _ if *status == TaxpayerStatus::Active => Severity::Good,
        _ => Severity::Warn,
    }
}

pub(crate) fn condition_tone(condition: &DomicileCondition) -> Severity {
    match condition.as_str() {
        "" => Severity::Unknown,
        _ if *condition == DomicileCondition::Found => Severity::Good,
        _ if *condition == DomicileCondition::Missing => Severity::Bad,
        _ => Severity::Warn,
    }
}

/// Tone, headline and their facts alone: many watched taxpayers need no more.
pub(crate) fn glance(
    profile: &TaxpayerProfile,
    padron: DatasetAge,
    incapable: DatasetAge,
) -> (Severity, String, Vec<Fact>) {
    let mut facts = registered(&profile.summary, padron);
    facts.push(capacity(profile, incapable));
    let (tone, words) = headline(&facts, is_listed(profile));
    (tone, words.unwrap_or_else(|| "No se sabe cómo está hoy".to_owned()), facts)
}

const fn is_listed(profile: &TaxpayerProfile) -> bool {
    matches!(profile.operating_incapacity, Some(Some(_)))
}

/// The worst of status, condition and capacity, and their values, worst first; `None` = they are not known. A missing
/// list does not make the rest unknown; an old list that has the taxpayer does.
fn headline(facts: &[Fact], is_listed: bool) -> (Severity, Option<String>) {
    let capacity = facts.get(2).filter(|_| is_listed);
    let mut weighed: Vec<&Fact> = capacity.into_iter().chain(facts.iter().take(2)).collect();
    weighed.sort_by_key(|fact| Reverse(fact.tone));
    let tone = weighed.first().map_or(Severity::Unknown, |fact| fact.tone);
    let known = weighed.iter().filter(|fact| fact.tone != Severity::Unknown);
    let words = || known.map(|fact| &*fact.value).collect::<Vec<_>>().join(" · ");
    (tone, (tone != Severity::Unknown).then(words))
}

/// Status and condition, without abbreviations.
fn registered(taxpayer: &TaxpayerSummary, padron: DatasetAge) -> Vec<Fact> {
    let (status, condition) = (&taxpayer.status, &taxpayer.condition);
    let fact = |title, of, text: &str, tone| {
        let value = if text.is_empty() { Cow::Borrowed("") } else { meaning::written_out(of, text) };
        let in_file = if value == text { String::new() } else { format!("En el padrón: «{text}».") };
        let (tone, note) = match padron {
            DatasetAge::Of(_) if text.is_empty() => (tone, "El padrón no lo publica.".to_owned()),
            DatasetAge::Of(_) => (tone, in_file),
            DatasetAge::TooOld(date) => {
                (Severity::Unknown, format!("Según el padrón del {}, que es demasiado antiguo.", spanish::day(date)))
            }
            DatasetAge::Missing => (Severity::Unknown, "No hay padrón.".to_owned()),
        };
        Fact { title, tone, value, note }
    };
    vec![
        fact("Estado", Of::Status, status.as_str(), status_tone(status)),
        fact("Condición del domicilio", Of::Condition, condition.as_str(), condition_tone(condition)),
    ]
}

fn capacity(profile: &TaxpayerProfile, list: DatasetAge) -> Fact {
    let title = "Capacidad operativa";
    let unknown = |note| Fact { title, tone: Severity::Unknown, value: "No se sabe".into(), note };
    match (&profile.operating_incapacity, list) {
        (None, _) | (_, DatasetAge::Missing) => unknown("Este servicio no tiene la relación de la SUNAT.".to_owned()),
        (Some(found), DatasetAge::TooOld(date)) => unknown(format!(
            "{} en la relación del {}, que es demasiado antigua.",
            if found.is_some() { "Figuraba" } else { "No figuraba" },
            spanish::day(date)
        )),
        (Some(None), DatasetAge::Of(date)) => Fact {
            title,
            tone: Severity::Plain,
            value: "No figura en la relación".into(),
            note: format!("Sujetos sin capacidad operativa, al {}.", spanish::day(date)),
        },
        (Some(Some(incapacity)), DatasetAge::Of(_)) => {
            let since = incapacity.final_since.map(|date| format!("Firme desde el {}.", spanish::day(date)));
            let resolution = Some(&incapacity.resolution).filter(|number| !number.is_empty());
            let resolution = resolution.map(|number| format!("Resolución {number}."));
            let note = [resolution, since].into_iter().flatten().collect::<Vec<_>>().join(" ");
            Fact { title, tone: Severity::Bad, value: INCAPABLE.into(), note }
        }
    }
}

fn in_force(profile: &TaxpayerProfile, day: Date) -> impl Iterator<Item = &Sanction> {
    let all = profile.sanctions.as_deref().unwrap_or_default();
    all.iter().filter(move |sanction| sanction.since <= day && sanction.until.is_none_or(|until| day <= until))
}

fn sanctions(profile: &TaxpayerProfile, list: DatasetAge, today: Date) -> Fact {
    let title = "Contratar con el Estado";
    let (DatasetAge::Of(date) | DatasetAge::TooOld(date), Some(all)) = (list, &profile.sanctions) else {
        let (tone, note) = (Severity::Unknown, "Este servicio no tiene la relación del OECE.".to_owned());
        return Fact { title, tone, value: "No se sabe".into(), note };
    };
    let (tone, value) = match (in_force(profile, today).count(), all.iter().filter_map(|sanction| sanction.until).max())
    {
        (0, _) if all.is_empty() => (Severity::Plain, "No figura entre los sancionados".into()),
        (0, Some(until)) if until < today => {
            (Severity::Plain, format!("Sin sanción vigente: la última terminó el {}", spanish::day(until)).into())
        }
        (0, _) => (Severity::Plain, "Sin sanción vigente hoy".into()),
        (1, _) => (Severity::Note, "Figura con 1 sanción vigente".into()),
        (many, _) => (Severity::Note, format!("Figura con {many} sanciones vigentes").into()),
    };
    Fact { title, tone, value, note: format!("Relación del OECE, al {}.", spanish::day(date)) }
}

/// What public sources say about these facts.
fn meanings(
    taxpayer: &TaxpayerSummary,
    is_listed: bool,
    is_barred: bool,
) -> Vec<(Cow<'static, str>, &'static Meaning)> {
    let facts = [
        (is_listed, Of::Capacity, ""),
        (true, Of::Status, taxpayer.status.as_str()),
        (true, Of::Condition, taxpayer.condition.as_str()),
        (is_barred, Of::Sanction, ""),
    ];
    let of = |(is_said, of, text)| Some((meaning::written_out(of, text), meaning::find(of, text).filter(|_| is_said)?));
    facts.into_iter().filter_map(of).collect()
}
