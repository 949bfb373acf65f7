//! Bad lines are counted and written to the rejects file; they never end an import.

use kuraka_domain::{Ruc, RucKind};
use kuraka_registry::RejectReason;

use crate::workspace::{HEADER, Workspace, company, line, windows_1252};

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
    let cases: Vec<(Vec<u8>, RejectReason)> = vec![
        (good[1..].into(), RejectReason::BadRuc),
        (format!("2{good}").into(), RejectReason::BadRuc),
        (good.replace('2', "٢").into(), RejectReason::Utf8),
        (b"\xff\xfe".to_vec(), RejectReason::BadRuc),
        (company_line(b""), RejectReason::MissingName),
        (company_line(b" \t\xa0"), RejectReason::MissingName),
        (company_line(b"A\0B"), RejectReason::Nul),
        (company_line(b"A\x81B"), RejectReason::UndefinedByte),
        (company_line("COMPAÑÍA".as_bytes()), RejectReason::Utf8),
        (company_line(&[b'X'; 1 << 20]), RejectReason::TooLong),
        (vec![0; 100_000], RejectReason::TooLong),
        (format!("{good}X|").into(), RejectReason::FieldCount),
        (good.replace("|-|-|", "|").into(), RejectReason::FieldCount),
        (good.replace('|', ";").into(), RejectReason::BadRuc),
        (line(company(1), "TWICE").into(), RejectReason::Duplicate),
    ];
    for (raw, reason) in cases {
        let workspace = Workspace::new();
        let report = workspace.import(&around(&raw));
        assert_eq!(report.rejections.iter().collect::<Vec<_>>(), [(reason, 1)], "{:?}", &raw[..raw.len().min(60)]);
        assert_eq!(report.rows, 2);
        assert_eq!(workspace.edition().meta().rejected, 1);
        assert_eq!(workspace.lookup(company(1)).unwrap().name, "BEFORE S.A.");
        assert_eq!(workspace.lookup(company(3)).unwrap().name, "AFTER S.A.");
        assert_eq!(workspace.lookup(company(2)), None);
    }
}

#[test]
fn a_key_of_zeros_is_skipped_not_rejected() {
    let workspace = Workspace::new();
    let report = workspace.import(&around(b"00|-|NUM. INTERNO IDENTIF|-|-|-|-|-|-|-|-|-|-|-|-|"));
    assert_eq!((report.rows, report.skipped, report.rejections.total()), (2, 1, 0));
    assert_eq!(report.rejects_file, None);
}

#[test]
fn the_first_line_of_a_repeated_ruc_wins() {
    let workspace = Workspace::new();
    let report = workspace.import(&around(line(company(1), "SECOND").as_bytes()));
    assert_eq!(report.rejections.count(RejectReason::Duplicate), 1);
    assert_eq!(workspace.lookup(company(1)).unwrap().name, "BEFORE S.A.");
}

#[test]
fn control_characters_in_a_name_are_blanks() {
    let workspace = Workspace::new();
    workspace.import(&around(&company_line(b"\tUNO\x07 \xa0DOS\rTRES\x7f")));
    assert_eq!(workspace.lookup(company(2)).unwrap().name, "UNO DOS TRES");
}

#[test]
fn the_rejects_file_names_companies_and_masks_persons() {
    let person = Ruc::from_parts(RucKind::NaturalPerson, 12_345_678).unwrap();
    let raw = [
        format!("{person}|PEREZ QUISPE JUAN|ACTIVO"),
        format!("{}|EMPRESA CORTADA S.A.|ACTIVO", company(2)),
        format!("{}|EMPRESA PEGADA S.A.|ACTIVO{}", company(4), line(person, "QUISPE MAMANI ROSA")),
        "12345678|GARCIA FLORES ANA|ACTIVO".to_owned(),
        format!("{}|{}|ACTIVO", company(5), "X".repeat(400)),
    ];
    let workspace = Workspace::new();
    let report = workspace.import(&around(raw.join("\n").as_bytes()));
    assert_eq!(report.rejections.total(), 5);
    let text = Workspace::rejects(&report);
    for secret in ["PEREZ", "QUISPE", "GARCIA", "12345678", &person.to_string()] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let masked = format!("10******{:03}", person.get() % 1000);
    assert!(text.contains(&masked), "{text}");
    assert!(text.contains("EMPRESA CORTADA S.A."), "{text}");
    assert!(text.contains(&company(4).to_string()) && !text.contains("PEGADA"), "{text}");
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!((200..300).contains(&longest), "{longest}");
    assert!(text.contains("\n6\tnot a valid RUC\t33\t-\t\n"), "{text}");
}

#[test]
fn only_the_first_hundred_rejects_are_written() {
    let good = (0..1000_u32).map(|n| line(company(n), "NAME"));
    let bad = (1..=100).map(|n| format!("{n}|NAME"));
    let more = (2000..2001).map(|n| format!("{}|NAME", company(n)));
    let workspace = Workspace::new();
    let mut request = workspace.request(&crate::workspace::padron(good.chain(bad).chain(more)));
    request.force = true;
    let report = workspace.try_import(&request).unwrap();
    assert_eq!(report.rejections.total(), 101);
    assert_eq!(Workspace::rejects(&report).lines().count(), 101);
}
