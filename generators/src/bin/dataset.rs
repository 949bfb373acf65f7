//! `dataset`: writes a generated dataset about the taxpayers of a generated padrón, in its published form.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use kuraka_domain::Date;
use kuraka_generators::dataset::{
    ANNEX_COLUMNS, INCAPACITY_COLUMNS, LIST_COLUMNS, OPEN_DATA_COLUMNS, SANCTION_COLUMNS, TextForm, annexes,
    incapacities, list_entries, open_data_after, sanctions,
};
use kuraka_generators::padron::Padron;
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_generators::zip_file::zip_file;

/// Bytes buffered before they are written.
const BUFFER: usize = 1 << 18;

/// Write a dataset of invented facts in the exact form of the published one.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The dataset.
    dataset: Dataset,
    /// The file to write. A name that ends with .zip is a zip with the published file in it.
    out: PathBuf,
    /// Rows, roughly. Without it, as many as the published file has for such a padrón, or few.
    #[arg(long)]
    rows: Option<u32>,
    /// Rows of the padrón whose taxpayers it is about.
    #[arg(long, default_value_t = 100_000)]
    padron_rows: u32,
    /// The padrón's seed. The same seed gives the same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The day of publication, YYYY-MM-DD.
    #[arg(long, default_value = "2026-01-01")]
    date: Date,
    /// Make every quirk so many times as frequent as in the published file.
    #[arg(long, value_name = "TIMES", default_value_t = 1)]
    quirks: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Dataset {
    Retencion,
    BuenosContribuyentes,
    PercepcionVentaInterna,
    PercepcionCombustibles,
    Anexos,
    DatosAbiertos,
    Ssco,
    Sanciones,
}

fn main() -> ExitCode {
    match write(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "dataset: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(arguments: &Arguments) -> io::Result<()> {
    let path = &arguments.out;
    let file =
        File::create(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    if arguments.dataset == Dataset::Ssco {
        return BufWriter::new(file).write_all(&subjects(arguments)?);
    }
    if is_zip(path) {
        let mut zip = zip_file(file, &arguments.inner_name(), arguments.date)?;
        write_text(arguments, &mut zip)?;
        zip.finish()?;
        return Ok(());
    }
    write_text(arguments, &mut BufWriter::with_capacity(BUFFER, file))
}

fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

impl Arguments {
    /// Months from the default date to this one.
    fn months(&self) -> i32 {
        (i32::from(self.date.year()) - 2026) * 12 + i32::from(self.date.month()) - 1
    }

    fn month(&self) -> String {
        format!("{:04}{:02}", self.date.year(), self.date.month())
    }

    /// The name of the published text.
    fn inner_name(&self) -> String {
        match self.dataset {
            Dataset::Retencion => "AgenRet_TXT.txt".to_owned(),
            Dataset::BuenosContribuyentes => "BueCont_TXT.txt".to_owned(),
            Dataset::PercepcionVentaInterna => "AgenPercVI_TXT.txt".to_owned(),
            Dataset::PercepcionCombustibles => "AgenPerc_TXT.txt".to_owned(),
            Dataset::Anexos => "padron_reducido_local_anexo.txt".to_owned(),
            Dataset::DatosAbiertos => format!("PadronRUC_{}.csv", self.month()),
            Dataset::Ssco => "sujesincapacidadOperativa.xlsx".to_owned(),
            Dataset::Sanciones => "sancionados.csv".to_owned(),
        }
    }
}

fn subjects(arguments: &Arguments) -> io::Result<Vec<u8>> {
    let padron = Padron::new(arguments.padron_rows, arguments.seed);
    let header = INCAPACITY_COLUMNS.map(|column| Cell::Text(column.to_owned())).to_vec();
    let rows = incapacities(padron, arguments.rows.unwrap_or(110));
    let rows = rows.map(|subject| subject.cells(Epoch::Windows, arguments.date));
    workbook("Hoja1", Epoch::Windows, &std::iter::once(header).chain(rows).collect::<Vec<_>>())
}

fn write_text(arguments: &Arguments, out: &mut impl Write) -> io::Result<()> {
    let padron = Padron::new(arguments.padron_rows, arguments.seed);
    let (quirks, date) = (arguments.quirks, arguments.date);
    let rows = |usual| arguments.rows.unwrap_or(usual);
    match arguments.dataset {
        Dataset::DatosAbiertos => {
            let (rows, month) = (open_data_after(padron, rows(72_000), quirks, arguments.months()), arguments.month());
            TextForm::OPEN_DATA.write(&OPEN_DATA_COLUMNS, rows.map(|row| row.cells(&month)), out)?;
        }
        Dataset::Anexos => {
            let annexes = annexes(padron, rows(5_000), quirks);
            TextForm::ANNEXES.write(&ANNEX_COLUMNS, annexes.map(|annex| annex.cells()), out)?;
        }
        Dataset::Sanciones => {
            let sanctions = sanctions(padron, rows(10_000), quirks);
            TextForm::SANCTIONS.write(&SANCTION_COLUMNS, sanctions.map(|sanction| sanction.cells(date)), out)?;
        }
        Dataset::Ssco => {}
        list @ (Dataset::Retencion
        | Dataset::BuenosContribuyentes
        | Dataset::PercepcionVentaInterna
        | Dataset::PercepcionCombustibles) => {
            // SUNAT publishes 7,200 withholding agents; the others are a guess.
            let one_in = if list == Dataset::BuenosContribuyentes { 150 } else { 325 };
            let entries = list_entries(padron, list as u32, one_in, quirks).take(rows(u32::MAX) as usize);
            TextForm::LIST.write(&LIST_COLUMNS, entries.map(|entry| entry.cells()), out)?;
        }
    }
    out.flush()
}
