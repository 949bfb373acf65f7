//! The six fields of one voucher, from its XML (UBL 2) or the text of its QR code. A field that the document does not
//! have, or has with two values, is empty. The XML is read event by event, without a DTD and without entities.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use thiserror::Error;

use crate::columns::ListColumn;
use crate::list::normal;

/// Bytes of the largest XML that is read.
pub const XML_BYTES: usize = 1 << 20;
/// Levels of the deepest XML that is read; a voucher has about 10.
const DEPTH: usize = 64;
/// Bytes of the longest field that is kept.
const FIELD: usize = 40;
/// Bytes in which an XML declares its encoding.
const DECLARATION: usize = 200;

/// The fields of a voucher as texts, in the order of the mass validator's line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VoucherTexts {
    /// RUC, kind, series, number, date (`YYYY-MM-DD`), total.
    pub fields: [String; 6],
    /// Whether the document is in one currency and its total in another, so the total is empty.
    pub has_two_currencies: bool,
}

/// Why an XML has no voucher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VoucherXmlError {
    #[error("the XML has more than {XML_BYTES} bytes")]
    TooLarge,
    #[error("the file is no XML, or it is damaged")]
    NotXml,
    /// It has a DTD or an entity, which no voucher needs.
    #[error("the XML has a DTD or an entity")]
    Unsafe,
    #[error("the XML is the receipt of a voucher")]
    Receipt,
    #[error("the XML is a container of a voucher")]
    Container,
    #[error("the XML is no invoice, credit note or debit note")]
    OtherDocument,
}

/// RUC, kind, series, number, date and total, normalised as the cells of a list are; a text that cannot be read stays.
pub fn voucher_fields([ruc, kind, series, number, date, total]: [&str; 6]) -> [String; 6] {
    use ListColumn::{Date, Kind, Number, Ruc, Series, Total};
    let fields = [(Ruc, ruc), (Kind, kind), (Series, series), (Number, number), (Date, date), (Total, total)];
    fields.map(|(column, text)| {
        let found = normal(column, text.trim());
        if found.is_empty() { text.trim().to_owned() } else { found }
    })
}

/// The text of a QR code: `RUC|kind|series|number|IGV|total|date|…`, with or without the buyer and the digest. `None` =
/// it is none.
pub fn voucher_qr(text: &str) -> Option<VoucherTexts> {
    let parts: Vec<&str> = text.split('|').collect();
    let [issuer, kind, series, number, _, total, issued, rest @ ..] = parts.as_slice() else { return None };
    let fields = voucher_fields([issuer, kind, series, number, issued, total]);
    (rest.len() <= 4).then_some(VoucherTexts { fields, has_two_currencies: false })
}

/// The texts that were found of an element.
#[derive(Default)]
struct Found {
    text: String,
    differs: bool,
}

impl Found {
    fn add(&mut self, text: &str) {
        if self.text.is_empty() {
            text.clone_into(&mut self.text);
        }
        self.differs |= !text.is_empty() && self.text != text;
    }

    /// Empty if it is missing or not certain.
    fn get(&self) -> &str {
        if self.differs || self.text.len() > FIELD { "" } else { &self.text }
    }
}

/// What is read of the XML.
#[derive(Default)]
struct Document {
    root: String,
    id: Found,
    kind: Found,
    issued: Found,
    issuer: Found,
    /// In forms that name the issuer otherwise.
    other_issuer: Found,
    total: Found,
    currency: Found,
    total_currency: Found,
}

impl Document {
    /// The place of an element's text.
    fn at(&mut self, path: &str) -> Option<&mut Found> {
        Some(match path {
            "/ID" => &mut self.id,
            "/InvoiceTypeCode" => &mut self.kind,
            "/IssueDate" => &mut self.issued,
            "/DocumentCurrencyCode" => &mut self.currency,
            "/AccountingSupplierParty/Party/PartyIdentification/ID" => &mut self.issuer,
            "/AccountingSupplierParty/Party/PartyTaxScheme/CompanyID"
            | "/AccountingSupplierParty/CustomerAssignedAccountID" => &mut self.other_issuer,
            "/LegalMonetaryTotal/PayableAmount" | "/RequestedMonetaryTotal/PayableAmount" => &mut self.total,
            _ => return None,
        })
    }

