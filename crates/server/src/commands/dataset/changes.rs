//! `kuraka dataset changes`: prints the recorded changes of a dataset, as CSV or as one JSON object per line.

mod csv;
mod line;
mod ndjson;

use std::io::{self, BufWriter, ErrorKind, Write, stdout};

use kuraka_domain::Date;
use kuraka_registry::changes::{self, Step};
use kuraka_registry::dataset::Dataset;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use line::Line;

use crate::cli::ChangesForm;
use crate::commands::runtime::Failure;
use crate::console;

pub(super) fn changes(
    dataset: &Dataset,
    since: Option<Date>,
    form: ChangesForm,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut steps = changes::changes(&settings.registry_dir(), dataset, since)?.peekable();
    if steps.peek().is_none() {
        let name = dataset.name;
        console::note(&format!("no changes of {name} are recorded: they are when an edition replaces another one"));
    }
    let mut out = BufWriter::new(stdout().lock());
    match print(steps, form, &mut out).and_then(|()| out.flush()) {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

fn print(steps: impl Iterator<Item = Step>, form: ChangesForm, out: &mut impl Write) -> io::Result<()> {
    if matches!(form, ChangesForm::Csv) {
        writeln!(out, "{}", csv::HEADER)?;
    }
    for step in steps {
        let mut line = |line: Line<'_>| match form {
            ChangesForm::Csv => csv::write(out, &step, &line),
            ChangesForm::Ndjson => ndjson::write(out, &step, &line),
        };
        let cause = match &step.changes {
            Err(gap) => Some(logs::chain(gap)),
            Ok(list) => {
                let fields = &list.facts().fields;
                let mut failed = None;
                match list.changes() {
                    Err(error) => failed = Some(logs::chain(&error)),
                    Ok(changes) => {
                        for change in changes {
                            match change {
                                Ok(change) => line(Line::Change { change: &change, fields })?,
                                Err(error) => failed = Some(logs::chain(&error)),
                            }
                        }
                    }
                }
                failed
            }
        };
        if let Some(reason) = cause {
            line(Line::Gap { reason: &reason })?;
            console::note(&format!("warning: from {} to {}: {reason}", step.from, step.to));
        }
    }
    Ok(())
}
