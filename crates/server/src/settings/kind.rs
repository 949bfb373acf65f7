//! Kinds of values: how a text becomes a setting's value.

use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use jiff::SignedDuration;
use kuraka_adapters::mail::{MailServer, is_sender};
use kuraka_adapters::store::StoreAddress;
use kuraka_domain::{DatasetRole, Ruc};
use kuraka_panel::{Brand, Colour};
use kuraka_ports::{Email, PlanName};
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::months::Month;
use secrecy::SecretString;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// A kind of values. A type is its own kind if all its values are valid.
pub(super) trait Kind {
    /// The type of the values.
    type Value;
    /// Whether it is never shown. Its blanks count then, and a file may contain it.
    const IS_SECRET: bool = false;

    /// Follows the words "the setting must be".
    fn expected() -> String;

    /// The text has no blanks around it unless secret; `None` = invalid.
    fn parse(text: &str) -> Option<Self::Value>;
}

macro_rules! kinds {
    ($($kind:ty => $value:ty $([$secret:ident])?, $expected:expr, $parse:expr;)+) => {$(
        impl Kind for $kind {
            type Value = $value;
            $(const $secret: bool = true;)?

            fn expected() -> String {
                $expected.to_string()
            }

            fn parse(text: &str) -> Option<$value> {
                let parse: fn(&str) -> Option<$value> = $parse;
                parse(text)
            }
        }
    )+};
}

kinds! {
    bool => bool, "true or false", |text| text.parse().ok();
    BrandName => String, "1 to 40 letters, digits, blanks or .,-&'()/+", |text| is_brand_name(text).then(|| text.to_owned());
    ClientId => String [IS_SECRET], "printable ASCII without blanks", |text| text_of(text, u8::is_ascii_graphic);
    Colour => Colour, "a dark colour such as #a3123f", Brand::colour;
    Email => Email, "an e-mail address", |text| Email::parse(text).ok();
    Enabled => Vec<&'static Dataset>, format!("all, or names of datasets; the datasets are {}", dataset::names()), enabled;
    Confirmation => Option<bool>, "true, false or off", |text| match text {
        "" => Some(None),
        "true" => Some(Some(true)),
        "false" | "off" | "0" => Some(Some(false)),
        _ => None,
    };
    FirstMonth => Option<Month>, "a month such as 2024-11, or 24 months back",
        |text| if text == "24 months back" { Some(None) } else { text.parse().ok().map(Some) };
    HeaderText => String, "printable ASCII", |text| text_of(text, |byte| matches!(byte, b' '..=b'~'));
    IpNet => IpNet, "an address or a network such as 10.0.0.0/8",
        |text| text.parse().ok().or_else(|| text.parse::<IpAddr>().map(IpNet::from).ok());
    LogFilter => String, "off, error, warn, info, debug or trace, or a filter such as warn,kuraka=debug", log_filter;
    LogFormat => LogFormat, "auto, json or text", |text| match text {
        "auto" => Some(LogFormat::Auto),
        "json" => Some(LogFormat::Json),
        "text" => Some(LogFormat::Text),
        _ => None,
    };
    MailServer => MailServer, "an address such as smtps://user@host:465, without a password", |text| text.parse().ok();
    PathBuf => PathBuf, "a path", |text| (!text.is_empty()).then(|| text.into());
    PlanName => PlanName, "the name of a plan in the settings", |text| PlanName::parse(text).ok();
    PublicUrl => String, "an address such as https://api.example.pe, without a path", public_url;
    Ruc => Ruc, "a RUC of 11 digits", |text| text.parse().ok();
    SecretString => SecretString [IS_SECRET], "a text", |text| Some(text.into());
    Sender => String, "an address such as Kuraka <kuraka@example.pe>", |text| is_sender(text).then(|| text.to_owned());
    SocketAddr => SocketAddr, "an address and a port, such as 127.0.0.1:8080", |text| text.parse().ok();
    StoreAddress => StoreAddress [IS_SECRET], format!("an address such as {STORE_ADDRESS}"), store_address;
    String => String, "a text", |text| Some(text.into());
    WebAddress => String, "the full http or https address", |text| host(text).map(|_| text.to_owned());
}

/// The name that pages show.
pub(super) enum BrandName {}

pub(super) enum ClientId {}

/// `None` = the default.
pub(super) enum Confirmation {}

pub(super) enum Enabled {}

/// `None` = the default.
pub(super) enum FirstMonth {}

pub(super) enum HeaderText {}

pub(super) enum LogFilter {}

/// This server's address, without a final `/`.
pub(super) enum PublicUrl {}

/// The sender of mails.
pub(super) enum Sender {}

