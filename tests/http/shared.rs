//! Servers that several tests use. Each test has an account of its own, and changes nothing else.

use std::pin::Pin;
use std::sync::LazyLock;

use kuraka_sandbox::upstream::Upstream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::OnceCell;

use crate::app::{App, Owner, scene};
use crate::sandbox::sandbox;

/// Outlives the runtime of each test.
static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());

/// A plan whose queries are charged one by one.
const COUNTED: &str = "counted";
const QUERIES: u64 = 9_999;

type Starting = Pin<Box<dyn Future<Output = App> + Send>>;

/// A server that its first user starts.
pub(crate) struct Shared(OnceCell<App>, fn() -> Starting);

impl Shared {
    pub(crate) const fn new(start: fn() -> Starting) -> Self {
        Self(OnceCell::const_new(), start)
    }

    pub(crate) async fn app(&self) -> &App {
        self.0.get_or_init(|| async { RUNTIME.spawn((self.1)()).await.unwrap() }).await
    }
}

/// A server with all datasets and the sandbox, and an account.
pub(crate) async fn shared() -> (&'static App, Owner) {
    static SHARED: Shared = Shared::new(|| {
        Box::pin(async {
            let upstream: &Upstream = Box::leak(Box::new(sandbox().await));
            let scene = scene().with_datasets().official(upstream).vouchers(upstream);
            scene.another_plan(COUNTED, QUERIES).start().await
        })
    });
    let app = SHARED.app().await;
    (app, app.owner_under(COUNTED).await)
}
