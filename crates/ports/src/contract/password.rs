//! What [`PasswordHasher`] promises.

use std::iter::repeat_n;
use std::sync::Arc;

use super::{begin_and_drop, together};
use crate::{PasswordError, PasswordHasher};

const PASSWORD: &str = "cuatro caballos verdes";

/// Case, blanks at the ends and accents are significant.
pub async fn a_password_fits_its_own_hash_only<H: PasswordHasher>(hasher: Arc<H>) {
    let hash = hash(&*hasher, PASSWORD).await;
    assert!(verify(&*hasher, PASSWORD, &hash).await);
    for other in ["", "Cuatro caballos verdes", "cuatro caballos verdes ", "cuatro caballos vérdes"] {
        assert!(!verify(&*hasher, other, &hash).await, "{other:?}");
    }
    assert!(hash.starts_with('$') && !hash.contains("caballos"), "{hash:?}");
    assert!(hasher.is_current(&hash) && !hasher.is_current("$argon2i$v=19$m=64,t=2,p=1$c29tZXNhbHQ$aGFzaA"));
    assert_ne!(hasher.hash(PASSWORD).await.expect("a hasher that works"), hash, "each has its own salt");
}

/// Not even the empty password fits it.
pub async fn the_placeholder_is_a_current_hash_of_no_password<H: PasswordHasher>(hasher: Arc<H>) {
    assert!(hasher.is_current(hasher.placeholder()));
    assert!(!verify(&*hasher, "", hasher.placeholder()).await);
}

/// It is not reported as a wrong password.
pub async fn a_text_that_is_no_hash_is_an_error<H: PasswordHasher>(hasher: Arc<H>) {
    for text in ["", "secret", "$argon2id$", "$bcrypt$v=1$abc$def"] {
        let checked = hasher.verify("secret", text).await;
        assert!(matches!(checked, Err(PasswordError::Failed(_))), "{text:?}: {checked:?}");
    }
}

/// More callers than are served concurrently.
pub async fn each_of_many_callers_gets_its_own_answer<H: PasswordHasher>(hasher: Arc<H>) {
    let hash = hash(&*hasher, PASSWORD).await;
    let each = repeat_n([(PASSWORD, hash.clone()), ("otro", hash)], 3).flatten();
    let verify = |hasher: Arc<H>, (password, hash): (&'static str, String)| async move {
        verify(&*hasher, password, &hash).await == (password == PASSWORD)
    };
    assert!(together(&hasher, each, verify).await.into_iter().all(|right| right));
}

pub async fn a_cancelled_call_frees_its_turn<H: PasswordHasher>(hasher: Arc<H>) {
    for _ in 0..64 {
        begin_and_drop(hasher.hash(PASSWORD));
    }
    a_password_fits_its_own_hash_only(hasher).await;
}

async fn hash<H: PasswordHasher>(hasher: &H, password: &str) -> String {
    hasher.hash(password).await.expect("a hasher that works")
}

async fn verify<H: PasswordHasher>(hasher: &H, password: &str, hash: &str) -> bool {
    hasher.verify(password, hash).await.expect("a hasher that works")
}
