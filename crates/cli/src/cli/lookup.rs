//! The options of `kuraka lookup` and `kuraka search`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kuraka_domain::{Date, Ruc};

/// The form of printed lines.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum LinesForm {
    /// CSV with a header line.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

/// The form of a file's rows with their taxpayers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowsForm {
    /// CSV with a header line and the file's delimiter.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// The workbook of the panel's page *Lista*, for people: at most 100,000 rows.
    Xlsx,
}

#[derive(Args)]
pub(crate) struct Lookup {
    /// RUCs of 11 digits.
    #[arg(required_unless_present = "file", conflicts_with = "file", value_name = "RUC")]
    pub(crate) rucs: Vec<Ruc>,
    /// Print the rows of this CSV or xlsx file, each with the taxpayer of its RUC. `-` is standard input. A row whose RUC is
    /// invalid or unknown says so.
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,
    /// The name of the file's column with RUCs; the default is a usual name such as ruc or Nro. RUC, or the first column
    /// that has a RUC in a file without names.
    #[arg(long, value_name = "NAME", conflicts_with = "rucs")]
    pub(crate) column: Option<String>,
    /// Print the taxpayers' status on each row's date, which is in this column of the file.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["rucs", "ficha"])]
    pub(crate) date_column: Option<String>,
    /// CSV with a header line and the file's delimiter, one JSON object per line, or a workbook for people.
    #[arg(long, value_enum, default_value_t = RowsForm::Csv, conflicts_with = "rucs")]
    pub(crate) output: RowsForm,
    /// Print place, lists, operating capacity, sanctions and open data too.
    #[arg(long)]
    pub(crate) ficha: bool,
    /// Print the taxpayers' status on this date.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["file", "ficha"])]
    pub(crate) date: Option<Date>,
    /// Print what has changed since the first recorded edition.
    #[arg(long, conflicts_with_all = ["file", "ficha"])]
    pub(crate) history: bool,
}

#[derive(Args)]
pub(crate) struct Search {
    /// Words of the name, in one argument. Case and accents do not matter.
    pub(crate) name: String,
    /// What the words are compared with.
    #[arg(long, value_enum, default_value_t = SearchWords::Words)]
    pub(crate) mode: SearchWords,
    /// Only companies of this department.
    #[arg(long)]
    pub(crate) department: Option<String>,
    /// Only companies with this status, such as ACTIVO.
    #[arg(long)]
    pub(crate) status: Option<String>,
    /// The most companies that are printed.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// A table of 80 columns, CSV with a header line, or one JSON object per line.
    #[arg(long, value_enum, default_value_t = SearchForm::Table)]
    pub(crate) output: SearchForm,
}

/// How the words of a search are compared with a name.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SearchWords {
    /// Each is the beginning of a word of the name, in any order.
    Words,
    /// The name begins with them.
    Prefix,
    /// Each is inside of a word of the name.
    Contains,
}

/// The form of printed companies.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchForm {
    /// A table; long names are cut.
    Table,
    /// CSV with a header line.
    Csv,
    /// One JSON object per line.
    Ndjson,
}
