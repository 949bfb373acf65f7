//! What a taxpayer's status, condition and operating capacity mean for an invoice. Green is only an active taxpayer
//! that is HABIDO by a recent padrón; what is missing or too old is grey. A consequence is named only with its public
//! source.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use kuraka_domain::{Date, DomicileCondition, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary};
use kuraka_ports::{DatasetStatus, Edition, RegistrySnapshot, dataset};
use serde::{Deserialize, Serialize};

use crate::spanish;

/// How a fact is shown: each has a colour, an icon and words. In the order of their weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub(crate) enum Severity {
    /// No finding.
    #[default]
    Plain,
    /// Good to know, no warning.
    Note,
    /// Active and HABIDO.
    Good,
    /// Unknown.
    Unknown,
    /// A warning.
    Warn,
    /// The most serious warning.
    Bad,
}

/// The age of a dataset's data.
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

/// A consequence, and its source.
pub(crate) struct TaxConsequence {
    pub(crate) of: &'static str,
    pub(crate) text: &'static str,
    pub(crate) source: &'static str,
}

pub(crate) struct StatusSummary {
    pub(crate) tone: Severity,
    /// `NO HABIDO · ACTIVO`.
    pub(crate) headline: String,
    /// The edition that the headline is based on.
    pub(crate) basis: String,
    pub(crate) facts: [Fact; 4],
    pub(crate) meanings: Vec<TaxConsequence>,
}

impl DatasetAge {
    pub(crate) fn new(edition: Option<&Arc<Edition>>, statuses: &[DatasetStatus], name: &str) -> Self {
        let is_too_old = statuses.iter().any(|status| status.name == name && status.is_too_old);
        match edition {
            None => Self::Missing,
            Some(edition) if is_too_old => Self::TooOld(edition.date),
            Some(edition) => Self::Of(edition.date),
        }
    }
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

    /// The SVG icon's path data, in a square of 20.
    pub(crate) const fn icon(self) -> &'static str {
        match self {
            Self::Plain => "M5 10h10",
            Self::Note => "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM10 9.2v4.6M10 6.2v.1",
            Self::Good => "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM6.3 10.3l2.5 2.5 5-5.3",
            Self::Unknown => {
                "M10 18a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM7.7 7.8a2.4 2.4 0 1 1 3.3 2.2c-.7.3-1 .8-1 1.5v.2M10 14.4v.1"
            }
            Self::Warn => "M10 2.6l8 14.4H2zM10 8v4M10 14.5v.1",
            Self::Bad => "M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7zM7.2 7.2l5.6 5.6M12.8 7.2l-5.6 5.6",
        }
    }
}

impl StatusSummary {
    pub(crate) fn new(profile: &TaxpayerProfile, snapshot: &dyn RegistrySnapshot, statuses: &[DatasetStatus]) -> Self {
        let edition = |name| snapshot.dataset(name).and_then(|dataset| dataset.edition.as_ref());
        let answers = |name| DatasetAge::new(edition(name), statuses, name);
        let padron = answers(dataset::PADRON);
        let (status, condition) = (&profile.summary.status, &profile.summary.condition);
        let facts = [
            registered("Estado", status.as_str(), status_tone(status), padron),
            registered("Condición del domicilio", condition.as_str(), condition_tone(condition), padron),
            capacity(profile, answers(dataset::OPERATING_CAPACITY)),
            sanctions(profile, answers(dataset::SANCTIONS)),
        ];
        let [status, condition, capacity, _] = &facts;
        // A missing list does not make the rest unknown; an old list that has the taxpayer does.
        let incapacity = Some(capacity).filter(|_| matches!(profile.operating_incapacity, Some(Some(_))));
        let mut weighed: Vec<&Fact> = incapacity.into_iter().chain([status, condition]).collect();
        weighed.sort_by_key(|fact| Reverse(fact.tone));
        let tone = weighed.first().map_or(Severity::Unknown, |fact| fact.tone);
        let known = weighed.iter().filter(|fact| fact.tone != Severity::Unknown);
        let headline = match tone {
            Severity::Unknown => "No se sabe cómo está hoy".to_owned(),
            Severity::Plain | Severity::Note | Severity::Good | Severity::Warn | Severity::Bad => {
                known.map(|fact| &*fact.value).collect::<Vec<_>>().join(" · ")
            }
        };
        let basis = match padron {
            DatasetAge::Of(date) => format!("Según el padrón del {}.", spanish::day(date)),
            DatasetAge::TooOld(date) => {
                format!("El padrón de este servicio es del {}, demasiado antiguo para decirlo.", spanish::day(date))
            }
            DatasetAge::Missing => "Este servicio no tiene el padrón.".to_owned(),
        };
        Self { tone, headline, basis, meanings: meanings(profile), facts }
    }

