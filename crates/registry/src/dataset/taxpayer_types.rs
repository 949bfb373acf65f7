//! SUNAT's 51 types of taxpayer, as its page writes them, with the wordings of the open data.
//!
//! The open data of 2023 to 2025 and of 2026 differ, and not every wording is known. One that is not in the table, such
//! as `NUCLEOS EJECUTORES`, is kept as published and counted.

use super::table::{Entry, Table};

/// The types of taxpayer by SUNAT's code.
pub static TAXPAYER_TYPES: Table = Table {
    entries: &[
        of(1, "PERSONA NATURAL SIN NEGOCIO", &["PERSONA NATURAL SIN EMPRESA"]),
        of(2, "PERSONA NATURAL CON NEGOCIO", &["PERSONA NATURAL CON EMPRESA UNIPERSONAL"]),
        of(3, "SOCIEDAD CONYUGAL SIN NEGOCIO", &["SOCIEDAD CONYUGAL SIN EMPRESA"]),
        of(4, "SOCIEDAD CONYUGAL CON NEGOCIO", &["SOCIEDAD CONYUGAL CON EMPRESA UNIPERSONAL"]),
        of(5, "SUCESION INDIVISA SIN NEGOCIO", &["SUCESION INDIVISA SIN EMPRESA"]),
        of(6, "SUCESION INDIVISA CON NEGOCIO", &["SUCESION INDIVISA CON EMPRESA UNIPERSONAL"]),
        of(7, "EMPRESA INDIVIDUAL DE RESP. LTDA", &["EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA"]),
        of(8, "SOCIEDAD CIVIL", &[]),
        of(9, "SOCIEDAD IRREGULAR", &[]),
        of(10, "ASOCIACION EN PARTICIPACION", &[]),
        of(11, "ASOCIACION", &[]),
        of(12, "FUNDACION", &[]),
        of(13, "SOCIEDAD EN COMANDITA SIMPLE", &["SOC. EN COMANDITA SIMPLE"]),
        of(14, "SOCIEDAD COLECTIVA", &["SOC. COLECTIVA"]),
        of(15, "INSTITUCIONES PUBLICAS", &[]),
        of(16, "INSTITUCIONES RELIGIOSAS", &[]),
        of(17, "SOCIEDAD DE BENEFICENCIA", &["SOC. DE BENEFICENCIA"]),
        of(18, "ENTIDADES DE AUXILIO MUTUO", &[]),
        of(
            19,
            "UNIVERS. CENTROS EDUC. Y CULT.",
            &["UNIVERS., CENTROS EDUCAT. Y CULT.", "UNIVERSIDADES CENTROS EDUCATIVOS Y CULTURALES"],
        ),
        of(20, "GOBIERNO REGIONAL, LOCAL", &[]),
        of(21, "GOBIERNO CENTRAL", &[]),
        of(22, "COMUNIDAD LABORAL", &[]),
        of(23, "COMUNIDAD CAMPESINA, NATIVA, COMUNAL", &["COMUNIDAD CAMPESINA NATIVA"]),
        of(24, "COOPERATIVAS, SAIS, CAPS", &[]),
        of(25, "EMPRESA DE PROPIEDAD SOCIAL", &[]),
        of(26, "SOCIEDAD ANONIMA", &[]),
        of(27, "SOCIEDAD EN COMANDITA POR ACCIONES", &["SOC. EN COMANDITA POR ACCIONES"]),
        of(28, "SOC.COM.RESPONS. LTDA", &["SOCIEDAD COMERCIAL DE RESPONSABILIDAD LIMITADA"]),
        of(29, "SUCURSALES O AGENCIA DE EMP.EXTRANJ.", &["SUC., AG. EMP. EXTRANJ., EST. PERM. NO DOM."]),
        of(30, "EMPRESA DE DERECHO PUBLICO", &[]),
        of(31, "EMPRESA ESTATAL DE DERECHO PRIVADO", &[]),
        of(32, "EMPRESA DE ECONOMIA MIXTA", &[]),
        of(33, "ACCIONARIADO DEL ESTADO", &[]),
        of(34, "MISIONES DIPLOMATICAS Y ORG. INTER.", &[]),
        of(35, "JUNTA DE PROPIETARIOS", &[]),
        of(36, "OF. REPRESENTACION DE NO DOMICILIADO", &[]),
        of(37, "FONDOS MUTUOS DE INVERSION", &[]),
        of(38, "SOCIEDAD ANONIMA ABIERTA", &[]),
        of(39, "SOCIEDAD ANONIMA CERRADA", &[]),
        of(40, "CONTRATOS COLABORACION EMPRESARIAL", &[]),
        of(41, "ENT.INST.COOPERAC.TECNICA - ENIEX", &[]),
        of(42, "COMUNIDAD DE BIENES", &[]),
        of(43, "SOCIEDAD MINERA DE RESP. LIMITADA", &["SOC. MINERA DE RESP. LIMITADA"]),
        of(44, "ASOC., FUNDAC. Y COMITE NO INSCRITOS", &[]),
        of(45, "PARTIDOS, MOVIM, ALIANZAS POLITICAS", &[]),
        of(46, "ASOC. DE HECHO DE PROFESIONALES", &[]),
        of(47, "CAFAES Y SUBCAFAES", &[]),
        of(48, "SINDICATOS Y FEDERACIONES", &[]),
        of(49, "COLEGIOS PROFESIONALES", &[]),
        of(50, "COMITES INSCRITOS", &[]),
        of(51, "ORGANIZACIONES SOCIALES DE BASE", &[]),
    ],
};

const fn of(code: u8, text: &'static str, wordings: &'static [&'static str]) -> Entry {
    Entry { code, text, wordings }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dataset::folded;

    #[test]
    fn every_wording_of_a_type_is_found() {
        let mut seen = BTreeSet::new();
        for (index, entry) in TAXPAYER_TYPES.entries.iter().enumerate() {
            assert_eq!(usize::from(entry.code), index + 1);
            for wording in entry.wordings.iter().chain([&entry.text]) {
                assert!(seen.insert(folded(wording)), "{wording} occurs twice");
                assert_eq!(TAXPAYER_TYPES.find(wording), Some(entry));
            }
        }
    }

    #[test]
    fn the_wordings_of_all_years_have_one_code() {
        for (code, wordings) in [
            (7, ["EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA", "Empresa individual de resp. ltda"]),
            (19, ["UNIVERSIDADES CENTROS EDUCATIVOS Y CULTURALES", "UNIVERS. CENTROS EDUC. Y CULT."]),
            (20, ["GOBIERNO REGIONAL LOCAL", "GOBIERNO REGIONAL, LOCAL"]),
            (23, ["COMUNIDAD CAMPESINA NATIVA", "COMUNIDAD CAMPESINA, NATIVA, COMUNAL"]),
            (26, ["SOCIEDAD ANONIMA", "SOCIEDAD ANÓNIMA"]),
        ] {
            for wording in wordings {
                assert_eq!(TAXPAYER_TYPES.find(wording).map(|entry| entry.code), Some(code), "{wording}");
            }
        }
        assert_eq!(TAXPAYER_TYPES.find("NUCLEOS EJECUTORES"), None);
    }
}
