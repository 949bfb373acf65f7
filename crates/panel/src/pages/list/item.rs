//! The items of a list: how they are read from its rows, and why a row is not looked up.

use std::borrow::Cow;
use std::cell::Cell;

use kuraka_api::cpe_multiple::FIELDS;
use kuraka_api::table_row::{TaxpayerColumns, VOUCHER_COLUMNS};
use kuraka_api::{Operation, VoucherForm, cpe_multiple, read_voucher, ruc_multiple};
use kuraka_app::{ListItem, Plan};
use kuraka_domain::{Date, RucError, Voucher, VoucherNumber};
use kuraka_tables::{ListColumn, ListRow, RucCellError, currency};

use crate::pages::upload::ruc_cell_error;
use crate::spanish;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rucs,
    /// RUCs, each on the day of its row.
    Days,
    Vouchers,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Taxpayer(ListItem),
    Voucher(Voucher),
}

/// The text of an item, and what it is about.
pub(super) type Item = (String, Subject);

impl Subject {
    pub(super) fn taxpayer(&self) -> Option<ListItem> {
        if let Self::Taxpayer(item) = self { Some(*item) } else { None }
    }

    pub(super) fn voucher(&self) -> Option<Voucher> {
        if let Self::Voucher(voucher) = self { Some(*voucher) } else { None }
    }
}

/// The columns of a list that have a voucher's fields, in the order of [`FIELDS`].
const VOUCHER: [ListColumn; FIELDS.len()] =
    [ListColumn::Ruc, ListColumn::Kind, ListColumn::Series, ListColumn::Number, ListColumn::Date, ListColumn::Total];

impl Kind {
    /// The kind with this name in forms.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Rucs, Self::Days, Self::Vouchers].into_iter().find(|kind| kind.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Rucs => "rucs",
            Self::Days => "fechas",
            Self::Vouchers => "comprobantes",
        }
    }

    /// What `count` items are called.
    pub(super) fn items(self, count: u64) -> String {
        match self {
            Self::Rucs => format!("{} RUC", spanish::number(count)),
            Self::Days => format!("{} RUC con su fecha", spanish::number(count)),
            Self::Vouchers => format!("{} comprobante{}", spanish::number(count), if count == 1 { "" } else { "s" }),
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Rucs => "Los proveedores, como están hoy",
            Self::Days => "Los proveedores, en la fecha de cada fila",
            Self::Vouchers => "Los comprobantes, en la SUNAT",
        }
    }

    pub(super) const fn lead(self) -> &'static str {
        match self {
            Self::Rucs => "Estado, condición y padrones de cada RUC.",
            Self::Days => "Si estaban habidos y activos el día del comprobante: de eso depende el crédito fiscal.",
            Self::Vouchers => "Si la SUNAT conoce cada comprobante, con el estado de su emisor ese día.",
        }
    }

    /// The operation that a batch is counted as.
    pub(super) const fn operation(self) -> &'static Operation {
        match self {
            Self::Rucs | Self::Days => &ruc_multiple::OPERATION,
            Self::Vouchers => &cpe_multiple::OPERATION,
        }
    }

    /// The most items of a batch.
    pub(super) const fn batch(self, plan: &Plan) -> usize {
        match self {
            Self::Rucs | Self::Days => plan.batch,
            Self::Vouchers => plan.batch_vouchers,
        }
    }

    pub(super) fn columns(self) -> Vec<&'static str> {
        let result = ["resultado", "observacion"].into_iter();
        match self {
            Self::Rucs | Self::Days => result.chain(self.taxpayer_columns().names()).collect(),
            Self::Vouchers => result.chain(VOUCHER_COLUMNS).collect(),
        }
    }

    /// The columns of the file that are about a taxpayer.
    pub(super) const fn taxpayer_columns(self) -> TaxpayerColumns {
        let days = matches!(self, Self::Days);
        TaxpayerColumns { ficha: !days, days }
    }

    pub(super) const fn heads(self) -> [&'static str; 4] {
        match self {
            Self::Rucs => ["Contribuyente", "Situación", "Padrones", "Sanciones"],
            Self::Days => ["Contribuyente", "Situación en la fecha", "Padrones", "Capacidad operativa"],
            Self::Vouchers => ["Comprobante", "Resultado", "Emisor", "Observaciones"],
        }
    }
}

