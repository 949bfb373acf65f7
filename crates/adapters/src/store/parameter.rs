//! Values as the parameters of statements.

use jiff::Timestamp;
use kuraka_ports::StoredValue;

/// A value that a statement takes.
pub(super) trait Parameter: Sync {
    fn value(&self) -> StoredValue;

    /// For `None`: nulls have types too.
    fn null() -> StoredValue
    where
        Self: Sized,
    {
        StoredValue::Integer(None)
    }
}

pub(super) type Parameters<'a> = &'a [&'a dyn Parameter];

pub(super) fn all<T: Parameter>(values: &[T]) -> Vec<&dyn Parameter> {
    values.iter().map(|value| value as &dyn Parameter).collect()
}

/// At most `i64::MAX`.
pub(super) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Parameter for i64 {
    fn value(&self) -> StoredValue {
        StoredValue::Integer(Some(*self))
    }
}

impl Parameter for u32 {
    fn value(&self) -> StoredValue {
        i64::from(*self).value()
    }
}

impl Parameter for u64 {
    fn value(&self) -> StoredValue {
        integer(*self).value()
    }
}

impl Parameter for bool {
    fn value(&self) -> StoredValue {
        i64::from(*self).value()
    }
}

/// In microseconds.
impl Parameter for Timestamp {
    fn value(&self) -> StoredValue {
        self.as_microsecond().value()
    }
}

impl Parameter for &str {
    fn value(&self) -> StoredValue {
        StoredValue::Text(Some((*self).to_owned()))
    }

    fn null() -> StoredValue {
        StoredValue::Text(None)
    }
}

impl Parameter for String {
    fn value(&self) -> StoredValue {
        self.as_str().value()
    }

    fn null() -> StoredValue {
        StoredValue::Text(None)
    }
}

impl Parameter for &[u8] {
    fn value(&self) -> StoredValue {
        StoredValue::Bytes(Some(self.to_vec()))
    }
}

impl<const N: usize> Parameter for [u8; N] {
    fn value(&self) -> StoredValue {
        self.as_slice().value()
    }
}

impl<T: Parameter> Parameter for Option<T> {
    fn value(&self) -> StoredValue {
        self.as_ref().map_or_else(T::null, T::value)
    }
}

impl Parameter for StoredValue {
    fn value(&self) -> StoredValue {
        self.clone()
    }
}
