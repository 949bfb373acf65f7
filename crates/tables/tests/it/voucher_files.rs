//! One voucher's XML and QR code: what is read of them, and why others are refused.

use kuraka_tables::{VoucherXmlError, XML_BYTES, voucher_qr, voucher_xml};

const NAMES: &str = "xmlns:cac=\"urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2\" \
                     xmlns:cbc=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\"";
const ISSUER: &str = "<cac:AccountingSupplierParty><cac:Party><cac:PartyIdentification>\
                      <cbc:ID schemeID=\"6\">20100119227</cbc:ID></cac:PartyIdentification></cac:Party>\
                      </cac:AccountingSupplierParty>";
const BUYER: &str = "<cac:AccountingCustomerParty><cac:Party><cac:PartyIdentification>\
                     <cbc:ID schemeID=\"6\">20999990038</cbc:ID></cac:PartyIdentification></cac:Party>\
                     </cac:AccountingCustomerParty>";
const TOTAL: &str = "<cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID=\"PEN\">100.00\
                     </cbc:LineExtensionAmount><cbc:PayableAmount currencyID=\"PEN\">118.00</cbc:PayableAmount>\
                     </cac:LegalMonetaryTotal>";
const INVOICE: [&str; 6] = ["20100119227", "01", "F001", "123", "2026-11-01", "118.00"];

/// An invoice with these elements between its head and its parties.
fn invoice(head: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Invoice {NAMES}>{head}<cbc:ID>F001-123</cbc:ID>\
         <cbc:IssueDate>2026-11-01</cbc:IssueDate><cbc:InvoiceTypeCode listID=\"0101\">01</cbc:InvoiceTypeCode>\
         <cbc:DocumentCurrencyCode>PEN</cbc:DocumentCurrencyCode>{ISSUER}{BUYER}{TOTAL}</Invoice>"
    )
}

#[track_caller]
fn assert_read(xml: impl AsRef<[u8]>, fields: [&str; 6]) {
    assert_eq!(voucher_xml(xml.as_ref()).unwrap().fields, fields);
}

#[test]
fn an_xml_has_the_six_fields_however_it_is_written() {
    let plain = invoice("");
    let prefixed = plain.replace("cbc:", "b:").replace("cac:", "a:").replace("Invoice ", "u:Invoice ");
    let without_prefixes =
        plain.replace("cbc:", "").replace("cac:", "").replace(":cac=", "=").replace("xmlns:cbc", "x");
    let issuer = ISSUER.replace("<cac:PartyIdentification>", "<cac:PartyTaxScheme>");
    let issuer = issuer.replace("</cac:PartyIdentification>", "</cac:PartyTaxScheme>");
    let old = "<cac:AccountingSupplierParty><cbc:CustomerAssignedAccountID>20100119227</cbc:CustomerAssignedAccountID>\
               <cbc:AdditionalAccountID>6</cbc:AdditionalAccountID></cac:AccountingSupplierParty>";
    let of_others = "<ext:UBLExtensions><cbc:ID>F009-9</cbc:ID></ext:UBLExtensions><cac:OrderReference><cbc:ID>F008-8\
                     </cbc:ID></cac:OrderReference>";
    let two_ids =
        ISSUER.replace("<cbc:ID schemeID=\"6\">", "<cbc:ID schemeID=\"1\">12345678</cbc:ID><cbc:ID schemeID=\"6\">");
    for (what, xml) in [
        ("plain", plain.clone()),
        ("other prefixes", prefixed.replace("</Invoice", "</u:Invoice")),
        ("a default namespace", without_prefixes),
        ("CDATA", plain.replace("F001-123", "<![CDATA[F001-123]]>").replace("118.00", "<![CDATA[118.00]]>")),
        ("whitespace", plain.replace("F001-123", "\n  F001-123\t").replace("2026-11-01", " 2026-11-01 ")),
        ("comments, instructions", plain.replace("F001-123", "F001<!-- 9 -->-<?x 9?>123")),
        ("references of characters", plain.replace("F001-123", "F001&#45;1&#x32;3")),
        ("a predefined entity", plain.replace("<cbc:ID>F001", "<cbc:Note>A &amp; B</cbc:Note><cbc:ID>F001")),
        ("the same again", plain.replace(TOTAL, &TOTAL.repeat(2))),
        (
            "the same again, with blanks",
            plain.replace(TOTAL, &(TOTAL.to_owned() + &TOTAL.replace("118.00", " 118.00\n"))),
        ),
        ("IDs of other documents", invoice(of_others)),
        ("a DNI beside the RUC", plain.replace(ISSUER, &two_ids)),
        ("the issuer by its tax scheme", plain.replace(ISSUER, &issuer.replace("cbc:ID", "cbc:CompanyID"))),
        ("the issuer of UBL 2.0", plain.replace(ISSUER, old)),
        ("no declaration", plain.replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "")),
        ("a mark of the order of bytes", format!("\u{feff}{plain}")),
    ] {
        assert_eq!(
            voucher_xml(xml.as_bytes()).map(|found| found.fields).as_ref(),
            Ok(&INVOICE.map(str::to_owned)),
            "{what}"
        );
    }
    let utf_16: Vec<u8> = "\u{feff}".encode_utf16().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_read(utf_16, INVOICE);
}