    /// Values that are not green or unknown.
    pub(crate) fn problems(&self) -> Vec<String> {
        let noted = self.facts.iter().filter(|fact| !matches!(fact.tone, Severity::Plain | Severity::Good));
        let text = |fact: &Fact| match fact.tone {
            Severity::Note => "SANCIONADO".to_owned(),
            Severity::Unknown => format!("{}: no se sabe", fact.title),
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

fn registered(title: &'static str, value: &str, tone: Severity, padron: DatasetAge) -> Fact {
    let value: Cow<'static, str> = Cow::Owned(value.to_owned());
    match padron {
        DatasetAge::Of(_) if value.is_empty() => {
            Fact { title, tone, value, note: "El padrón no lo publica.".to_owned() }
        }
        DatasetAge::Of(_) => Fact { title, tone, value, note: String::new() },
        DatasetAge::TooOld(date) => {
            let note = format!("Según el padrón del {}, que es demasiado antiguo.", spanish::day(date));
            Fact { title, tone: Severity::Unknown, value, note }
        }
        DatasetAge::Missing => Fact { title, tone: Severity::Unknown, value, note: "No hay padrón.".to_owned() },
    }
}

fn capacity(profile: &TaxpayerProfile, list: DatasetAge) -> Fact {
    let title = "Capacidad operativa";
    let unknown = |note| Fact { title, tone: Severity::Unknown, value: "No se sabe".into(), note };
    match (&profile.operating_incapacity, list) {
        (None, _) | (_, DatasetAge::Missing) => unknown("Este servicio no tiene esa relación.".to_owned()),
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
            Fact { title, tone: Severity::Bad, value: "SIN CAPACIDAD OPERATIVA".into(), note }
        }
    }
}

fn sanctions(profile: &TaxpayerProfile, list: DatasetAge) -> Fact {
    let title = "Contratar con el Estado";
    match (&profile.sanctions, list) {
        (Some(sanctions), DatasetAge::Of(date) | DatasetAge::TooOld(date)) => Fact {
            title,
            tone: if sanctions.is_empty() { Severity::Plain } else { Severity::Note },
            value: match sanctions.len() {
                0 => "No figura entre los sancionados".into(),
                1 => "Figura con 1 sanción".into(),
                many => format!("Figura con {many} sanciones").into(),
            },
            note: format!("Relación del OECE, al {}.", spanish::day(date)),
        },
        (None, _) | (_, DatasetAge::Missing) => Fact {
            title,
            tone: Severity::Unknown,
            value: "No se sabe".into(),
            note: "Este servicio no tiene la relación del OECE.".to_owned(),
        },
    }
}

/// What public sources say about these facts.
fn meanings(profile: &TaxpayerProfile) -> Vec<TaxConsequence> {
    let (status, condition) = (&profile.summary.status, &profile.summary.condition);
    let mut found = Vec::new();
    if matches!(profile.operating_incapacity, Some(Some(_))) {
        found.push(TaxConsequence {
            of: "SIN CAPACIDAD OPERATIVA",
            text: "Desde el día siguiente a la publicación de la resolución firme, las operaciones con él no dan \
                   derecho al crédito fiscal ni sustentan costo o gasto. Durante el plazo de la resolución solo puede \
                   emitir boletas de venta electrónicas y notas de débito.",
            source: "Decreto Legislativo 1532",
        });
    }
    if *condition == DomicileCondition::Missing {
        found.push(TaxConsequence {
            of: "NO HABIDO",
            text: "El gasto de un comprobante que emitió siendo NO HABIDO no se puede usar, salvo que haya corregido \
                   esa condición hasta el 31 de diciembre del año. Tampoco hay crédito fiscal por compras que no se \
                   aceptan como gasto o costo. Decide la condición en la fecha de emisión, según la relación que \
                   publica la SUNAT.",
            source: "gob.pe, «Domicilio no habido»; Ley del Impuesto a la Renta, art. 44 j); Informe 290-2002-SUNAT/K00000",
        });
    }
    if condition.as_str().starts_with("NO HALLADO") {
        found.push(TaxConsequence {
            of: "NO HALLADO",
            text: "La SUNAT no pudo notificarlo en su domicilio fiscal. Publica la relación hasta el día 15 de cada mes, \
                   y quien no corrige su domicilio hasta el último día hábil de ese mes pasa a ser NO HABIDO. Es un \
                   aviso; todavía no perjudica a sus clientes.",
            source: "gob.pe, «Domicilio no habido»; D.S. 102-2002-EF",
        });
    }
    if matches!(status, TaxpayerStatus::Deregistered | TaxpayerStatus::DeregisteredExOfficio) {
        found.push(TaxConsequence {
            of: "BAJA",
            text: "El artículo nombra también al emisor cuyo RUC estaba de baja en la fecha del comprobante.",
            source: "Ley del Impuesto a la Renta, art. 44 j)",
        });
    }
    if profile.sanctions.as_ref().is_some_and(|sanctions| !sanctions.is_empty()) {
        found.push(TaxConsequence {
            of: "SANCIÓN",
            text: "No puede contratar con el Estado en las fechas indicadas. No dice nada sobre impuestos.",
            source: "OECE, relación de proveedores sancionados",
        });
    }
    found
}
