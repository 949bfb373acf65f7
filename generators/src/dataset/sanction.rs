//! The procurement authority's sanctions, some of them of providers whose ids are no RUC.

use kuraka_domain::{Date, Ruc, RucKind};

use crate::padron::random::{Part, Random};
use crate::padron::{Padron, name};

/// The header.
pub const SANCTION_COLUMNS: [&str; 8] = [
    "FECHA_CORTE",
    "RUC",
    "NOMBRE_RAZONODENOMINACIONSOCIAL",
    "FECHA_INICIO",
    "FECHA_FIN",
    "NUMERO_RESOLUCION",
    "ID_MOTIVO_INFRACCION",
    "DE_MOTIVO_INFRACCION",
];

const REASONS: [&str; 6] = [
    "PRESENTACIÓN DE DOCUMENTACIÓN FALSA O INEXACTA",
    "RESCISION ADMINISTRATIVA DEL CONTRATO",
    "INCUMPLIR SU OBLIGACIÓN DE PERFECCIONAR EL CONTRATO",
    "CONTRATAR CON EL ESTADO ESTANDO IMPEDIDO",
    "OCASIONAR QUE LA ENTIDAD RESUELVA EL CONTRATO",
    "REGISTRARSE COMO PROVEEDOR SIN ESTAR HABILITADO",
];

/// A sanction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanction {
    /// The provider; `None` for a foreigner, whose id has ten digits.
    pub ruc: Option<Ruc>,
    /// The provider's name, which may have a pipe.
    pub name: String,
    /// The first day.
    pub since: Date,
    /// The last day; `None` if it is definitive.
    pub until: Option<Date>,
    /// The resolution.
    pub resolution: String,
    /// The reason's number.
    pub reason_id: u32,
    /// The reason.
    pub reason: &'static str,
}

impl Sanction {
    fn draw(ruc: Ruc, random: &mut Random, rare: u32) -> Option<Self> {
        let mut text = String::new();
        name::push(random, ruc.kind(), &mut text);
        if random.once_in(rare) {
            text = text.replacen(' ', "|", 1);
        }
        let since = 10_000 + random.below(10_000) as i32;
        let definitive = random.below(10) == 0;
        let until = Date::from_days_since_epoch(since + 90 + random.below(1_100) as i32);
        let number = random.below(5_000) + 1;
        let since = Date::from_days_since_epoch(since)?;
        let reason_id = random.below(REASONS.len() as u32);
        Some(Self {
            ruc: (!random.once_in(rare)).then_some(ruc),
            name: text,
            since,
            until: until.filter(|_| !definitive),
            resolution: format!("{number:05}-{}-TCE-S{}", since.year(), random.below(4) + 1),
            reason_id: reason_id + 1,
            reason: REASONS.get(reason_id as usize)?,
        })
    }

    /// The cells of the line.
    pub fn cells(&self, cutoff: Date) -> [String; 8] {
        [
            compact(cutoff),
            self.ruc.map_or_else(|| "9900001234".to_owned(), |ruc| ruc.to_string()),
            self.name.clone(),
            compact(self.since),
            self.until.map(compact).unwrap_or_default(),
            self.resolution.clone(),
            self.reason_id.to_string(),
            self.reason.to_owned(),
        ]
    }
}

/// `AAAAMMDD`.
fn compact(day: Date) -> String {
    format!("{:04}{:02}{:02}", day.year(), day.month(), day.day())
}

/// About `rows` sanctions of taxpayers of the padrón, one to three for each.
pub fn sanctions(padron: Padron, rows: u32, quirks: u32) -> impl Iterator<Item = Sanction> {
    let rare = (1_000 / quirks.max(1)).max(20);
    let providers = padron.rucs().filter(|ruc| matches!(ruc.kind(), RucKind::LegalPerson | RucKind::NaturalPerson));
    let sanctions = (0..).zip(providers).flat_map(move |(index, ruc)| {
        let mut random = Random::new(padron.seed(), index, Part::Sanction);
        // Four of five are companies, which are one in eight of the taxpayers.
        let chosen = if ruc.kind() == RucKind::LegalPerson { random.once_in(2) } else { random.once_in(52) };
        let count = if chosen { random.rank(1, 2) + 1 } else { 0 };
        (0..count).filter_map(move |_| Sanction::draw(ruc, &mut random, rare))
    });
    sanctions.take(rows as usize)
}