#[test]
fn an_xml_may_declare_a_latin_encoding() {
    for label in ["ISO-8859-1", "iso-8859-1", "windows-1252"] {
        let xml = invoice("<cbc:Note>@</cbc:Note>").replace("UTF-8", label);
        let bytes: Vec<u8> = xml.bytes().map(|byte| if byte == b'@' { 0xd1 } else { byte }).collect();
        assert_read(bytes, INVOICE);
    }
    let wrong: Vec<u8> =
        invoice("<cbc:Note>@</cbc:Note>").bytes().map(|byte| if byte == b'@' { 0xd1 } else { byte }).collect();
    assert_read(wrong, INVOICE);
    assert_eq!(voucher_xml(invoice("").replace("UTF-8", "klingon").as_bytes()), Err(VoucherXmlError::NotXml));
}

#[test]
fn a_note_is_itself_and_not_the_invoice_that_it_refers_to() {
    let reference = "<cac:DiscrepancyResponse><cbc:ReferenceID>F001-7</cbc:ReferenceID></cac:DiscrepancyResponse>\
                     <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>F001-7</cbc:ID>\
                     <cbc:IssueDate>2026-01-01</cbc:IssueDate><cbc:DocumentTypeCode>01</cbc:DocumentTypeCode>\
                     </cac:InvoiceDocumentReference></cac:BillingReference>";
    let of = |root: &str| {
        invoice(reference).replace("Invoice ", &format!("{root} ")).replace("</Invoice>", &format!("</{root}>"))
    };
    assert_read(of("CreditNote"), ["20100119227", "07", "F001", "123", "2026-11-01", "118.00"]);
    let debit = of("DebitNote").replace("LegalMonetaryTotal", "RequestedMonetaryTotal");
    assert_read(debit, ["20100119227", "08", "F001", "123", "2026-11-01", "118.00"]);
}

#[test]
fn what_is_not_certain_is_left_empty() {
    let two = invoice("").replacen("currencyID=\"PEN\">118", "currencyID=\"USD\">118", 1);
    let found = voucher_xml(two.as_bytes()).unwrap();
    assert_eq!((found.fields[5].as_str(), found.has_two_currencies), ("", true));
    let other = TOTAL.replace("PEN", "USD").replace("118.00", "31.00");
    let found = voucher_xml(invoice("").replace(TOTAL, &format!("{TOTAL}{other}")).as_bytes()).unwrap();
    assert_eq!((found.fields[5].as_str(), found.has_two_currencies), ("", true));
    let dollars = voucher_xml(invoice("").replace("PEN", "USD").as_bytes()).unwrap();
    assert_eq!((dollars.fields[5].as_str(), dollars.has_two_currencies), ("118.00", false));

    let [_, kind, series, number, issued, total] = INVOICE;
    let twice = ISSUER.replace("20100119227", "20999990038");
    assert_read(invoice("").replace(ISSUER, &format!("{ISSUER}{twice}")), ["", kind, series, number, issued, total]);
    assert_read(invoice("").replace(ISSUER, ""), ["", kind, series, number, issued, total]);
    let long = invoice("").replace("F001-123", &format!("F001-{}", "1".repeat(40)));
    assert_eq!(voucher_xml(long.as_bytes()).unwrap().fields[2..4], ["", ""]);
}

