//! The record's fields, by their names in a provider's file.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 11 digits, as text or number.
    Ruc,
    Text,
    /// A day, with or without a time.
    Date,
    /// An array of texts, or one text.
    Texts,
}

macro_rules! fields {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $form:ident;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

            pub(super) const fn form(self) -> Form {
                match self {
                    $(Self::$variant => Form::$form,)+
                }
            }
        }
    };
}

fields! {
    /// The RUC of the answer; compared with the requested one.
    Ruc = "ruc", Ruc;
    Name = "name", Text;
    Status = "status", Text;
    Condition = "condition", Text;
    /// Street and number, without district, province and department.
    Address = "address", Text;
    District = "district", Text;
    Province = "province", Text;
    Department = "department", Text;
    TaxpayerType = "taxpayer_type", Text;
    Registered = "registered", Date;
    /// Economic activities, as `Principal - 4711 - DESCRIPTION` or `4711 - DESCRIPTION`.
    Activities = "activities", Texts;
    TradeName = "trade_name", Text;
    /// Day on which activities began.
    ActivitiesStarted = "activities_started", Date;
    Deregistered = "deregistered", Date;
    IssuingSystem = "issuing_system", Text;
    ForeignTrade = "foreign_trade", Text;
    AccountingSystem = "accounting_system", Text;
    /// Kinds of printed vouchers.
    AuthorisedVouchers = "authorised_vouchers", Texts;
    /// Systems of electronic issuing.
    ElectronicSystems = "electronic_systems", Texts;
    /// Day since which vouchers are issued electronically.
    ElectronicSince = "electronic_since", Date;
    /// Kinds of electronic vouchers.
    ElectronicVouchers = "electronic_vouchers", Texts;
    /// Day since which electronic books are kept.
    ElectronicBooksSince = "electronic_books_since", Date;
    /// Official lists that the taxpayer is or was on.
    Padrones = "padrones", Texts;
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
