//! What changed about a taxpayer. The history and the change feed use the same field names in the same order.

use std::borrow::Cow;

use kuraka_domain::{Date, TaxpayerSummary, Ubigeo};

/// In the order of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedDatum {
    /// Whether the padrón has the taxpayer.
    Existence,
    Name,
    Status,
    Condition,
    Address,
    Department,
    Province,
    District,
    /// Whether it is on this list.
    List(&'static str),
    /// Whether it was declared without operating capacity.
    Capacity,
    Sanction,
}

/// The first day and the last, which a definitive sanction lacks.
pub type SanctionPeriod = (Date, Option<Date>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatumChange {
    pub datum: ChangedDatum,
    pub before: Cow<'static, str>,
    pub after: Cow<'static, str>,
}

impl ChangedDatum {
    /// In answers: a JSON field, or a list's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Existence => "existe",
            Self::Name => "nombre_o_razon_social",
            Self::Status => "estado",
            Self::Condition => "condicion",
            Self::Address => "direccion",
            Self::Department => "departamento",
            Self::Province => "provincia",
            Self::District => "distrito",
            Self::List(list) => list,
            Self::Capacity => "sin_capacidad_operativa",
            Self::Sanction => "sancion",
        }
    }

    /// In the order of an answer.
    const SUMMARY: [Self; 7] =
        [Self::Name, Self::Status, Self::Condition, Self::Address, Self::Department, Self::Province, Self::District];

    /// Empty for other data.
    fn text(self, summary: &TaxpayerSummary) -> &str {
        let place = summary.ubigeo;
        match self {
            Self::Name => &summary.name,
            Self::Status => summary.status.as_str(),
            Self::Condition => summary.condition.as_str(),
            Self::Address => &summary.address,
            Self::Department => summary.department(),
            Self::Province => place.and_then(Ubigeo::province).unwrap_or_default(),
            Self::District => place.and_then(Ubigeo::district).unwrap_or_default(),
            Self::Existence | Self::List(_) | Self::Capacity | Self::Sanction => "",
        }
    }

    /// Every datum, in the order of an answer, with these lists.
    pub fn all(lists: impl IntoIterator<Item = &'static str>) -> Vec<Self> {
        let mut all = vec![Self::Existence];
        all.extend(Self::SUMMARY);
        all.extend(lists.into_iter().map(Self::List));
        all.extend([Self::Capacity, Self::Sanction]);
        all
    }
}

impl DatumChange {
    /// A value that is `SI` or `NO`.
    pub const fn yes_no(datum: ChangedDatum, before: bool, after: bool) -> Self {
        const fn text(is: bool) -> Cow<'static, str> {
            Cow::Borrowed(if is { "SI" } else { "NO" })
        }
        Self { datum, before: text(before), after: text(after) }
    }

    /// The differences without the flags of lists.
    pub fn between_summaries(before: &TaxpayerSummary, after: &TaxpayerSummary) -> impl Iterator<Item = Self> {
        ChangedDatum::SUMMARY.into_iter().filter_map(|datum| {
            let (before, after) = (datum.text(before), datum.text(after));
            let owned = |text: &str| Cow::Owned(text.to_owned());
            (before != after).then(|| Self { datum, before: owned(before), after: owned(after) })
        })
    }

    /// A mail's order: first what puts an invoice at risk, last what does not matter to one.
    pub fn rank(&self) -> u8 {
        let is_risk = match self.datum {
            ChangedDatum::Existence => self.after == "NO",
            ChangedDatum::Status => self.after != "ACTIVO",
            ChangedDatum::Condition => self.after != "HABIDO",
            ChangedDatum::Capacity => self.after == "SI",
            ChangedDatum::Sanction => !self.after.is_empty(),
            ChangedDatum::List(_) => false,
            ChangedDatum::Name
            | ChangedDatum::Address
            | ChangedDatum::Department
            | ChangedDatum::Province
            | ChangedDatum::District => return 2,
        };
        u8::from(!is_risk)
    }

    /// The differences of sanctions in no order: first the ended ones, then the new ones.
    pub fn between_sanctions(before: &[SanctionPeriod], after: &[SanctionPeriod]) -> Vec<Self> {
        let (mut removed, mut added) = (before.to_vec(), after.to_vec());
        removed.retain(|old| added.iter().position(|new| new == old).map(|at| added.swap_remove(at)).is_none());
        let mut found = Vec::new();
        for (mut periods, is_new) in [(removed, false), (added, true)] {
            periods.sort();
            for (since, until) in periods {
                let kind = if until.is_some() { "TEMPORAL" } else { "DEFINITIVA" };
                let text = Cow::Owned(format!("{kind} desde {since}"));
                let (before, after) = if is_new { (Cow::Borrowed(""), text) } else { (text, Cow::Borrowed("")) };
                found.push(Self { datum: ChangedDatum::Sanction, before, after });
            }
        }
        found
    }
}
