//! The taxpayers of the sandbox: the bundled sample, and one invented company for each outcome.

use std::collections::HashMap;
use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, Ubigeo};

use super::details::Details;
use super::fault::Alteration;
use super::fault_case::FaultCase;
use crate::sample::{GOOD_TAXPAYERS, PADRON, WITHHOLDING};

/// The empty column after the last pipe included.
const COLUMNS_AFTER_NAME: usize = 14;

/// Empty texts are unknown.
#[derive(Clone, Debug)]
pub(super) struct Taxpayer {
    pub(super) ruc: Ruc,
    pub(super) name: String,
    pub(super) status: TaxpayerStatus,
    pub(super) condition: DomicileCondition,
    pub(super) address: Option<Address>,
    pub(super) details: Details,
}

#[derive(Clone, Debug)]
pub(super) struct Address {
    pub(super) road: (String, String),
    /// `NRO. 641`, `INT. 2B` and the like.
    pub(super) parts: Vec<String>,
    pub(super) zone: (String, String),
    pub(super) department: String,
    pub(super) province: String,
    pub(super) district: String,
}

#[derive(Debug)]
pub(super) struct Taxpayers(HashMap<Ruc, Taxpayer>);

impl Taxpayers {
    /// Read once.
    pub(super) fn known() -> &'static Self {
        static KNOWN: LazyLock<Taxpayers> = LazyLock::new(Taxpayers::read);
        &KNOWN
    }

    fn read() -> Self {
        let lists = [(WITHHOLDING, "Agentes de Retención de IGV"), (GOOD_TAXPAYERS, "Buenos Contribuyentes")];
        let padrones = lists.map(|(list, name)| memberships(list, name));
        let text = WINDOWS_1252.decode(PADRON).0;
        let of_sample = text.lines().skip(1).filter_map(|line| Taxpayer::from_line(line, &padrones));
        let of_outcomes = FaultCase::all().map(|(ruc, outcome)| Taxpayer::for_fault_case(ruc, outcome));
        Self(of_sample.chain(of_outcomes).map(|taxpayer| (taxpayer.ruc, taxpayer)).collect())
    }

    /// The taxpayer to answer with: the requested one, perhaps with a wrong name, or another one.
    pub(super) fn find(&self, ruc: Ruc, altered: Option<Alteration>) -> Option<Taxpayer> {
        if altered == Some(Alteration::OtherRuc) {
            return self.0.values().filter(|taxpayer| taxpayer.ruc != ruc).min_by_key(|taxpayer| taxpayer.ruc).cloned();
        }
        let mut taxpayer = self.0.get(&ruc)?.clone();
        if altered == Some(Alteration::Masked) {
            taxpayer.name = "*****".to_owned();
        } else if altered == Some(Alteration::HugeName) {
            taxpayer.name = "A".repeat(1_000_000);
        }
        Some(taxpayer)
    }
}

impl Taxpayer {
    fn from_line(line: &str, padrones: &[HashMap<String, String>; 2]) -> Option<Self> {
        let columns: Vec<&str> = line.split('|').collect();
        // A name may hold pipes, so the columns after it are counted from the end.
        let (named, rest) = columns.split_at_checked(columns.len().checked_sub(COLUMNS_AFTER_NAME)?)?;
        let (number, name) = named.split_first()?;
        let ruc = Ruc::parse(number).ok()?;
        let [status, condition, place, columns @ ..] = rest else { return None };
        let status = TaxpayerStatus::from_text(status);
        let memberships = padrones.iter().filter_map(|list| list.get(*number).cloned()).collect();
        let name = words(&name.join("|"));
        let details = Details::new(ruc, &name, &status, memberships);
        let condition = DomicileCondition::from_text(condition);
        Some(Self { ruc, address: Address::from_columns(place, columns), name, status, condition, details })
    }

    fn for_fault_case(ruc: Ruc, outcome: &FaultCase) -> Self {
        let name = format!("CASO INVENTADO {} S.A.C.", outcome.name.to_uppercase().replace('-', " "));
        let status = TaxpayerStatus::from_text("ACTIVO");
        let details = Details::new(ruc, &name, &status, Vec::new());
        let columns = ["AV.", "LOS INVENTADOS", "URB.", "SANTA INÉS", "100", "-", "-", "-", "-", "-"];
        let condition = DomicileCondition::from_text("HABIDO");
        Self { ruc, address: Address::from_columns("130101", &columns), name, status, condition, details }
    }
}

impl Address {
    fn from_columns(place: &str, columns: &[&str]) -> Option<Self> {
        let place = Ubigeo::parse(place).ok()?;
        let known = |text: &str| words(if matches!(text, "-" | "----") { "" } else { text });
        let [road_kind, road, zone_kind, zone, number, inside, lot, flat, block, kilometre, ..] = columns else {
            return None;
        };
        let labelled =
            [("NRO.", number), ("INT.", inside), ("DPTO.", flat), ("MZA.", block), ("LOTE.", lot), ("KM.", kilometre)];
        let parts = labelled
            .into_iter()
            .map(|(label, text)| (label, known(text)))
            .filter(|(_, text)| !text.is_empty())
            .map(|(label, text)| format!("{label} {text}"))
            .collect();
        Some(Self {
            road: (known(road_kind), known(road)),
            parts,
            zone: (known(zone_kind), known(zone)),
            department: place.department().to_owned(),
            // Only the sample's company in an unknown district lacks names; the page always has them.
            province: place.province().unwrap_or("PROVINCIA NUEVA").to_owned(),
            district: place.district().unwrap_or("DISTRITO NUEVO").to_owned(),
        })
    }

    /// The parts in one line, as most providers write it.
    pub(super) fn line(&self) -> String {
        let (road_kind, road) = &self.road;
        let (zone_kind, zone) = &self.zone;
        words(&format!("{road_kind} {road} {} {zone_kind} {zone}", self.parts.join(" ")))
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The page's sentence about each RUC on a list.
fn memberships(list: &[u8], name: &str) -> HashMap<String, String> {
    let text = WINDOWS_1252.decode(list).0;
    let mut found = HashMap::new();
    for record in text.split('\r').skip(1) {
        let columns: Vec<&str> = record.split('|').collect();
        if let [ruc, _, since, resolution, ..] = columns.as_slice() {
            let resolution = resolution.trim_start_matches("RS ").replace("R.S. ", "R.S.");
            let sentence = format!("Incorporado al Régimen de {name} ({resolution}) a partir del {since}");
            found.entry((*ruc).to_owned()).or_insert(sentence);
        }
    }
    found
}
