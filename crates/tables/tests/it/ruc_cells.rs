//! One cell becomes a RUC, or an error that says why not.

use kuraka_domain::RucError;
use kuraka_tables::{RucCellError, ruc_cell};

#[test]
fn a_ruc_is_read_as_spreadsheets_write_it() {
    for cell in [
        "20100119227",
        "  20100119227\t",
        "\u{a0}20100119227\u{feff}",
        "20100119227.0",
        "20100119227,00",
        "'20100119227",
        "=\"20100119227\"",
        "RUC 20100119227",
        "ruc: 20100119227",
        "20100119227 - COMPAÑÍA S.A.",
        "20,100,119,227",
        "20-10011922-7",
        "2.0100119227E+10",
        "2.0100119227E10",
    ] {
        assert_eq!(ruc_cell(cell).unwrap().to_string(), "20100119227", "{cell:?}");
    }
}

#[test]
fn a_ruc_that_ends_in_zero_keeps_it() {
    for cell in ["20100000190", "20100000190.0", "20100000190.00"] {
        assert_eq!(ruc_cell(cell), ruc_cell("20100000190"), "{cell:?}");
    }
    assert_eq!(ruc_cell("20100000190"), "20100000190".parse().map_err(RucCellError::Invalid));
}

#[test]
fn a_shortened_number_is_no_ruc() {
    for cell in ["2.01001E+10", "2,01001E+10", "2.01001e10", " 2E+10 ", "2.010011922E+10", "2.0100119227E+11"] {
        assert_eq!(ruc_cell(cell), Err(RucCellError::Shortened), "{cell:?}");
    }
    for cell in ["E10", "2.0X", "TRES", "2E", "+"] {
        assert!(matches!(ruc_cell(cell), Err(RucCellError::Invalid(_))), "{cell:?}");
    }
}

#[test]
fn other_cells_are_refused_with_the_reason() {
    for cell in ["", "   ", "''", "=\"\""] {
        assert_eq!(ruc_cell(cell), Err(RucCellError::Empty), "{cell:?}");
    }
    assert_eq!(ruc_cell("12345678"), Err(RucError::Length { found: 8 }.into()));
    assert_eq!(ruc_cell("12345678.0"), Err(RucError::Length { found: 8 }.into()));
    assert_eq!(ruc_cell("20100119228"), Err(RucError::CheckDigit { found: 8, expected: 7 }.into()));
    assert_eq!(ruc_cell("30100119227"), Err(RucError::Prefix { found: 30 }.into()));
    assert_eq!(ruc_cell(".0"), Err(RucError::Length { found: 2 }.into()));
}
