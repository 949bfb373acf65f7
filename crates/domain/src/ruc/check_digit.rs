//! The eleventh digit of a RUC, by modulo 11.
//!
//! The first ten digits are weighted and summed; the check digit is 11 − (sum mod 11),
//! where 10 is written 0 and 11 is written 1.
//! Prefixes and lengths are unknown here.

/// Weights of the first ten digits, from the left. The check digit itself weighs nothing.
const WEIGHTS: [u32; 11] = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 0];

/// The check digit that the first ten of these digits (values 0 to 9) demand; the eleventh is not looked at.
pub(super) fn check_digit(digits: &[u8; 11]) -> u8 {
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(&digit, weight)| u32::from(digit) * weight).sum();
    ((11 - sum % 11) % 10) as u8
}
