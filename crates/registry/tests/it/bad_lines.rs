//! Bad lines of the padrón are counted and written to the rejects file; they never end an import.

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::reader::Reason;
use kuraka_registry::{Import, ImportReport};

use crate::published::company;
use crate::workspace::{HEADER, Workspace, line, padron, windows_1252};

/// A padrón of good lines around this raw one.
fn around(raw: &[u8]) -> Vec<u8> {
    let mut file = windows_1252(&format!("{HEADER}\n{}\n", line(company(1), "BEFORE S.A.")));
    file.extend_from_slice(raw);
    file.extend_from_slice(format!("\n{}\n", line(company(3), "AFTER S.A.")).as_bytes());
    file
}

fn company_line(name: &[u8]) -> Vec<u8> {
    let text = line(company(2), "NAME");
    let start = text.find("NAME").unwrap();
    [&text.as_bytes()[..start], name, &text.as_bytes()[start + 4..]].concat()
}

#[test]
fn bad_lines_are_counted_by_reason_and_good_ones_imported() {
    let good = line(company(2), "NAME");
    let cases: Vec<(Vec<u8>, Reason)> = vec![
        (good[1..].into(), Reason::BadRuc),
        (format!("2{good}").into(), Reason::BadRuc),
        (good.replace('2', "٢").into(), Reason::OtherEncoding),
        (b"\xff\xfe".to_vec(), Reason::BadRuc),
        (company_line(b""), Reason::MissingValue),
        (company_line(b" \t\xa0"), Reason::MissingValue),
        (company_line(b"A\0B"), Reason::Nul),
        (company_line(b"A\x81B"), Reason::UndefinedByte),
        (company_line("COMPAÑÍA".as_bytes()), Reason::OtherEncoding),
        (company_line(&[b'X'; 1 << 20]), Reason::TooLong),
        (vec![0; 100_000], Reason::TooLong),
        (format!("{good}X|").into(), Reason::ColumnCount),
        (good.replace("|-|-|", "|").into(), Reason::ColumnCount),
        (good.replace('|', ";").into(), Reason::BadRuc),
        (line(company(1), "TWICE").into(), Reason::Repeated),
    ];
    for (raw, reason) in cases {
        let workspace = Workspace::new();
        let report = workspace.import(&PADRON, &around(&raw));
        assert!(report.read.bad_lines.iter().eq([(reason, 1)]), "{:?}", &raw[..raw.len().min(60)]);
        assert_eq!(report.rows, 2);
        assert_eq!(workspace.edition(&PADRON).meta().rejected, 1);
        assert_eq!(workspace.lookup(company(1)).unwrap().name, "BEFORE S.A.");
        assert_eq!(workspace.lookup(company(3)).unwrap().name, "AFTER S.A.");
        assert_eq!(workspace.lookup(company(2)), None);
    }
}

/// The text of the rejects file.
fn rejects(report: &ImportReport) -> String {
    std::fs::read_to_string(report.rejects_file.as_ref().unwrap()).unwrap()
}

#[test]
fn a_key_of_zeros_is_skipped_not_rejected() {
    let workspace = Workspace::new();
    let report = workspace.import(&PADRON, &around(b"00|-|NUM. INTERNO IDENTIF|-|-|-|-|-|-|-|-|-|-|-|-|"));
    assert_eq!((report.rows, report.left_out, report.rejected_lines()), (2, 1, 0));
    assert_eq!(report.rejects_file, None);
}

#[test]
fn the_first_line_of_a_repeated_ruc_wins_and_others_are_refused() {
    let workspace = Workspace::new();
    let person = Ruc::from_parts(RucKind::NaturalPerson, 12_345_678).unwrap();
    let [first, again, other] = ["UNO", "UNO", "DOS"].map(|name| line(person, name));
    let raw = [line(company(1), "SECOND"), first, again, other].join("\n");
    let report = workspace.import(&PADRON, &around(raw.as_bytes()));
    assert!(report.read.bad_lines.iter().eq([(Reason::Repeated, 3)]));
    assert_eq!((report.rows, report.repeated, workspace.edition(&PADRON).meta().rejected), (3, 0, 3));
    assert_eq!(workspace.lookup(company(1)).unwrap().name, "BEFORE S.A.");
    assert_eq!(workspace.lookup(person).unwrap().name, "UNO");
    // Sorting finds them, so the file has no line numbers.
    let row = |ruc: &str| format!("-\tRUC seen before\t0\t{ruc}\t-\t-\n");
    let masked = row(&format!("10******{:03}", person.get() % 1000));
    let expected = [masked.as_str(), &masked, &row(&company(1).to_string())].concat();
    assert_eq!(rejects(&report), format!("line\treason\tlength\tRUC\tcolumn\tshape\n{expected}"));
}

#[test]
fn the_rejects_file_has_no_text_of_a_line_and_masks_persons() {
    let person = Ruc::from_parts(RucKind::NaturalPerson, 12_345_678).unwrap();
    let raw = [
        format!("{person}|PEREZ QUISPE JUAN|ACTIVO"),
        format!("{}|EMPRESA CORTADA S.A.|ACTIVO", company(2)),
        format!("{}|EMPRESA PEGADA S.A.|ACTIVO{}", company(4), line(person, "QUISPE MAMANI ROSA")),
        "12345678|GARCIA FLORES ANA|ACTIVO".to_owned(),
        format!("{}|X|ACTIVO", "1234-ROSA ".repeat(40)),
    ];
    let workspace = Workspace::new();
    let report = workspace.import(&PADRON, &around(raw.join("\n").as_bytes()));
    assert_eq!(report.rejected_lines(), 5);
    let text = rejects(&report);
    for secret in ["PEREZ", "QUISPE", "GARCIA", "ROSA", "EMPRESA", "12345678", &person.to_string()] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let columns = "wrong number of columns";
    let masked = format!("10******{:03}", person.get() % 1000);
    let expected = [
        format!("3\t{columns}\t{}\t{masked}\t-\t-", raw[0].len()),
        format!("4\t{columns}\t{}\t{}\t-\t-", raw[1].len(), company(2)),
        format!("5\t{columns}\t{}\t{}\t-\t-", raw[2].len(), company(4)),
        "6\tnot a valid RUC\t33\t-\tRUC\t99999999".to_owned(),
        format!("7\tnot a valid RUC\t409\t-\tRUC\t{}", "9999-AAAA ".repeat(6)),
    ];
    assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected);
}

#[test]
fn only_the_first_hundred_rejects_are_written() {
    let good = (0..1000_u32).map(|n| line(company(n), "NAME"));
    let bad = (1..=101).map(|n| format!("{n}|NAME"));
    let workspace = Workspace::new();
    let request = Import { force: true, ..workspace.request(&padron(good.chain(bad))) };
    let report = workspace.try_import(&PADRON, &request).unwrap();
    assert_eq!((report.rejected_lines(), rejects(&report).lines().count()), (101, 101));
}
