//! Subjects without operating capacity, in a workbook whose cells have many forms.

use kuraka_domain::{Date, Ruc, RucKind};

use crate::padron::random::{Part, Random};
use crate::padron::{Padron, name};
use crate::workbook::{Cell, Epoch};

/// The header.
pub const INCAPACITY_COLUMNS: [&str; 9] = [
    "RUC",
    "Razón social",
    "Domicilio fiscal",
    "Resolución de atribución como SSCO",
    "Fecha de emisión de la resolución de atribución",
    "Fecha en la que la resolución de atribución quedó firme",
    "RUC o documento de identidad del representante legal",
    "Apellidos y nombres del representante legal",
    "Fecha de publicación",
];

/// A subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incapacity {
    /// The taxpayer.
    pub ruc: Ruc,
    /// The name.
    pub name: String,
    /// The resolution.
    pub resolution: String,
    /// The day of the resolution.
    pub resolved: Option<Date>,
    /// The day on which it became final.
    pub last: Option<Date>,
    /// The representative's document and name, which no reader may keep.
    pub representative: (u32, String),
    /// How its cells are written.
    form: u32,
}

impl Incapacity {
    fn draw(ruc: Ruc, random: &mut Random) -> Self {
        let mut text = |kind| {
            let mut text = String::new();
            name::push(random, kind, &mut text);
            text
        };
        let (name, representative) = (text(RucKind::LegalPerson), text(RucKind::NaturalPerson));
        let resolved = 19_000 + random.below(1_500) as i32;
        let last = resolved + 30 + random.below(200) as i32;
        let mut day = |days| Date::from_days_since_epoch(days).filter(|_| !random.once_in(10));
        let (resolved, last) = (day(resolved), day(last));
        Self {
            ruc,
            name,
            resolved,
            last,
            resolution: format!("R.I. 02300{:08}", random.below(100_000_000)),
            representative: (99_000_000 + random.below(1_000_000), representative),
            form: random.below(60),
        }
    }

    /// The cells of the row: the RUC as number or text, dates as days, numbers, or texts in two forms.
    pub fn cells(&self, epoch: Epoch, published: Date) -> Vec<Cell> {
        let ruc = match self.form % 3 {
            0 => self.ruc.to_string().parse().map_or(Cell::Empty, Cell::Number),
            1 => Cell::Text(self.ruc.to_string()),
            _ => Cell::Inline(format!(" {} ", self.ruc)),
        };
        let day = |day: Option<Date>, form: u32| {
            let Some(day) = day else { return Cell::Empty };
            match form % 5 {
                0 => Cell::Day(epoch.serial(day)),
                1 => Cell::Number(epoch.serial(day)),
                2 => Cell::Text(day.dmy().to_string()),
                3 => Cell::Inline(format!("{day}T00:00:00")),
                // With a time of day.
                _ => Cell::Day(epoch.serial(day) + 0.75),
            }
        };
        vec![
            ruc,
            Cell::Text(self.name.clone()),
            Cell::Inline("JR. INVENTADO 1".to_owned()),
            Cell::Text(format!(" {}  ", self.resolution.replace(' ', "  "))),
            day(self.resolved, self.form / 3),
            day(self.last, self.form / 3 + 1),
            Cell::Number(f64::from(self.representative.0)),
            Cell::Text(self.representative.1.clone()),
            day(Some(published), 0),
        ]
    }
}

/// `rows` subjects, companies of the padrón.
pub fn incapacities(padron: Padron, rows: u32) -> impl Iterator<Item = Incapacity> {
    let companies = padron.rucs().filter(|ruc| ruc.kind() == RucKind::LegalPerson);
    let subject = move |(index, ruc)| Incapacity::draw(ruc, &mut Random::new(padron.seed(), index, Part::Incapacity));
    (0..).zip(companies).map(subject).take(rows as usize)
}
