//! What a password must be: long enough, and not among the first that an attacker tries. There is no rule about its
//! characters: such rules make passwords worse.

use thiserror::Error;

/// Fewest characters.
pub const SHORTEST: usize = 8;
/// Most characters: beyond this a hash only costs more.
pub const LONGEST: usize = 128;

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeakPassword {
    /// Shorter than eight characters.
    #[error("a password has from {SHORTEST} to {LONGEST} characters, this has {found}")]
    Short {
        /// Characters found.
        found: usize,
    },
    /// Longer than 128 characters.
    #[error("a password has from {SHORTEST} to {LONGEST} characters, this has {found}")]
    Long {
        /// Characters found.
        found: usize,
    },
    /// Among the first that are tried, or made of the address or the service's name.
    #[error("this password is among the first that are tried, choose another")]
    Common,
}

/// Common choices, without the blanks, signs and digits that people put around them.
const STEMS: [&str; 84] = [
    "password",
    "passw0rd",
    "contrasena",
    "contraseña",
    "clave",
    "claveclave",
    "qwerty",
    "qwertyuiop",
    "asdfgh",
    "asdfghjk",
    "zxcvbnm",
    "1q2w3e4r",
    "q1w2e3r4",
    "1qaz2wsx",
    "zaq12wsx",
    "abc",
    "abcd",
    "abcdef",
    "abcdefgh",
    "a1b2c3d4",
    "iloveyou",
    "teamo",
    "tequiero",
    "amor",
    "princesa",
    "princess",
    "dragon",
    "monkey",
    "football",
    "futbol",
    "baseball",
    "superman",
    "batman",
    "pokemon",
    "starwars",
    "sunshine",
    "welcome",
    "bienvenido",
    "hola",
    "letmein",
    "admin",
    "administrador",
    "administrator",
    "root",
    "usuario",
    "user",
    "test",
    "prueba",
    "demo",
    "guest",
    "invitado",
    "secret",
    "secreto",
    "master",
    "shadow",
    "michael",
    "jesus",
    "cristo",
    "dios",
    "maria",
    "jose",
    "juan",
    "carlos",
    "luis",
    "ana",
    "peru",
    "lima",
    "arequipa",
    "cusco",
    "trujillo",
    "alianza",
    "alianzalima",
    "universitario",
    "cristal",
    "sunat",
    "kuraka",
    "empresa",
    "factura",
    "boleta",
    "sistema",
    "sistemas",
    "ventas",
    "contabilidad",
    "computer",
];

/// Checks a password for the owner of this address.
///
/// # Errors
/// [`WeakPassword`].
pub fn check(password: &str, email: &str) -> Result<(), WeakPassword> {
    let found = password.chars().count();
    if found < SHORTEST {
        return Err(WeakPassword::Short { found });
    }
    if found > LONGEST {
        return Err(WeakPassword::Long { found });
    }
    let lower = password.to_lowercase();
    let core = lower.trim_matches(|c: char| !c.is_alphabetic());
    let (name, host) = email.split_once('@').unwrap_or((email, ""));
    let company = host.split('.').next().unwrap_or_default();
    let is_guessed = core.is_empty()
        || STEMS.contains(&core)
        || STEMS.contains(&lower.as_str())
        || is_run(&lower)
        || is_one_thing_again_and_again(&lower)
        || [name, company, email].iter().any(|own| own.chars().count() >= 3 && core == own.to_lowercase());
    if is_guessed { Err(WeakPassword::Common) } else { Ok(()) }
}

/// Whether each character follows the one before: `12345678`, `hgfedcba`.
fn is_run(text: &str) -> bool {
    let codes: Vec<i64> = text.chars().map(|c| i64::from(u32::from(c))).collect();
    let by = |step: i64| codes.iter().zip(codes.iter().skip(1)).all(|(one, next)| next - one == step);
    by(1) || by(-1)
}

/// Whether up to four characters are all there is: `aaaaaaaa`, `abcabcabc`.
fn is_one_thing_again_and_again(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    (1..=4).any(|length| {
        let shifted = characters.iter().skip(length);
        characters.iter().zip(shifted).all(|(one, next)| one == next)
    })
}
