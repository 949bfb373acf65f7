//! Texts for comparison: without case, accents and punctuation.

/// `text` in upper case without accents, each run of other characters than letters and digits as one blank.
///
/// Names of columns and the wordings of values differ in these from file to file.
pub(crate) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars().flat_map(char::to_uppercase).map(without_accent) {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push(' ');
            }
            gap = false;
            out.push(c);
        } else {
            gap = true;
        }
    }
    out
}

/// `text` in upper case without accents, its punctuation kept.
#[must_use]
pub fn without_accents(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).map(without_accent).collect()
}

const fn without_accent(c: char) -> char {
    match c {
        'Á' | 'À' => 'A',
        'É' | 'È' => 'E',
        'Í' | 'Ì' => 'I',
        'Ó' | 'Ò' => 'O',
        'Ú' | 'Ù' | 'Ü' => 'U',
        'Ñ' => 'N',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_accents_keeps_its_punctuation() {
        assert_eq!(without_accents("Soc. Com. de Resp. Ltda., año/núñez"), "SOC. COM. DE RESP. LTDA., ANO/NUNEZ");
    }

    #[test]
    fn case_accents_and_punctuation_are_ignored() {
        for (text, expected) in [
            (" RUC", "RUC"),
            ("Código de\nZona ", "CODIGO DE ZONA"),
            ("Nombre/Razon", "NOMBRE RAZON"),
            ("SOC.COM.RESPONS. LTDA", "SOC COM RESPONS LTDA"),
            ("Año", "ANO"),
            ("|--|", ""),
        ] {
            assert_eq!(folded(text), expected);
        }
    }
}
