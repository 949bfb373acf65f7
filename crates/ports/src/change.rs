//! What changed about a taxpayer, as answers name it: the history of one taxpayer and the feed of all changes tell the
//! same data in the same order and the same words.

use std::borrow::Cow;

use kuraka_domain::TaxpayerSummary;

use crate::SanctionPeriod;

/// What changed, in the order of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedDatum {
    /// Whether the padrón has the taxpayer.
    Existence,
    /// The name.
    Name,
    /// The status.
    Status,
    /// The condition.
    Condition,
    /// The address.
    Address,
    /// The department.
    Department,
    /// The province.
    Province,
    /// The district.
    District,
    /// Whether it is on the list with this name.
    List(&'static str),
    /// Whether it was declared without operating capacity.
    Capacity,
    /// A sanction.
    Sanction,
}

/// One changed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatumChange {
    /// What changed.
    pub datum: ChangedDatum,
    /// Its value before.
    pub before: Cow<'static, str>,
    /// Its value after.
    pub after: Cow<'static, str>,
}

impl ChangedDatum {
    /// Its name in answers: a JSON field, or the name of a list.
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

    /// Every datum, in the order of an answer, with these lists.
    pub fn all(lists: impl IntoIterator<Item = &'static str>) -> Vec<Self> {
        let mut all = vec![Self::Existence, Self::Name, Self::Status, Self::Condition];
        all.extend([Self::Address, Self::Department, Self::Province, Self::District]);
        all.extend(lists.into_iter().map(Self::List));
        all.extend([Self::Capacity, Self::Sanction]);
        all
    }
}

impl DatumChange {
    /// The change of a value that is `SI` or `NO`.
    #[must_use]
    pub const fn yes_no(datum: ChangedDatum, before: bool, after: bool) -> Self {
        const fn text(is: bool) -> Cow<'static, str> {
            Cow::Borrowed(if is { "SI" } else { "NO" })
        }
        Self { datum, before: text(before), after: text(after) }
    }

    /// The differences of two summaries, without the flags of lists.
    pub fn of_summaries<'s>(before: &'s TaxpayerSummary, after: &'s TaxpayerSummary) -> impl Iterator<Item = Self> {
        let texts = |summary: &'s TaxpayerSummary| {
            let TaxpayerSummary { name, status, condition, address, .. } = summary;
            [
                (ChangedDatum::Name, name.as_str()),
                (ChangedDatum::Status, status.as_str()),
                (ChangedDatum::Condition, condition.as_str()),
                (ChangedDatum::Address, address.as_str()),
            ]
        };
        let places = |summary: &TaxpayerSummary| {
            let place = summary.ubigeo;
            [
                (ChangedDatum::Department, summary.department()),
                (ChangedDatum::Province, place.and_then(|place| place.province()).unwrap_or_default()),
                (ChangedDatum::District, place.and_then(|place| place.district()).unwrap_or_default()),
            ]
        };
        let places = (before.ubigeo != after.ubigeo).then(|| places(before).into_iter().zip(places(after)));
        let pairs = texts(before).into_iter().zip(texts(after)).chain(places.into_iter().flatten());
        pairs.filter(|((_, before), (_, after))| before != after).map(|((datum, before), (_, after))| {
            let [before, after] = [before, after].map(|text| Cow::Owned(text.to_owned()));
            Self { datum, before, after }
        })
    }

    /// The differences of a taxpayer's sanctions, which are in no order: first those that ended, then the new ones.
    #[must_use]
    pub fn of_sanctions(before: &[SanctionPeriod], after: &[SanctionPeriod]) -> Vec<Self> {
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
