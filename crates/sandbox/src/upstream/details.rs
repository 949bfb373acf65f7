//! The page's fields that the padrón lacks: invented for invented taxpayers, always the same for a RUC. Real companies
//! have only the type, which follows from the prefix.

use kuraka_domain::{Date, Ruc, RucKind, TaxpayerStatus};

/// Empty texts and lists mean unknown or absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Details {
    pub(super) kind: String,
    /// Natural persons only: kind and number of the document, and the two parts of the name.
    pub(super) document: Option<(String, String)>,
    pub(super) trade_name: String,
    pub(super) registered: Option<Date>,
    pub(super) started: Option<Date>,
    pub(super) deregistered: Option<Date>,
    pub(super) issuing: String,
    pub(super) foreign_trade: String,
    pub(super) accounting: String,
    pub(super) activities: Vec<(&'static str, &'static str)>,
    pub(super) vouchers: Vec<&'static str>,
    pub(super) systems: Vec<String>,
    pub(super) electronic_since: Option<Date>,
    pub(super) electronic: Vec<String>,
    pub(super) books_since: Option<Date>,
    pub(super) padrones: Vec<String>,
}

/// The page always has a type; this one follows from prefix 20.
const LEGAL_PERSON: &str = "PERSONA JURIDICA";
const COMPANY_KINDS: [&str; 4] =
    ["SOCIEDAD ANONIMA CERRADA", "SOCIEDAD ANONIMA", "SOC.COM.RESPONS. LTDA", "EMPRESA INDIVIDUAL DE RESP. LTDA"];
const FOREIGN_TRADE: [&str; 4] = ["SIN ACTIVIDAD", "IMPORTADOR", "EXPORTADOR", "IMPORTADOR/EXPORTADOR"];
const ISSUING: [&str; 3] = ["MANUAL", "COMPUTARIZADO", "MANUAL/COMPUTARIZADO"];
const ACTIVITIES: [(&str, &str); 6] = [
    ("4711", "VENTA AL POR MENOR EN COMERCIOS NO ESPECIALIZADOS CON PREDOMINIO DE LA VENTA DE ALIMENTOS"),
    ("1312", "TEJEDURA DE PRODUCTOS TEXTILES"),
    ("6920", "ACTIVIDADES DE CONTABILIDAD, TENEDURÍA DE LIBROS Y AUDITORÍA; CONSULTORÍA FISCAL"),
    ("93098", "OTRAS ACTIVID.DE TIPO SERVICIO NCP"),
    ("8411", "ACTIVIDADES DE LA ADMINISTRACIÓN PÚBLICA EN GENERAL"),
    ("5610", "ACTIVIDADES DE RESTAURANTES Y DE SERVICIO MÓVIL DE COMIDAS"),
];
const VOUCHERS: [&str; 4] = ["FACTURA", "BOLETA DE VENTA", "NOTA DE CREDITO", "GUIA DE REMISION - REMITENTE"];

impl Details {
    pub(super) fn new(ruc: Ruc, name: &str, status: &TaxpayerStatus, padrones: Vec<String>) -> Self {
        if !is_invented(ruc) {
            return Self { kind: LEGAL_PERSON.to_owned(), padrones, ..Self::default() };
        }
        let seed = (ruc.get() / 10) as usize;
        let registered = day(1_995 + seed % 25, seed);
        let common = Self {
            registered,
            started: registered,
            deregistered: status.as_str().starts_with("BAJA").then(|| day(2_021 + seed % 4, seed / 7)).flatten(),
            issuing: pick(&ISSUING, seed),
            accounting: pick(&ISSUING, seed / 3),
            foreign_trade: FOREIGN_TRADE[0].to_owned(),
            activities: some(&ACTIVITIES, seed, 1),
            padrones,
            ..Self::default()
        };
        match ruc.kind() {
            RucKind::LegalPerson => common.for_company(name, seed),
            RucKind::NaturalPerson => {
                Self { kind: "PERSONA NATURAL CON NEGOCIO".to_owned(), document: document(ruc, name), ..common }
            }
            RucKind::Estate => Self { kind: "SUCESION INDIVISA SIN NEGOCIO".to_owned(), ..common },
            RucKind::Special | RucKind::Foreigner => Self { kind: "PERSONA NATURAL SIN NEGOCIO".to_owned(), ..common },
        }
    }

    /// The principal activity first.
    pub(super) fn activity_lines(&self) -> Vec<String> {
        let ranks = ["Principal   ", "Secundaria 1", "Secundaria 2"];
        let ranked = ranks.into_iter().zip(&self.activities);
        ranked.map(|(rank, (code, text))| format!("{rank} - {code} - {text}")).collect()
    }

    fn for_company(self, name: &str, seed: usize) -> Self {
        let since = day(2_015 + seed % 8, seed / 5);
        let dmy = since.map(|date| date.dmy().to_string()).unwrap_or_default();
        let system = match seed % 3 {
            0 => format!("{:<36}. AUTORIZ DESDE {dmy}", "SEE-FACTURADOR"),
            1 => format!("{:<36}DESDE {dmy}", "FACTURA PORTAL"),
            _ => format!("DESDE LOS SISTEMAS DEL CONTRIBUYENTE. AUTORIZ DESDE {dmy}"),
        };
        Self {
            kind: pick(&COMPANY_KINDS, seed),
            trade_name: if seed.is_multiple_of(2) {
                name.split(' ').take(2).collect::<Vec<_>>().join(" ")
            } else {
                String::new()
            },
            foreign_trade: pick(&FOREIGN_TRADE, seed),
            activities: some(&ACTIVITIES, seed, 1 + seed % 3),
            vouchers: some(&VOUCHERS, seed, seed % 4),
            systems: vec![system],
            electronic_since: since,
            electronic: vec![format!("FACTURA (desde {dmy})"), format!("BOLETA (desde {dmy})")],
            books_since: if seed.is_multiple_of(3) { None } else { since },
            ..self
        }
    }
}

/// Only details of invented taxpayers may be made up.
pub(super) fn is_invented(ruc: Ruc) -> bool {
    ruc.is_personal() || ruc.to_string().starts_with("20999")
}

/// The DNI in the RUC, and the name as the page splits it.
fn document(ruc: Ruc, name: &str) -> Option<(String, String)> {
    let words: Vec<&str> = name.split(' ').collect();
    let (surnames, given) = words.split_at_checked(2)?;
    Some((format!("DNI  {}", ruc.dni()?), format!("{} , {}", surnames.join(" "), given.join(" "))))
}

fn day(year: usize, seed: usize) -> Option<Date> {
    Date::new(year as u16, (seed % 12 + 1) as u8, (seed % 28 + 1) as u8).ok()
}

fn pick(texts: &[&str], seed: usize) -> String {
    texts.iter().cycle().nth(seed % texts.len()).copied().unwrap_or_default().to_owned()
}

/// `count` elements from a position that the seed determines.
fn some<T: Copy>(all: &[T], seed: usize, count: usize) -> Vec<T> {
    all.iter().cycle().skip(seed % all.len()).take(count).copied().collect()
}
