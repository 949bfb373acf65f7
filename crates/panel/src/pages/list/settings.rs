//! How a list is read and looked up: the fields of its forms, as they are kept with it.

use std::collections::BTreeMap;

use kuraka_tables::{Choice, ListColumn, Reading};
use serde::{Deserialize, Serialize};

use super::item::Kind;
use crate::request::Fields;

/// The field of each column's choice, and its label.
pub(super) const COLUMNS: [(ListColumn, &str, &str); 9] = [
    (ListColumn::Ruc, "columna_ruc", "RUC del proveedor"),
    (ListColumn::Date, "columna_fecha", "Fecha de emisión"),
    (ListColumn::Kind, "columna_tipo", "Tipo de comprobante"),
    (ListColumn::Series, "columna_serie", "Serie"),
    (ListColumn::Number, "columna_numero", "Número"),
    (ListColumn::Total, "columna_total", "Importe total"),
    (ListColumn::Igv, "columna_igv", "IGV"),
    (ListColumn::Currency, "columna_moneda", "Moneda"),
    (ListColumn::Code, "columna_codigo", "Código del proveedor"),
];
pub(super) const SHEET: &str = "hoja";
pub(super) const HEADING: &str = "fila";
/// 1 = a DNI is read as the RUC of its person.
pub(super) const DNI: &str = "dni";

/// What is said of a day that the record does not cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Uncovered {
    /// Nothing, free of charge.
    #[default]
    Omit,
    /// What was published for its month.
    Month,
    /// The same, and today's state.
    MonthAndToday,
}

impl Uncovered {
    pub(super) const ALL: [Self; 3] = [Self::Omit, Self::Month, Self::MonthAndToday];

    /// The choice with this name in forms.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Omit => "Dejarlas sin dato, gratis",
            Self::Month => "El estado publicado en el mes, que no dice el día",
            Self::MonthAndToday => "El del mes, y el de hoy al lado",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Omit => "omitir",
            Self::Month => "mes",
            Self::MonthAndToday => "mes_y_hoy",
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Settings(BTreeMap<String, String>);

impl Settings {
    pub(super) fn parse(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.0.get(name).and_then(|text| text.parse().ok())
    }

    pub(super) fn choice(&self) -> Choice {
        let chosen = |(column, name, _)| Some((column, self.number(name)?.checked_sub(1)));
        Choice {
            sheet: self.0.get(SHEET).cloned(),
            heading: self.number(HEADING).map(|line| line as u64),
            has_dnis: self.number(DNI) == Some(1),
            columns: COLUMNS.into_iter().filter_map(chosen).collect(),
        }
    }

    /// Takes the choices of a form that differ from what is read so far. Another sheet has other columns.
    pub(super) fn choose(&mut self, fields: &Fields, reading: &Reading) {
        let posted = |name: &str| fields.texts().find(|(found, _)| *found == name).map(|(_, value)| value);
        if let Some(other) = posted(SHEET).filter(|name| *name != reading.sheet) {
            self.0.retain(|name, _| name != HEADING && name != DNI && !name.starts_with("columna_"));
            self.0.insert(SHEET.to_owned(), other.to_owned());
            return;
        }
        let mut set = |name: &str, known: Option<String>| {
            let value = posted(name).filter(|value| value.parse::<u32>().is_ok() && Some(*value) != known.as_deref());
            self.0.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        };
        set(HEADING, Some(reading.heading.to_string()));
        set(DNI, None);
        for (column, name, _) in COLUMNS {
            set(name, selected(reading, column));
        }
    }

    /// What is looked up, if that is decided.
    pub(super) fn kind(&self) -> Option<Kind> {
        self.0.get("modo").and_then(|name| Kind::named(name))
    }

    pub(super) fn uncovered(&self) -> Uncovered {
        self.0.get("sin_dato").and_then(|name| Uncovered::named(name)).unwrap_or_default()
    }

    pub(super) fn looked_up(mut self, kind: Kind, uncovered: Uncovered) -> Self {
        self.0.insert("modo".to_owned(), kind.name().to_owned());
        self.0.insert("sin_dato".to_owned(), uncovered.name().to_owned());
        self
    }
}

/// The value of a column's select: its number from 1, 0 = there is none; `None` = the owner must choose.
pub(super) fn selected(reading: &Reading, column: ListColumn) -> Option<String> {
    match (reading.column(column), reading.question(column)) {
        (Some(at), _) => Some((at + 1).to_string()),
        (None, None) if column != ListColumn::Ruc => Some("0".to_owned()),
        (None, _) => None,
    }
}
