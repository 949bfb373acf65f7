//! SUNAT's 51 types of taxpayer, as its page writes them, with the wordings of the open data.
//!
//! The open data of 2023 to 2025 and of 2026 have different wordings, and not every wording is known, such as
//! `NUCLEOS EJECUTORES`.
//!
//! ```
//! use kuraka_domain::TaxpayerType;
//!
//! let company: TaxpayerType = "Sociedad anónima cerrada".parse()?;
//! assert_eq!((company.code(), company.text()), (39, "SOCIEDAD ANONIMA CERRADA"));
//! assert_eq!(TaxpayerType::find("EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA").map(TaxpayerType::code), Some(7));
//! assert_eq!(TaxpayerType::find("NUCLEOS EJECUTORES"), None);
//! # Ok::<(), kuraka_domain::TaxpayerTypeError>(())
//! ```

use core::fmt;

use crate::text::folded;
use crate::text_value::{error_texts, text_value};

/// A type of taxpayer. Unlike a [`RucKind`](crate::RucKind), no digit of the RUC gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaxpayerType {
    code: u8,
    text: &'static str,
    wordings: &'static [&'static str],
}

/// The text is no known wording of a type of taxpayer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaxpayerTypeError;

error_texts!(TaxpayerTypeError {
    Self => "the text is no known type of taxpayer";
});

impl TaxpayerType {
    /// The type with this text or wording. Case, accents and punctuation are ignored.
    ///
    /// # Errors
    /// [`TaxpayerTypeError`].
    pub fn parse(text: &str) -> Result<Self, TaxpayerTypeError> {
        Self::find(text).ok_or(TaxpayerTypeError)
    }

    /// Like [`TaxpayerType::parse`], with `None` for an unknown wording.
    #[must_use]
    pub fn find(published: &str) -> Option<Self> {
        let wanted = folded(published);
        let is_wanted = |wording: &&str| folded(wording) == wanted;
        Self::ALL.into_iter().find(|known| is_wanted(&known.text) || known.wordings.iter().any(is_wanted))
    }

    /// SUNAT's code, 1 to 51.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.code
    }

    /// The text of SUNAT's page, upper case, without accents.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.text
    }

    /// Other wordings seen in published files.
    #[must_use]
    pub const fn wordings(self) -> &'static [&'static str] {
        self.wordings
    }

    /// Every type, ordered by code.
    pub const ALL: [Self; 51] = [
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
    ];
}

const fn of(code: u8, text: &'static str, wordings: &'static [&'static str]) -> TaxpayerType {
    TaxpayerType { code, text, wordings }
}

impl fmt::Display for TaxpayerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

text_value!(TaxpayerType, TaxpayerTypeError, Self::parse, "a type of taxpayer");
