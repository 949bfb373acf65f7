//! The open data's PadronRUC: natural persons first, then companies, in the order of their RUCs.

use kuraka_domain::{Ruc, RucKind, Ubigeo};

use super::activity;
use crate::padron::Padron;
use crate::padron::random::{Part, Random};

/// The header.
pub const OPEN_DATA_COLUMNS: [&str; 16] = [
    "RUC",
    "Estado",
    "Condicion",
    "Tipo",
    "Actividad_Economica_CIIU_revision3_Principal",
    "Actividad_Economica_CIIU_revision3_Secundaria",
    "Actividad_Economica_CIIU_revision4_Principal",
    "NroTrab",
    "TipoFacturacion",
    "TipoContabilidad",
    "ComercioExterior",
    "UBIGEO",
    "Departamento",
    "Provincia",
    "Distrito",
    "PERIODO_PUBLICACION",
];

/// Of a hundred rows, natural persons'.
const PERSONS: u32 = 93;

/// One company in this many is left out from one redraw of its status to the next.
const GONE: u32 = 30;

/// Makes other random numbers than the row's own.
const EPOCHS: u64 = 0x9e37_79b9_7f4a_7c15;

/// One row in this many is there twice.
const REPEATED: u32 = 2_000;

const NOT_AVAILABLE: &str = "NO DISPONIBLE";

/// Per thousand companies; the wordings of 2023 and of 2026, one of them in no table.
const KINDS: &[(u32, &str)] = &[
    (480, "SOCIEDAD ANONIMA CERRADA"),
    (190, "EMPRESA INDIVIDUAL DE RESP. LTDA"),
    (90, "EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA"),
    (90, "SOC.COM.RESPONS. LTDA"),
    (60, "SOCIEDAD ANONIMA"),
    (40, "ASOCIACION"),
    (20, "INSTITUCIONES PUBLICAS"),
    (10, "GOBIERNO REGIONAL LOCAL"),
    (10, "COMUNIDAD CAMPESINA NATIVA"),
    (5, "UNIVERSIDADES CENTROS EDUCATIVOS Y CULTURALES"),
    (5, "NUCLEOS EJECUTORES"),
];

const PERSON_KINDS: &[(u32, &str)] = &[(70, "PERSONA NATURAL SIN NEGOCIO"), (30, "PERSONA NATURAL CON NEGOCIO")];

const SYSTEMS: &[(u32, &str)] = &[(50, "MANUAL"), (30, "COMPUTARIZADO"), (20, "MANUAL/COMPUTARIZADO")];

const TRADES: &[(u32, &str)] =
    &[(90, "SIN ACTIVIDAD"), (6, "IMPORTADOR"), (2, "EXPORTADOR"), (2, "IMPORTADOR/EXPORTADOR")];

const STATUSES: &[(u32, &str)] =
    &[(940, "ACTIVO"), (40, "SUSPENSION TEMPORAL"), (15, "BAJA PROVISIONAL POR OFICIO"), (5, "BAJA PROVISIONAL")];

const CONDITIONS: &[(u32, &str)] = &[(950, "HABIDO"), (30, "NO HABIDO"), (15, "NO HALLADO"), (5, "PENDIENTE")];

/// A row. A missing text is `NO DISPONIBLE` in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenDataRow {
    /// The taxpayer.
    pub ruc: Ruc,
    /// The status in full.
    pub status: &'static str,
    /// The condition.
    pub condition: &'static str,
    /// The type of taxpayer, as worded in the file.
    pub kind: &'static str,
    /// The principal activity of revision 3.
    pub principal_3: Option<&'static str>,
    /// The secondary activity of revision 3.
    pub secondary_3: Option<&'static str>,
    /// The principal activity of revision 4.
    pub principal_4: Option<&'static str>,
    /// The number of workers.
    pub workers: Option<u32>,
    /// How vouchers are issued.
    pub issuing: Option<&'static str>,
    /// How books are kept.
    pub accounting: Option<&'static str>,
    /// Foreign trade.
    pub trade: Option<&'static str>,
    /// The district.
    pub ubigeo: Ubigeo,
}

