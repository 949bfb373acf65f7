//! SUNAT's 51 types of taxpayer, as its page writes them, with the wordings of the open data, which changed in 2026.
//! Some wordings are unknown, such as `NUCLEOS EJECUTORES`.
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

/// No digit of the RUC gives it, unlike a [`RucKind`](crate::RucKind).
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
    /// Case, accents and punctuation are ignored.
    ///
    /// # Errors
    /// [`TaxpayerTypeError`].
    pub fn parse(text: &str) -> Result<Self, TaxpayerTypeError> {
        Self::find(text).ok_or(TaxpayerTypeError)
    }

    /// `None` for an unknown wording.
    #[must_use]
    pub fn find(published: &str) -> Option<Self> {
        let wanted = folded(published);
        let is_wanted = |wording: &&str| folded(wording) == wanted;
        Self::ALL.into_iter().find(|known| is_wanted(&known.text) || known.wordings.iter().any(is_wanted))
    }

    /// 1 to 51.
    #[must_use]
    pub const fn code(self) -> u8 {
        self.code
    }

    /// As on SUNAT's page: upper case, without accents.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.text
    }

    /// Seen in published files.
    #[must_use]
    pub const fn wordings(self) -> &'static [&'static str] {
        self.wordings
    }

    /// By code.
    pub const ALL: [Self; 51] = [
        entry(1, "PERSONA NATURAL SIN NEGOCIO", &["PERSONA NATURAL SIN EMPRESA"]),
        entry(2, "PERSONA NATURAL CON NEGOCIO", &["PERSONA NATURAL CON EMPRESA UNIPERSONAL"]),
        entry(3, "SOCIEDAD CONYUGAL SIN NEGOCIO", &["SOCIEDAD CONYUGAL SIN EMPRESA"]),
        entry(4, "SOCIEDAD CONYUGAL CON NEGOCIO", &["SOCIEDAD CONYUGAL CON EMPRESA UNIPERSONAL"]),
        entry(5, "SUCESION INDIVISA SIN NEGOCIO", &["SUCESION INDIVISA SIN EMPRESA"]),
        entry(6, "SUCESION INDIVISA CON NEGOCIO", &["SUCESION INDIVISA CON EMPRESA UNIPERSONAL"]),
        entry(7, "EMPRESA INDIVIDUAL DE RESP. LTDA", &["EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA"]),
        entry(8, "SOCIEDAD CIVIL", &[]),
        entry(9, "SOCIEDAD IRREGULAR", &[]),
        entry(10, "ASOCIACION EN PARTICIPACION", &[]),
        entry(11, "ASOCIACION", &[]),
        entry(12, "FUNDACION", &[]),
        entry(13, "SOCIEDAD EN COMANDITA SIMPLE", &["SOC. EN COMANDITA SIMPLE"]),
        entry(14, "SOCIEDAD COLECTIVA", &["SOC. COLECTIVA"]),
        entry(15, "INSTITUCIONES PUBLICAS", &[]),
        entry(16, "INSTITUCIONES RELIGIOSAS", &[]),
        entry(17, "SOCIEDAD DE BENEFICENCIA", &["SOC. DE BENEFICENCIA"]),
        entry(18, "ENTIDADES DE AUXILIO MUTUO", &[]),
        entry(
            19,
            "UNIVERS. CENTROS EDUC. Y CULT.",
            &["UNIVERS., CENTROS EDUCAT. Y CULT.", "UNIVERSIDADES CENTROS EDUCATIVOS Y CULTURALES"],
        ),
        entry(20, "GOBIERNO REGIONAL, LOCAL", &[]),
        entry(21, "GOBIERNO CENTRAL", &[]),
        entry(22, "COMUNIDAD LABORAL", &[]),
        entry(23, "COMUNIDAD CAMPESINA, NATIVA, COMUNAL", &["COMUNIDAD CAMPESINA NATIVA"]),
        entry(24, "COOPERATIVAS, SAIS, CAPS", &[]),
        entry(25, "EMPRESA DE PROPIEDAD SOCIAL", &[]),
        entry(26, "SOCIEDAD ANONIMA", &[]),
        entry(27, "SOCIEDAD EN COMANDITA POR ACCIONES", &["SOC. EN COMANDITA POR ACCIONES"]),
        entry(28, "SOC.COM.RESPONS. LTDA", &["SOCIEDAD COMERCIAL DE RESPONSABILIDAD LIMITADA"]),
        entry(29, "SUCURSALES O AGENCIA DE EMP.EXTRANJ.", &["SUC., AG. EMP. EXTRANJ., EST. PERM. NO DOM."]),
        entry(30, "EMPRESA DE DERECHO PUBLICO", &[]),
        entry(31, "EMPRESA ESTATAL DE DERECHO PRIVADO", &[]),
        entry(32, "EMPRESA DE ECONOMIA MIXTA", &[]),
        entry(33, "ACCIONARIADO DEL ESTADO", &[]),
        entry(34, "MISIONES DIPLOMATICAS Y ORG. INTER.", &[]),
        entry(35, "JUNTA DE PROPIETARIOS", &[]),
        entry(36, "OF. REPRESENTACION DE NO DOMICILIADO", &[]),
        entry(37, "FONDOS MUTUOS DE INVERSION", &[]),
        entry(38, "SOCIEDAD ANONIMA ABIERTA", &[]),
        entry(39, "SOCIEDAD ANONIMA CERRADA", &[]),
        entry(40, "CONTRATOS COLABORACION EMPRESARIAL", &[]),
        entry(41, "ENT.INST.COOPERAC.TECNICA - ENIEX", &[]),
        entry(42, "COMUNIDAD DE BIENES", &[]),
        entry(43, "SOCIEDAD MINERA DE RESP. LIMITADA", &["SOC. MINERA DE RESP. LIMITADA"]),
        entry(44, "ASOC., FUNDAC. Y COMITE NO INSCRITOS", &[]),
        entry(45, "PARTIDOS, MOVIM, ALIANZAS POLITICAS", &[]),
        entry(46, "ASOC. DE HECHO DE PROFESIONALES", &[]),
        entry(47, "CAFAES Y SUBCAFAES", &[]),
        entry(48, "SINDICATOS Y FEDERACIONES", &[]),
        entry(49, "COLEGIOS PROFESIONALES", &[]),
        entry(50, "COMITES INSCRITOS", &[]),
        entry(51, "ORGANIZACIONES SOCIALES DE BASE", &[]),
    ];
}

const fn entry(code: u8, text: &'static str, wordings: &'static [&'static str]) -> TaxpayerType {
    TaxpayerType { code, text, wordings }
}

impl fmt::Display for TaxpayerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

text_value!(TaxpayerType, TaxpayerTypeError, Self::parse, "a type of taxpayer");