    fn begin(&mut self, path: &str, element: &BytesStart<'_>) -> Result<bool, VoucherXmlError> {
        let attribute = |name| {
            let found = element.try_get_attribute(name).map_err(|_| VoucherXmlError::NotXml)?;
            Ok(found.map_or(Cow::Borrowed(""), |found| found.value))
        };
        if path.ends_with("/PayableAmount") && self.at(path).is_some() {
            self.total_currency.add(attribute("currencyID")?.trim());
        }
        // 6 = RUC, of the catalogue of documents of identity.
        Ok(!path.ends_with("/PartyIdentification/ID") || matches!(attribute("schemeID")?.trim(), "" | "6"))
    }

    fn texts(self) -> Result<VoucherTexts, VoucherXmlError> {
        let kind = match self.root.as_str() {
            "Invoice" => self.kind.get(),
            "CreditNote" => "07",
            "DebitNote" => "08",
            "ApplicationResponse" => return Err(VoucherXmlError::Receipt),
            "AttachedDocument" => return Err(VoucherXmlError::Container),
            "" => return Err(VoucherXmlError::NotXml),
            _ => return Err(VoucherXmlError::OtherDocument),
        };
        let (series, number) = self.id.get().split_once('-').unwrap_or_default();
        let issuer = if self.issuer.text.is_empty() { &self.other_issuer } else { &self.issuer };
        let [document, total] = [&self.currency, &self.total_currency];
        let has_two_currencies = document.differs
            || total.differs
            || !document.text.is_empty() && !total.text.is_empty() && document.text != total.text;
        let total = if has_two_currencies { "" } else { self.total.get() };
        let fields = voucher_fields([issuer.get(), kind, series, number, self.issued.get(), total]);
        Ok(VoucherTexts { fields, has_two_currencies })
    }
}

/// Reads an invoice, a sales receipt, a credit note or a debit note.
///
/// # Errors
/// Why it is none.
pub fn voucher_xml(bytes: &[u8]) -> Result<VoucherTexts, VoucherXmlError> {
    if bytes.len() > XML_BYTES {
        return Err(VoucherXmlError::TooLarge);
    }
    let text = decoded(bytes).ok_or(VoucherXmlError::NotXml)?;
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    let (mut document, mut depth) = (Document::default(), 0);
    // Below the root, without prefixes; and the text of the element at the path.
    let (mut path, mut text, mut is_read) = (String::new(), String::new(), false);
    loop {
        match reader.read_event().map_err(|_| VoucherXmlError::NotXml)? {
            Event::DocType(_) => return Err(VoucherXmlError::Unsafe),
            Event::Start(element) => {
                let name = element.local_name().into_inner();
                if depth == DEPTH || depth == 0 && !document.root.is_empty() {
                    return Err(VoucherXmlError::NotXml);
                }
                depth += 1;
                if depth == 1 {
                    name.clone_into(&mut document.root);
                    continue;
                }
                path.push('/');
                path.push_str(name);
                text.clear();
                is_read = document.begin(&path, &element)?;
            }
            Event::End(_) => {
                depth -= 1;
                if is_read && let Some(found) = document.at(&path) {
                    found.add(text.trim());
                }
                path.truncate(path.rfind('/').unwrap_or_default());
                is_read = false;
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::CData(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().map_err(|_| VoucherXmlError::NotXml)? {
                Some(character) => text.push(character),
                None => text.push_str(resolve_predefined_entity(&reference).ok_or(VoucherXmlError::Unsafe)?),
            },
            Event::Eof if depth == 0 => return document.texts(),
            Event::Eof => return Err(VoucherXmlError::NotXml),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            // It does not occur with expanded elements.
            Event::Empty(_) => {}
        }
    }
}

/// The text in its declared encoding; `None` = the encoding is unknown.
fn decoded(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let head = String::from_utf8_lossy(bytes.get(..DECLARATION).unwrap_or(bytes));
    let declaration = head.strip_prefix("<?xml").and_then(|head| Some(head.split_once("?>")?.0));
    let declared = declaration.and_then(|text| Some(text.split_once("encoding")?.1));
    let label = declared.and_then(|text| text.split(['"', '\'']).nth(1));
    let encoding = label.map_or(Some(UTF_8), |label| Encoding::for_label(label.as_bytes()))?;
    // Wrong bytes, which names have, do not matter: every field is ASCII.
    Some(encoding.decode(bytes).0)
}
