//! Writes an envelope as JSON: a fast form of its `Serialize`, with the same bytes.

use std::time::Duration;

/// Appends the envelope of a record, which `write` appends as JSON.
///
/// # Errors
/// Any error of `write`.
pub fn write_envelope(
    out: &mut Vec<u8>,
    time: Duration,
    write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
) -> serde_json::Result<()> {
    out.extend_from_slice(br#"{"success":true,"code":"found","retryable":false,"data":"#);
    write(out)?;
    out.extend_from_slice(br#","time":"#);
    write_seconds(out, time);
    out.push(b'}');
    Ok(())
}

/// A flag of a list; `None` = this server does not use the list.
pub(crate) const fn flag(set: Option<bool>) -> &'static str {
    match set {
        Some(true) => "SI",
        Some(false) => "NO",
        None => "",
    }
}

/// Appends strings, each with its quotes and after the text before it.
pub(crate) fn write_texts<const N: usize>(
    out: &mut Vec<u8>,
    texts: [(&'static str, &str); N],
) -> serde_json::Result<()> {
    for (before, text) in texts {
        out.extend_from_slice(before.as_bytes());
        write_text(out, text)?;
    }
    Ok(())
}

/// Appends a string with its quotes.
fn write_text(out: &mut Vec<u8>, text: &str) -> serde_json::Result<()> {
    // Looks at every byte, also after the first escape: the compiler then compares many at once.
    let escapes = text.bytes().fold(false, |found, byte| found | (byte < b' ') | (byte == b'"') | (byte == b'\\'));
    if escapes {
        return serde_json::to_writer(out, text);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
    Ok(())
}

/// Appends seconds as the shortest number that is read as the same float.
fn write_seconds(out: &mut Vec<u8>, time: Duration) {
    let (seconds, micros) = (time.as_secs(), time.subsec_micros());
    if seconds == 0 && (1..10).contains(&micros) {
        out.extend_from_slice(itoa::Buffer::new().format(micros).as_bytes());
        out.extend_from_slice(b"e-6");
        return;
    }
    out.extend_from_slice(itoa::Buffer::new().format(seconds).as_bytes());
    // A 1 in front keeps the zeros of the fraction.
    let mut digits = itoa::Buffer::new();
    let fraction = digits.format(1_000_000 + micros).trim_end_matches('0');
    out.push(b'.');
    out.extend_from_slice(fraction.get(1..).filter(|digits| !digits.is_empty()).unwrap_or("0").as_bytes());
}