impl OpenDataRow {
    /// Draws a row. `epoch` is 0 in the month of [`open_data`]; a company's status and condition are others in each.
    fn draw(ruc: Ruc, place: &[Ubigeo], random: &mut Random, epoch: i32, mut redrawn: Random) -> Option<Self> {
        let company = ruc.kind() == RucKind::LegalPerson;
        // A fifth of the companies, and half of the persons, declare little.
        let silent = random.below(10) < if company { 2 } else { 5 };
        let (principal_3, principal_4) = activity::draw(random);
        let (secondary_3, _) = activity::draw(random);
        let has_secondary = random.below(100) < 15;
        let has_workers = company && random.below(100) < 41;
        let workers = random.rank(3, 11).saturating_sub(1);
        let (mut status, mut condition) = (random.weighted(STATUSES), random.weighted(CONDITIONS));
        if company && epoch != 0 {
            (status, condition) = (redrawn.weighted(STATUSES), redrawn.weighted(CONDITIONS));
            // Some are not in the file for a while.
            if redrawn.once_in(GONE) {
                return None;
            }
        }
        Some(Self {
            ruc,
            status,
            condition,
            kind: random.weighted(if company { KINDS } else { PERSON_KINDS }),
            principal_3: (!random.once_in(50)).then_some(principal_3),
            secondary_3: has_secondary.then_some(secondary_3),
            principal_4: (!silent).then_some(principal_4),
            workers: has_workers.then_some(workers),
            issuing: (!silent).then(|| random.weighted(SYSTEMS)),
            accounting: (!silent).then(|| random.weighted(SYSTEMS)),
            trade: (!random.once_in(20)).then(|| random.weighted(TRADES)),
            ubigeo: *place.get(random.rank(3, 9) as usize % place.len().max(1))?,
        })
    }

    /// The cells for a month, `AAAAMM`.
    pub fn cells(&self, month: &str) -> [String; 16] {
        let text = |value: Option<&'static str>| value.unwrap_or(NOT_AVAILABLE).to_owned();
        [
            self.ruc.to_string(),
            self.status.to_owned(),
            self.condition.to_owned(),
            self.kind.to_owned(),
            text(self.principal_3),
            text(self.secondary_3),
            text(self.principal_4),
            self.workers.map_or_else(|| NOT_AVAILABLE.to_owned(), |workers| workers.to_string()),
            text(self.issuing),
            text(self.accounting),
            text(self.trade),
            self.ubigeo.to_string(),
            self.ubigeo.department().to_owned(),
            text(self.ubigeo.province()),
            text(self.ubigeo.district()),
            month.to_owned(),
        ]
    }
}

/// About `rows` rows of taxpayers of the padrón; fewer if it has fewer. Some rows are there twice.
pub fn open_data(padron: Padron, rows: u32, quirks: u32) -> impl Iterator<Item = OpenDataRow> {
    open_data_after(padron, rows, quirks, 0)
}

/// As [`open_data`], so many months later, or earlier if negative. A company's status and condition are redrawn every few
/// years, and most of them stay the same.
pub fn open_data_after(padron: Padron, rows: u32, quirks: u32, months: i32) -> impl Iterator<Item = OpenDataRow> {
    let persons = (u64::from(rows) * u64::from(PERSONS) / 100) as usize;
    let of_kind = |kind, count| {
        let mut rucs: Vec<Ruc> = padron.rucs().filter(|ruc| ruc.kind() == kind).take(count).collect();
        rucs.sort_unstable();
        rucs
    };
    let mut rucs = of_kind(RucKind::NaturalPerson, persons);
    rucs.extend(of_kind(RucKind::LegalPerson, rows as usize - persons));
    let places: Vec<Ubigeo> = Ubigeo::known().collect();
    let repeated = (REPEATED / quirks.max(1)).max(20);
    (0..).zip(rucs).flat_map(move |(index, ruc)| {
        let mut random = Random::new(padron.seed(), index, Part::OpenData);
        let times = if random.once_in(repeated) { 2 } else { 1 };
        let mut of_epochs = Random::new(padron.seed() ^ EPOCHS, index, Part::OpenData);
        let every = 6 + of_epochs.below(60) as i32;
        let epoch = (months + of_epochs.below(every as u32) as i32).div_euclid(every);
        let redrawn = Random::new(padron.seed() ^ (epoch as u64).wrapping_mul(EPOCHS), index, Part::OpenData);
        let row = OpenDataRow::draw(ruc, &places, &mut random, epoch, redrawn);
        std::iter::repeat_n(row, times).flatten()
    })
}
