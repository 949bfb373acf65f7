//! The record's fields, by their names in a provider's file.

use std::fmt;

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $($(#[$doc])* $variant,)+
        }

        impl Field {
            /// In the record's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

fields! {
    /// The RUC of the answer, 11 digits as text or number; compared with the requested one.
    Ruc = "ruc";
    Name = "name";
    Status = "status";
    Condition = "condition";
    /// Street and number, without district, province and department.
    Address = "address";
    District = "district";
    Province = "province";
    Department = "department";
    TaxpayerType = "taxpayer_type";
    Registered = "registered";
    /// Economic activities, as `Principal - 4711 - DESCRIPTION` or `4711 - DESCRIPTION`.
    Activities = "activities";
    TradeName = "trade_name";
    /// Day on which activities began.
    ActivitiesStarted = "activities_started";
    Deregistered = "deregistered";
    IssuingSystem = "issuing_system";
    ForeignTrade = "foreign_trade";
    AccountingSystem = "accounting_system";
    /// Kinds of printed vouchers.
    AuthorisedVouchers = "authorised_vouchers";
    /// Systems of electronic issuing.
    ElectronicSystems = "electronic_systems";
    /// Day since which vouchers are issued electronically.
    ElectronicSince = "electronic_since";
    /// Kinds of electronic vouchers.
    ElectronicVouchers = "electronic_vouchers";
    /// Day since which electronic books are kept.
    ElectronicBooksSince = "electronic_books_since";
    /// Official lists that the taxpayer is or was on.
    Padrones = "padrones";
}

impl Field {
    pub(super) const MANDATORY: [Self; 4] = [Self::Ruc, Self::Name, Self::Status, Self::Condition];
    /// A full address, in order. A file has all of them or none.
    pub(super) const ADDRESS: [Self; 4] = [Self::Address, Self::District, Self::Province, Self::Department];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|field| field.name() == name)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
