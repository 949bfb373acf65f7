//! Every setting, with its type, default and documentation. The reference page has the same text.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use kuraka_adapters::datasets::exchange_rates::SERIES_URL;
use kuraka_adapters::mail::MailServer;
use kuraka_adapters::sources::sunat_portal::OFFICIAL_URL;
use kuraka_adapters::sources::sunat_vouchers::{API_URL, TOKEN_URL};
use kuraka_adapters::store::StoreAddress;
use kuraka_app::plan::{MAX_BATCH_SIZES, MAX_QUERIES, MAX_RATE, MAX_WATCHED_RUCS};
use kuraka_domain::Ruc;
use kuraka_panel::Colour;
use kuraka_ports::{Email, PlanName};
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::months::Month;
use secrecy::SecretString;

use super::kind::{
    BrandName, ClientId, Confirmation, Enabled, FirstMonth, HeaderText, Kind, LogFilter, LogFormat, PublicUrl, Sender,
    Time, WebAddress, Whole,
};
use super::section::{Parsed, Row, Section, sections};

/// Below the 15 seconds that a stopping server gives to calls in progress.
type Answer = Time<100, 14_000>;
type Calls = Whole<1, { MAX_RATE as u64 }>;

sections! {
    const CATALOGUE;

    /// The settings that are in no section.
    pub(super) struct General in "" {
        /// The folder of the datasets and of the embedded store; created if it is missing.
        data_dir: PathBuf = "data",
    }

    /// The public listener.
    pub struct Http in "http." {
        /// The address and port of the API.
        bind: SocketAddr = "127.0.0.1:8080",
        /// The number of worker threads; 0 = one per processor.
        workers: Option<usize> as Option<Whole<1, 4_096, usize>> = "0",
        /// Networks whose `X-Forwarded-For` is trusted, and whose connections are not bounded per address.
        trusted_proxies: Vec<IpNet>,
        /// The address at which callers reach this server. With https the panel's cookies are sent over https only,
        /// without it they travel unencrypted.
        public_url: Option<String> as Option<PublicUrl>,
        /// How long a stopping server keeps answering while `/readyz` reports not ready, so that a load balancer sends
        /// calls elsewhere first. The service manager must wait this long plus 35 s.
        stop_delay: Duration as Time<0, 60_000> = "0s",
    }

    /// The connections of the public listener.
    pub(super) struct Connections in "http." {
        /// How long an idle connection is kept. A balancer's idle time must be shorter.
        keep_alive: Duration as Time<1_000, 3_600_000> = "75s",
        /// Connections in all; at most two thirds of the limit of open files.
        max_connections: usize as Whole<16, 1_000_000, usize> = "10000",
        /// Connections of one client address.
        max_connections_per_address: usize as Whole<1, 1_000_000, usize> = "1024",
    }

    /// The listener for the operator.
    pub(super) struct Admin in "admin." {
        /// The address and port of health, readiness, metrics and the editions' files. Do not expose it to the public
        /// network.
        bind: SocketAddr = "127.0.0.1:9464",
    }

    /// The panel.
    pub(super) struct Panel in "panel." {
        /// The plan of accounts that sign up in the panel; `off` = only `kuraka account create` creates accounts.
        sign_up: Option<PlanName> = "free",
        /// Whether a new account must first confirm its address by mail; on if `mail.server` is set.
        confirm_address: Option<bool> as Confirmation,
        /// The operator's contact, which pages show: a text, a mail address or a URL.
        contact: Option<String> as Option<String>,
        /// The service's name in the pages.
        name: String as BrandName = "Kuraka",
        /// The pages' logo: SVG or PNG, at most 64 KiB.
        logo: Option<PathBuf>,
        /// The pages' accent.
        colour: Option<Colour>,
        /// For how many days an account's list is kept after its latest run, and 400 days if it has a name; 0 = any list for
        /// an hour.
        lists_kept_days: u32 as Whole<0, 3_650, u32> = "30",
    }

    /// Mail.
    pub(super) struct Mail in "mail." {
        /// The mail server, `smtps://user@host:465` with TLS, or `smtp://user@host:587` with STARTTLS; `smtp://` to a loopback
        /// address is not encrypted; empty = no mail. It needs `mail.from` and `http.public_url`.
        server: Option<MailServer>,
        /// The sender of all mails.
        from: Option<String> as Option<Sender>,
        /// The password of the mail server's user.
        password: Option<SecretString>,
        /// E-mail address that is told of stale datasets, failing updates and refused credentials; empty = nobody.
        operator: Option<Email>,
    }

    /// The store.
    pub(super) struct Store in "store." {
        /// The database of accounts, tokens, sessions and used queries; empty = SQLite, `kuraka.db` in the data folder.
        /// Several servers share a PostgreSQL database.
        url: Option<StoreAddress>,
    }

    /// The page *Servicio*.
    pub(super) struct Status in "status." {
        /// Whether everyone sees `/estado` and `/estado.json`; `false` = `/estado` needs a log-in.
        public: bool = "false",
    }

    /// The audit log.
    pub(super) struct AuditLog in "audit." {
        /// For how many days a line of the audit log is kept, also if its account is deleted.
        kept_days: u32 as Whole<1, 3_650, u32> = "400",
    }

    /// All datasets.
    pub struct AllDatasets in "datasets." {
        /// The datasets that are served and kept up to date. Others are neither downloaded nor served, even with an
        /// edition here. `padron` always is enabled. Without `retencion` or `buenos_contribuyentes`, its flag is `""`
        /// in every answer.
        enabled: Vec<&'static Dataset> as Enabled = "all",
        /// How often the server updates the enabled datasets, and at its start; `off` = never. A publisher's file that
        /// is not published daily is checked at most once a day. Unless it is `off`, the server is not ready before it
        /// has `padron`. With `datasets.builder_url` the default is `10m`.
        update_every: Option<Duration> as Option<Time<60_000, 2_592_000_000>> = "24h",
        /// For how many days the recorded changes of each dataset are kept, counted from the edition's date or the day
        /// of recording, whichever is later.
        changes_kept_days: u32 as Whole<0, 36_500, u32> = "1830",
        /// Where another machine serves the editions that it has built, such as `http://10.0.0.5:9464/edition`. The
        /// server fetches the edition of every enabled dataset below this address, and asks no publisher; empty = this
        /// machine builds its own.
        builder_url: Option<String> as Option<WebAddress>,
    }

    /// One dataset.
    pub(super) struct OneDataset in "datasets.*." {
        /// Where the dataset's file is published; `{AAAAMM}` stands for year and month, and the newest month that exists
        /// is taken; empty = it is not downloaded.
        url: Option<String> as Option<WebAddress>,
        /// Maximum age in days at which an edition can prove absence; 0 = no limit. With an older one, a RUC that is
        /// missing in `padron`, `/ruc-anexos` and `/ruc-ssco` get `upstream_unavailable`, and the open data does not
        /// answer `/ruc-official`.
        max_age_days: Option<u32> as Option<Whole<1, 36_500, u32>>,
        /// Where the SHA-256 is that a fetched edition must have, one line as `sha256sum` prints it. It is fetched first.
        /// It protects only if it is on another server or under https. Only with `datasets.builder_url`.
        sha256_url: Option<String> as Option<WebAddress>,
    }

    /// The open data.
    pub(super) struct OpenData in "datasets.datos_abiertos." {
        /// The first month, as `YYYY-MM`, of which the server reads the open data for `por_mes`, after all updates; `off` = it
        /// reads no past month. Not with `datasets.update_every = "off"` or a builder.
        backfill_from: Option<Option<Month>> as Option<FirstMonth> = "24 months back",
    }

    /// The exchange rates.
    pub(super) struct ExchangeRates in "datasets.tipo_de_cambio." {
        /// Where the central bank publishes the series of the closes, without the days, which are added to it; empty = it
        /// is not asked, and only the days whose text was read are known. `datasets.tipo_de_cambio.url` is the tax
        /// authority's text of today, which is asked for every ten minutes until it has today's date.
        series_url: Option<String> as Option<WebAddress> = SERIES_URL,
    }

    /// The official page.
    pub(super) struct Official in "official." {
        /// The address of the POST that returns the taxpayer's page; empty = the page is not queried.
        url: Option<String> as Option<WebAddress> = OFFICIAL_URL,
        /// Milliseconds between the starts of two requests to the page, which bans clients for minutes if they send more
        /// than about one request per second.
        min_interval_ms: u64 as Whole<0, 60_000> = "1100",
        /// The User-Agent sent to the page; empty = `kuraka/` and the version.
        user_agent: Option<String> as Option<HeaderText>,
        /// Whether `/ruc-official` answers from the open data when neither the page nor a provider answers; `false` = it
        /// is `upstream_unavailable` then.
        open_data: bool = "true",
    }

    /// The fallback of the page.
    pub(super) struct Providers in "providers." {
        /// The providers that are queried, in order, when the page cannot answer: names of presets, paths of provider
        /// files.
        chain: Vec<String>,
    }

    /// One provider.
    pub(super) struct OneProvider in "providers.*." {
        /// The provider's token.
        token: Option<SecretString>,
        /// Replaces the provider's address, including `{ruc}`.
        url: Option<String> as Option<WebAddress>,
    }

    /// Programs that were written for other services.
    pub struct Compat in "compat." {
        /// The providers whose requests are answered below `/compat/<name>` in their form: names of presets, paths of
        /// provider files.
        providers: Vec<String>,
        /// Whether a token may be in the query string or the body, below `/api`, at aliases and below `/compat`. Proxies and
        /// browsers keep addresses, so a token in one is no secret.
        tokens_in_query: bool = "false",
    }

    /// The times of all sources.
    pub(super) struct Sources in "sources." {
        /// The deadline of a call of `/ruc-official`, all sources together.
        deadline: Duration as Answer = "10s",
    }

    /// The addresses of the voucher service.
    pub(super) struct VoucherUrls in "vouchers." {
        /// The address of the POST that issues tokens. `{client_id}` and `{ruc}` are replaced.
        token_url: String as WebAddress = TOKEN_URL,
        /// The address of the POST that validates a voucher. `{client_id}` and `{ruc}` are replaced.
        api_url: String as WebAddress = API_URL,
    }

    /// A set of credentials. All sets are used in turn.
    pub(super) struct VoucherCredentials in "vouchers.", "vouchers.more.*." {
        /// The RUC of the credentials' holder. Without credentials, vouchers are not validated.
        ruc: Option<Ruc>,
        /// The client id.
        client_id: Option<String> as Option<ClientId>,
        /// The client secret, blanks included.
        client_secret: Option<SecretString>,
    }

    /// Webhooks.
    pub struct WebhookSettings in "webhooks." {
        /// Whether webhooks are delivered, and owners can make them.
        enabled: bool = "true",
        /// Private networks to which webhooks of `kuraka webhook create` may be delivered, also by http and on any port.
        allowed_networks: Vec<IpNet>,
    }

    /// One plan.
    pub(super) struct OnePlan in "plans.*." {
        /// Queries per month.
        queries: u64 as Whole<0, MAX_QUERIES>,
        /// Calls per second in the long run.
        rate: u64 as Calls,
        /// Calls at once after a pause.
        burst: u64 as Calls,
        /// The most RUCs in one call of `/ruc-multiple`.
        batch: usize as Whole<1, { MAX_BATCH_SIZES[0] as u64 }, usize> = "100",
        /// The most vouchers in one call of `/cpe-multiple`.
        batch_vouchers: usize as Whole<1, { MAX_BATCH_SIZES[1] as u64 }, usize> = "100",
        /// The most RUCs that an account may watch.
        watched: u64 as Whole<0, MAX_WATCHED_RUCS> = "1000",
    }

    /// Level and format of the logs.
    pub struct Log in "log." {
        /// The lines that are logged; `warn` omits the line per call.
        level: String as LogFilter = "info",
        /// One JSON object per line, or text for people; `auto` = text on a terminal, else JSON.
        format: LogFormat = "auto",
    }
}

/// The defaults whose keys have a name: of the plan that exists without settings, and of each dataset's description.
pub(super) fn named_defaults() -> impl Iterator<Item = (String, String)> {
    let free = [("queries", "1000"), ("rate", "5"), ("burst", "10")];
    let free = free.into_iter().map(|(field, text)| (format!("plans.free.{field}"), text.to_owned()));
    free.chain(dataset::described().flat_map(|dataset| {
        let key = |field: &str| format!("datasets.{}.{field}", dataset.name);
        [(key("url"), dataset.address.to_owned()), (key("max_age_days"), dataset.max_age_days.to_string())]
    }))
}
