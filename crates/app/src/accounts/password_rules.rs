//! Rules for passwords: long enough, and not an attacker's first guess. Rules about characters lead to weaker
//! passwords.

use thiserror::Error;

pub const MIN_CHARS: usize = 8;
/// A longer password makes hashing slower without being safer.
pub const MAX_CHARS: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeakPasswordError {
    #[error("a password has from {MIN_CHARS} to {MAX_CHARS} characters, this has {found}")]
    Short { found: usize },
    #[error("a password has from {MIN_CHARS} to {MAX_CHARS} characters, this has {found}")]
    Long { found: usize },
    /// A common password, or one built from the owner's address or the service's name.
    #[error("this password is among the first that are tried, choose another")]
    Common,
}

/// Common passwords without surrounding signs and digits.
const STEMS: &str = "\
    password passw0rd contrasena contraseña clave claveclave qwerty qwertyuiop asdfgh asdfghjk zxcvbnm 1q2w3e4r \
    q1w2e3r4 1qaz2wsx zaq12wsx abc abcd abcdef abcdefgh a1b2c3d4 iloveyou teamo tequiero amor princesa princess \
    dragon monkey football futbol baseball superman batman pokemon starwars sunshine welcome bienvenido hola letmein \
    admin administrador administrator root usuario user test prueba demo guest invitado secret secreto master shadow \
    michael jesus cristo dios maria jose juan carlos luis ana peru lima arequipa cusco trujillo alianza alianzalima \
    universitario cristal sunat kuraka empresa factura boleta sistema sistemas ventas contabilidad computer";

/// # Errors
/// [`WeakPasswordError`].
pub fn check(password: &str, email: &str) -> Result<(), WeakPasswordError> {
    let found = password.chars().count();
    if found < MIN_CHARS {
        return Err(WeakPasswordError::Short { found });
    }
    if found > MAX_CHARS {
        return Err(WeakPasswordError::Long { found });
    }
    let lower = password.to_lowercase();
    let core = lower.trim_matches(|c: char| !c.is_alphabetic());
    let (name, host) = email.split_once('@').unwrap_or((email, ""));
    let company = host.split('.').next().unwrap_or_default();
    let is_guessed = core.is_empty()
        || STEMS.split(' ').any(|stem| stem == core || stem == lower)
        || is_run(&lower)
        || is_repetition(&lower)
        || [name, company, email].iter().any(|own| own.chars().count() >= 3 && core == own.to_lowercase());
    if is_guessed { Err(WeakPasswordError::Common) } else { Ok(()) }
}

/// Whether each character follows the previous one: `12345678`, `hgfedcba`.
fn is_run(text: &str) -> bool {
    let codes: Vec<i64> = text.chars().map(|c| i64::from(u32::from(c))).collect();
    let by = |step: i64| codes.iter().zip(codes.iter().skip(1)).all(|(one, next)| next - one == step);
    by(1) || by(-1)
}

/// Whether the text repeats one to four characters: `aaaaaaaa`, `abcabcabc`.
fn is_repetition(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    (1..=4).any(|length| {
        let shifted = characters.iter().skip(length);
        characters.iter().zip(shifted).all(|(one, next)| one == next)
    })
}
