use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::Path;
use std::process::{Command, Output};

use kuraka_generators::padron::{Padron, ZIP_ENTRY};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_padron")).current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn the_other_program_writes_every_dataset_in_its_published_form() {
    let folder = tempfile::tempdir().unwrap();
    for (dataset, file, inner) in [
        ("retencion", "r.zip", "AgenRet_TXT.txt"),
        ("buenos_contribuyentes", "b.zip", "BueCont_TXT.txt"),
        ("percepcion_venta_interna", "v.zip", "AgenPercVI_TXT.txt"),
        ("percepcion_combustibles", "c.zip", "AgenPerc_TXT.txt"),
        ("anexos", "a.zip", "padron_reducido_local_anexo.txt"),
        ("datos_abiertos", "d.zip", "PadronRUC_202610.csv"),
        ("ssco", "s.xlsx", "xl/workbook.xml"),
        ("sanciones", "s.csv", ""),
    ] {
        let write = |out: &str| {
            let arguments = [dataset, out, "--padron-rows", "5000", "--rows", "500", "--date", "2026-10-05"];
            let output = Command::new(env!("CARGO_BIN_EXE_dataset"))
                .current_dir(folder.path())
                .args(arguments)
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
            fs::read(folder.path().join(out)).unwrap()
        };
        let bytes = write(file);
        assert_eq!(write(file), bytes, "the same bytes again");
        if inner.is_empty() {
            assert_eq!(bytes.iter().filter(|byte| **byte == b'\n').count(), 501);
        } else {
            let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
            assert!(archive.by_name(inner).is_ok(), "{inner}");
        }
    }
}

#[test]
fn the_program_writes_the_bytes_of_the_library() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(
        folder.path(),
        &["--rows", "20000", "--seed", "5", "--date", "2026-11-20", "--out", "p.txt", "--zip", "p.zip"],
    );
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty());
    let padron = Padron::new(20_000, 5);
    assert_eq!(fs::read(folder.path().join("p.txt")).unwrap(), padron.to_text());
    let mut archive = zip::ZipArchive::new(File::open(folder.path().join("p.zip")).unwrap()).unwrap();
    assert_eq!(archive.len(), 1);
    let mut entry = archive.by_name(ZIP_ENTRY).unwrap();
    let date = entry.last_modified().unwrap();
    assert_eq!((date.year(), date.month(), date.day()), (2026, 11, 20));
    let ratio = entry.compressed_size() as f64 / entry.size() as f64;
    assert!((0.22..0.29).contains(&ratio), "{ratio} of the text, published 0.25");
    let mut text = Vec::new();
    entry.read_to_end(&mut text).unwrap();
    assert_eq!(text, padron.to_text());
}

#[test]
fn the_program_refuses_what_it_cannot_do_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, reason) in [
        (&["--rows", "5"][..], "--out"),
        (&["--rows", "0", "--out", "p.txt"], "--rows"),
        (&["--out", "p.txt", "--change-share", "2"], "0 to 1"),
        (&["--zip", "p.zip", "--date", "2026-02-30"], "2026-02-30"),
        (&["--zip", "p.zip", "--date", "1979-12-31"], "1980"),
        (&["--out", "no/such/folder.txt"], "no/such/folder.txt"),
    ] {
        let output = run(folder.path(), arguments);
        assert!(!output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}