/// An address for requests, perhaps with placeholders in braces.
pub(super) enum WebAddress {}

/// The format of the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, else JSON.
    Auto,
    /// One JSON object per line.
    Json,
    /// Lines for people.
    Text,
}

pub(super) struct Whole<const MIN: u64, const MAX: u64, T = u64>(PhantomData<T>);

impl<const MIN: u64, const MAX: u64, T: TryFrom<u64>> Kind for Whole<MIN, MAX, T> {
    type Value = T;

    fn expected() -> String {
        format!("a whole number from {MIN} to {MAX}")
    }

    fn parse(text: &str) -> Option<T> {
        T::try_from(text.parse().ok().filter(|number| (MIN..=MAX).contains(number))?).ok()
    }
}

/// In milliseconds.
pub(super) enum Time<const MIN: i64, const MAX: i64> {}

impl<const MIN: i64, const MAX: i64> Kind for Time<MIN, MAX> {
    type Value = Duration;

    fn expected() -> String {
        let [least, most] = [MIN, MAX].map(SignedDuration::from_millis);
        format!("a time with its unit, such as 5s, from {least:#} to {most:#}")
    }

    fn parse(text: &str) -> Option<Duration> {
        let [least, most] = [MIN, MAX].map(SignedDuration::from_millis);
        Duration::try_from(text.parse().ok().filter(|time| (least..=most).contains(time))?).ok()
    }
}

/// `None` for an empty text, or `off` or `0` of a setting that is no secret.
impl<K: Kind> Kind for Option<K> {
    type Value = Option<K::Value>;
    const IS_SECRET: bool = K::IS_SECRET;

    fn expected() -> String {
        K::expected() + if K::IS_SECRET { "" } else { ", or off" }
    }

    fn parse(text: &str) -> Option<Self::Value> {
        let is_none = text.is_empty() || !K::IS_SECRET && matches!(text, "off" | "0");
        if is_none { Some(None) } else { K::parse(text).map(Some) }
    }
}

/// Comma-separated texts.
impl<K: Kind> Kind for Vec<K> {
    type Value = Vec<K::Value>;
    const IS_SECRET: bool = K::IS_SECRET;

    fn expected() -> String {
        format!("a list of which each item is {}", K::expected())
    }

    fn parse(text: &str) -> Option<Self::Value> {
        text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(K::parse).collect()
    }
}

fn is_brand_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || " .,-&'()/+".contains(c);
    (1..=40).contains(&text.chars().count()) && text.chars().all(is_plain)
}

fn text_of(text: &str, fits: fn(&u8) -> bool) -> Option<String> {
    text.bytes().all(|byte| fits(&byte)).then(|| text.to_owned())
}

fn log_filter(text: &str) -> Option<String> {
    // An unknown word would be a module's name and silence all others.
    let is_level = |part: &str| part.contains(['=', '[']) || part.trim().parse::<LevelFilter>().is_ok();
    (!text.is_empty() && text.split(',').all(is_level) && EnvFilter::try_new(text).is_ok()).then(|| text.to_owned())
}

/// What follows `http://` or `https://`.
fn host(url: &str) -> Option<&str> {
    url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))
}

fn public_url(text: &str) -> Option<String> {
    // The panel compares it with `Origin` and puts it before paths.
    let url = text.strip_suffix('/').unwrap_or(text);
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:-[]".contains(&byte);
    host(url).filter(|host| !host.is_empty() && host.bytes().all(fits)).map(|_| url.to_owned())
}

fn enabled(text: &str) -> Option<Vec<&'static Dataset>> {
    let names = Vec::<String>::parse(text)?;
    let is_known = |name: &String| name == "all" || dataset::named(name).is_ok();
    let is_named = |name: &str| names.iter().any(|named| named == "all" || named == name);
    let is_padron = |dataset: &Dataset| dataset.role == DatasetRole::Summary;
    let is_enabled = |dataset: &&'static Dataset| is_padron(dataset) || is_named(dataset.name);
    names.iter().all(is_known).then(|| dataset::described().filter(is_enabled).collect())
}

/// Examples of store addresses.
pub const STORE_ADDRESS: &str = "sqlite:///var/lib/kuraka/kuraka.db or postgres://user:password@host:5432/kuraka";

/// Parses a store's address in the form of [`STORE_ADDRESS`].
pub fn store_address(text: &str) -> Option<StoreAddress> {
    let text = text.trim();
    match text.strip_prefix("sqlite:").map(|rest| rest.strip_prefix("//").unwrap_or(rest)) {
        Some("") => None,
        Some(path) => Some(StoreAddress::Sqlite(PathBuf::from(path))),
        None => text.parse().ok().map(StoreAddress::Postgres),
    }
}
