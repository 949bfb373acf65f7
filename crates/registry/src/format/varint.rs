//! Numbers of one to five bytes: seven bits each, low bits first; the high bit means that more follow.

pub(crate) fn push(out: &mut Vec<u8>, value: u32) {
    let (bytes, length) = encode(value);
    let end = out.len() + length;
    out.extend_from_slice(&bytes);
    out.truncate(end);
}

/// Without a branch on the length, which cannot be predicted.
#[inline]
fn encode(value: u32) -> ([u8; 8], usize) {
    let significant = u32::BITS - (value | 1).leading_zeros();
    let length = significant.div_ceil(7) as usize;
    let value = u64::from(value);
    let spread = [0, 7, 14, 21, 28].iter().fold(0, |spread, &low| spread | (value >> low & 0x7f) << (low / 7 * 8));
    let more = 0x80_8080_8080_u64 & !(u64::MAX << (8 * (length - 1)));
    ((spread | more).to_le_bytes(), length)
}

/// Takes one from the front; `None` if the bytes end early or it exceeds 32 bits.
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
