//! The size and the content of a generated padrón.

/// The parameters of a generated padrón.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padron {
    rows: u32,
    pub(super) seed: u64,
    pub(super) quirks: u32,
    /// Rows after the first `rows`, which only the next edition has.
    added: u32,
    /// A row whose number is below this is changed.
    changed_below: u64,
}

impl Padron {
    /// The most rows in one padrón: a longer text would need a zip's 64-bit extension, which the published zip lacks.
    pub const MAX_ROWS: u32 = 45_000_000;

    /// A padrón of `rows` rows (noise included, at most [`Padron::MAX_ROWS`]) from `seed`.
    pub fn new(rows: u32, seed: u64) -> Self {
        Self { rows: rows.min(Self::MAX_ROWS), seed, quirks: 1, added: 0, changed_below: 0 }
    }

    /// The same with every quirk `times` as frequent as published (at least 1; each affects at most one row in twenty),
    /// so that a small file has them all: 1,000 is enough for 20,000 rows.
    #[must_use]
    pub fn with_quirks(self, times: u32) -> Self {
        Self { quirks: times.max(1), ..self }
    }

    /// The edition of another day. `share` × rows (0 to 1) differ: of every hundred of them, 75 have another status or
    /// address, and 25 are new, at the end.
    #[must_use]
    pub fn next_edition(self, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let added = (f64::from(self.rows) * share * 0.25) as u32;
        let changed_below = (u64::MAX as f64 * share * 0.75) as u64;
        Self { added: added.min(Self::MAX_ROWS - self.rows), changed_below, ..self }
    }

    /// The seed.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of rows, those added by [`Padron::next_edition`] included.
    pub const fn len(&self) -> u32 {
        self.rows + self.added
    }

    /// Whether there are no rows.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the row differs from the first edition's; `draw` is the row's own random number.
    pub(super) const fn changes(&self, row: u32, draw: u64) -> bool {
        row < self.rows && draw < self.changed_below
    }
}
