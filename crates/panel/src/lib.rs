//! The account panel.
