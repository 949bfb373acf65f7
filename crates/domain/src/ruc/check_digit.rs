//! The eleventh digit of a RUC, by modulo 11.
//!
//! The check digit is 11 − (sum mod 11), where the sum is over the first ten digits with their weights.
//! A result of 10 is written 0, and a result of 11 is written 1.

/// Weights of the first ten digits, from the left. The check digit has the weight 0.
const WEIGHTS: [u32; 11] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 0];

/// Computes the check digit from the first ten of these digits (values 0 to 9) and ignores the eleventh.
pub(super) fn check_digit(digits: &[u8; 11]) -> u8 {
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(&digit, weight)| u32::from(digit) * weight).sum();
    ((11 - sum % 11) % 10) as u8
}
