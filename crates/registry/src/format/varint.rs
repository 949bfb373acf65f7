//! Numbers in as few bytes as they need: seven bits per byte, low bits first; the high bit means that more bytes
//! follow.

/// Appends `value`, one to five bytes.
pub(crate) fn push(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads one number at the front; `None` if the bytes end early or the number exceeds 32 bits.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u32::from(byte & 0x7f);
        if shift == 28 && bits > 0x0f {
            return None;
        }
        value |= bits << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_of_number_reads_back() {
        for value in [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, u32::MAX] {
            let mut bytes = Vec::new();
            push(&mut bytes, value);
            let mut rest = bytes.as_slice();
            assert_eq!(take(&mut rest), Some(value));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn a_cut_or_oversized_number_is_refused() {
        assert_eq!(take(&mut [].as_slice()), None);
        assert_eq!(take(&mut [0x80].as_slice()), None);
        assert_eq!(take(&mut [0xff, 0xff, 0xff, 0xff, 0x1f].as_slice()), None);
        assert_eq!(take(&mut [0x80, 0x80, 0x80, 0x80, 0x80, 0x01].as_slice()), None);
    }
}
