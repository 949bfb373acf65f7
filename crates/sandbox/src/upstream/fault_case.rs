//! The documented outcomes: invented companies, each with one fault, so that one request shows it.
//!
//! Outcome number `NNN` has three RUCs. Requests for `2099998NNN…` have the fault only at SUNAT (its page, and its
//! voucher service if that RUC is the issuer), for `2099997NNN…` only at the providers, for `2099996NNN…` at both.

use std::time::Duration;

use kuraka_domain::{Ruc, RucKind};

use super::Target;
use super::fault::{Alteration, Coding, Delivery, Fault, Framing, Page, RedirectTo, Replacement};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCase {
    /// Its number, which is part of its RUCs.
    pub number: u16,
    pub name: &'static str,
    pub fault: Fault,
}

/// Who has the fault, with the first five of the eight digits in the middle of its RUCs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultTarget {
    /// Only SUNAT: its page, and its voucher service for vouchers of that issuer.
    Official = 99_998,
    Providers = 99_997,
    Both = 99_996,
}

impl FaultTarget {
    pub const ALL: [Self; 3] = [Self::Official, Self::Providers, Self::Both];
}

impl FaultCase {
    /// Every outcome, in the order of the numbers.
    pub const ALL: &'static [Self] = &[
        outcome(1, "late", Fault::Delivered(Delivery::Late(Duration::from_secs(2)))),
        outcome(2, "hang", Fault::Delivered(Delivery::Hang)),
        outcome(3, "hang-after-head", Fault::Delivered(Delivery::HangAfterHead)),
        outcome(4, "drip", Fault::Delivered(Delivery::Drip(Duration::from_millis(500)))),
        outcome(5, "slow", Fault::Delivered(Delivery::Slow(1024))),
        outcome(6, "sliced", Fault::Delivered(Delivery::Sliced)),
        outcome(7, "reset-before-head", Fault::Delivered(Delivery::ResetBeforeHead)),
        outcome(8, "reset-mid-body", Fault::Delivered(Delivery::ResetMidBody)),
        outcome(9, "no-status-line", Fault::Delivered(Delivery::CloseWithoutStatus)),
        outcome(10, "slow-close", Fault::Delivered(Delivery::SlowClose(Duration::from_secs(5)))),
        outcome(11, "cut-with-length", cut(Framing::Length)),
        outcome(12, "cut-chunked", cut(Framing::Chunked)),
        outcome(13, "cut-until-close", cut(Framing::UntilClose)),
        outcome(14, "huge-head", Fault::Delivered(Delivery::HugeHead)),
        outcome(15, "many-headers", Fault::Delivered(Delivery::ManyHeaders)),
        outcome(16, "two-lengths", Fault::Delivered(Delivery::TwoLengths)),
        outcome(17, "not-http", Fault::Delivered(Delivery::NotHttp)),
        outcome(18, "no-head", Fault::Delivered(Delivery::NoHead)),
        outcome(20, "windows-1252-declared", Fault::Coded(Coding::Windows1252Declared)),
        outcome(21, "windows-1252-as-utf-8", Fault::Coded(Coding::Windows1252AsUtf8)),
        outcome(22, "utf-8-declared", Fault::Coded(Coding::Utf8Declared)),
        outcome(23, "utf-8-undeclared", Fault::Coded(Coding::Utf8Undeclared)),
        outcome(24, "utf-8-as-latin-1", Fault::Coded(Coding::Utf8AsLatin1)),
        outcome(25, "utf-8-twice", Fault::Coded(Coding::Utf8Twice)),
        outcome(26, "replaced", Fault::Coded(Coding::Replaced)),
        outcome(27, "gzip", Fault::Coded(Coding::Gzip)),
        outcome(28, "gzip-bomb", Fault::Coded(Coding::GzipBomb(4 << 20))),
        outcome(29, "gzip-truncated", Fault::Coded(Coding::GzipTruncated)),
        outcome(30, "gzip-garbage", Fault::Coded(Coding::GzipGarbage)),
        outcome(40, "firewall", page(Page::Firewall)),
        outcome(41, "captcha", page(Page::Captcha)),
        outcome(42, "denied", page(Page::Denied)),
        outcome(43, "error-page", page(Page::Error)),
        outcome(44, "search-form", page(Page::SearchForm)),
        outcome(45, "maintenance", page(Page::Maintenance)),
        outcome(46, "other-format", Fault::Replaced(Replacement::OtherFormat)),
        outcome(47, "empty", Fault::Replaced(Replacement::Empty)),
        outcome(48, "no-content", Fault::Replaced(Replacement::NoContent)),
        outcome(49, "not-found", Fault::Replaced(Replacement::NotFound)),
        outcome(50, "labels-renamed", Fault::Altered(Alteration::LabelsRenamed)),
        outcome(51, "label-removed", Fault::Altered(Alteration::LabelRemoved)),
        outcome(52, "masked", Fault::Altered(Alteration::Masked)),
        outcome(53, "huge-name", Fault::Altered(Alteration::HugeName)),
        outcome(54, "wrong-values", Fault::Altered(Alteration::WrongValues)),
        outcome(55, "twice", Fault::Altered(Alteration::Twice)),
        outcome(56, "other-ruc", Fault::Altered(Alteration::OtherRuc)),
        outcome(60, "redirect-other-host", redirect(RedirectTo::OtherHost)),
        outcome(61, "redirect-itself", redirect(RedirectTo::Itself)),
        outcome(62, "redirect-search-form", redirect(RedirectTo::SearchForm)),
        outcome(70, "throttled", throttled(None)),
        outcome(71, "throttled-seconds", throttled(Some("3600"))),
        outcome(72, "throttled-date", throttled(Some("Fri, 31 Dec 2100 23:59:59 GMT"))),
        outcome(400, "status-400", status(400)),
        outcome(401, "status-401", status(401)),
        outcome(403, "status-403", status(403)),
        outcome(404, "status-404", status(404)),
        outcome(410, "status-410", status(410)),
        outcome(418, "status-418", status(418)),
        outcome(500, "status-500", status(500)),
        outcome(502, "status-502", status(502)),
        outcome(503, "status-503", status(503)),
        outcome(504, "status-504", status(504)),
    ];

    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|outcome| outcome.name == name)
    }

    /// The RUC with this fault. Never `None` for an outcome of [`FaultCase::ALL`].
    pub fn ruc(&self, fault_target: FaultTarget) -> Option<Ruc> {
        Ruc::from_parts(RucKind::LegalPerson, fault_target as u32 * 1_000 + u32::from(self.number)).ok()
    }

    pub(super) fn all() -> impl Iterator<Item = (Ruc, &'static Self)> {
        let rucs = |outcome: &'static Self| FaultTarget::ALL.map(|who| Some((outcome.ruc(who)?, outcome)));
        Self::ALL.iter().flat_map(rucs).flatten()
    }

    pub(super) fn fault_of(ruc: Ruc, target: &Target) -> Option<Fault> {
        if ruc.kind() != RucKind::LegalPerson {
            return None;
        }
        let (range, number) = (ruc.body() / 1_000, ruc.body() % 1_000);
        let fault_target = FaultTarget::ALL.into_iter().find(|who| *who as u32 == range)?;
        let suffers = match (fault_target, target) {
            (FaultTarget::Both, Target::Official | Target::Provider(_) | Target::Token | Target::Vouchers)
            | (FaultTarget::Official, Target::Official | Target::Vouchers)
            | (FaultTarget::Providers, Target::Provider(_)) => true,
            (_, Target::RateText | Target::RateSeries)
            | (FaultTarget::Official, Target::Provider(_) | Target::Token)
            | (FaultTarget::Providers, Target::Official | Target::Vouchers | Target::Token) => false,
        };
        Self::ALL.iter().find(|outcome| suffers && u32::from(outcome.number) == number).map(|outcome| outcome.fault)
    }
}

const fn outcome(number: u16, name: &'static str, fault: Fault) -> FaultCase {
    FaultCase { number, name, fault }
}

/// Cuts inside every page and every provider's answer.
const fn cut(framing: Framing) -> Fault {
    Fault::Delivered(Delivery::Cut { at: 100, framing })
}

const fn page(page: Page) -> Fault {
    Fault::Replaced(Replacement::Page(page))
}

const fn redirect(to: RedirectTo) -> Fault {
    Fault::Replaced(Replacement::Redirect(to))
}

const fn throttled(retry_after: Option<&'static str>) -> Fault {
    Fault::Replaced(Replacement::Throttled(retry_after))
}

const fn status(status: u16) -> Fault {
    Fault::Replaced(Replacement::Status(status))
}