/// A row's item; or why it is not looked up.
pub(super) fn of_row(kind: Kind, row: &ListRow, today: Date) -> Result<Item, String> {
    let wrong = |reason: &str| Err(reason.to_owned());
    let ruc = match row.ruc {
        Ok(ruc) => ruc,
        Err(_) if row.dni().is_some() => return wrong("Es un DNI, no un RUC: no se consultó."),
        Err(RucCellError::Invalid(RucError::Length { .. } | RucError::NotADigit { .. })) => {
            return wrong("No es un RUC, que tiene 11 dígitos: es de otro tipo de documento, o está incompleto.");
        }
        Err(error) => return Err(ruc_cell_error(&error)),
    };
    match kind {
        Kind::Rucs => Ok((ruc.to_string(), Subject::Taxpayer((ruc, None)))),
        Kind::Days => match Date::parse(row.cell(ListColumn::Date)) {
            Ok(date) => Ok((format!("{ruc}|{date}"), Subject::Taxpayer((ruc, Some(Ok(date)))))),
            Err(_) => wrong("No tiene fecha, o no es un día del calendario."),
        },
        Kind::Vouchers if row.currency != "PEN" || currency(row.cell(ListColumn::Currency)) != "PEN" => Err(format!(
            "Está en {}, y un registro de compras tiene el total en soles: valídelo aparte, con su total.",
            Some(row.cell(ListColumn::Currency)).filter(|cell| !cell.is_empty()).unwrap_or(&row.currency)
        )),
        // The seller of this kind may have a DNI only, and the buyer issues it.
        Kind::Vouchers if row.cell(ListColumn::Kind).trim_start_matches('0') == "4" && is_dni(row) => {
            wrong("Una liquidación de compra la emite quien compra: valídela aparte, con su propio RUC.")
        }
        Kind::Vouchers if row.cell(ListColumn::Kind).trim_start_matches('0') == "2" => {
            wrong("Los recibos por honorarios (02) no se validan así: si es electrónico, valídelo aparte, como R1.")
        }
        Kind::Vouchers => {
            let ruc = ruc.to_string();
            let texts = VOUCHER.map(|column| if column == ListColumn::Ruc { &*ruc } else { row.cell(column) });
            let voucher = read(&texts, today).map_err(|(_, reason)| reason)?;
            // A voucher is one item however its rows write it: `00123` is the number `123`.
            let number = VoucherNumber::parse(&voucher.number.get().to_string()).unwrap_or(voucher.number);
            let voucher = Voucher { number, ..voucher };
            let Voucher { issuer, kind, series, issued, total, .. } = &voucher;
            Ok((format!("{issuer}|{kind}|{series}|{number}|{issued}|{total}"), Subject::Voucher(voucher)))
        }
    }
}

/// What people call the fields of a voucher, in the order of [`FIELDS`].
pub(crate) const LABELS: [&str; FIELDS.len()] =
    ["RUC del emisor", "Tipo de comprobante", "Serie", "Número", "Fecha de emisión", "Total"];

/// Whether the cell of the RUC has fewer digits than one.
fn is_dni(row: &ListRow) -> bool {
    row.cell(ListColumn::Ruc).chars().filter(char::is_ascii_digit).count() < 11
}

/// The voucher with these fields, in the order of [`FIELDS`]; or the name of the first wrong one, and what is wrong.
pub(crate) fn read(texts: &[&str], today: Date) -> Result<Voucher, (&'static str, String)> {
    let wrong = Cell::new((FIELDS[0], LABELS[0]));
    let text = |name: &'static str| {
        let named = FIELDS.into_iter().zip(LABELS).enumerate().find(|(_, (field, _))| *field == name);
        let (at, field) = named.unwrap_or((FIELDS.len(), wrong.get()));
        wrong.set(field);
        Ok(Cow::Borrowed(texts.get(at).copied().unwrap_or_default()))
    };
    read_voucher(text, VoucherForm::Line, today).map_err(|error| {
        let (name, label) = wrong.get();
        // The API names its field before the colon.
        (name, format!("{label}: {}", error.split_once(": ").map_or(&*error, |(_, reason)| reason)))
    })
}