#[test]
fn other_files_are_refused_with_the_reason() {
    let root =
        |name: &str| invoice("").replace("Invoice ", &format!("{name} ")).replace("</Invoice>", &format!("</{name}>"));
    let dtd = |dtd: &str, text: &str| invoice(text).replace("?><", &format!("?><!DOCTYPE Invoice {dtd}><"));
    let laughs = "[<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]";
    let padded = |bytes: usize| {
        let xml = invoice("<!---->");
        xml.replace("<!---->", &format!("<!--{}-->", "x".repeat(bytes - xml.len())))
    };
    let cut = invoice("").replace("</Invoice>", "");
    for (what, xml, why) in [
        ("a DTD", dtd("SYSTEM \"http://127.0.0.1/x.dtd\"", ""), VoucherXmlError::Unsafe),
        (
            "an external entity",
            dtd("[<!ENTITY x SYSTEM \"file:///etc/passwd\">]", "<a>&x;</a>"),
            VoucherXmlError::Unsafe,
        ),
        ("a billion laughs", dtd(laughs, "<a>&c;</a>"), VoucherXmlError::Unsafe),
        ("an entity without a DTD", invoice("<a>&x;</a>"), VoucherXmlError::Unsafe),
        ("one byte too many", padded(XML_BYTES + 1), VoucherXmlError::TooLarge),
        ("nothing", String::new(), VoucherXmlError::NotXml),
        ("text", "hola".to_owned(), VoucherXmlError::NotXml),
        ("a PDF", "%PDF-1.4 <x>".to_owned(), VoucherXmlError::NotXml),
        ("a ZIP", "PK\u{3}\u{4}".to_owned(), VoucherXmlError::NotXml),
        ("an end that is missing", cut, VoucherXmlError::NotXml),
        ("another end", invoice("<a></b>"), VoucherXmlError::NotXml),
        ("two documents", invoice("").repeat(2), VoucherXmlError::NotXml),
        ("too many levels", invoice(&format!("{}{}", "<a>".repeat(64), "</a>".repeat(64))), VoucherXmlError::NotXml),
        ("a receipt", root("ApplicationResponse"), VoucherXmlError::Receipt),
        ("a container", root("AttachedDocument"), VoucherXmlError::Container),
        ("a guide", root("DespatchAdvice"), VoucherXmlError::OtherDocument),
        ("a page", "<html><body/></html>".to_owned(), VoucherXmlError::OtherDocument),
    ] {
        assert_eq!(voucher_xml(xml.as_bytes()), Err(why), "{what}");
    }
    assert_read(padded(XML_BYTES), INVOICE);
}

#[test]
fn the_text_of_a_qr_code_has_the_six_fields() {
    for text in [
        "20100119227|01|F001|123|18.00|118.00|2026-11-01|6|20999990038|kR2Qe8cJ1x7bY0m9tq3w5vGz4oA=",
        "20100119227|01|F001|123|18.00|118.00|2026-11-01|6|20999990038|kR2Qe8cJ1x7bY0m9tq3w5vGz4oA=|",
        "20100119227|01|F001|123|18.00|118.00|2026-11-01|6|20999990038|",
        "20100119227|01|F001|123|18.00|118.00|2026-11-01|6|20999990038",
        "20100119227|01|F001|123|18.00|118.00|2026-11-01",
        " 20100119227 | 01 | F001 | 123 | 18.00 | 118.00 | 01/11/2026 | 6 | 20999990038 | x \n",
        "20100119227|FACTURA|f001|123|18,00|S/ 118.00|1/11/2026|6|20999990038|",
        "20100119227|1|F001|123|0|118.00|01-11-2026|-|-|",
    ] {
        assert_eq!(voucher_qr(text).unwrap().fields, INVOICE, "{text}");
    }
    let odd = voucher_qr("x|99|F001|n|18.00||ayer|6|20999990038").unwrap().fields;
    assert_eq!(odd, ["x", "99", "F001", "n", "ayer", ""]);
    for none in
        ["", "20100119227", "20100119227|01|F001|123|2026-11-01|118.00", &"1|".repeat(12), "https://example.pe/?a=1"]
    {
        assert_eq!(voucher_qr(none), None, "{none}");
    }
}
