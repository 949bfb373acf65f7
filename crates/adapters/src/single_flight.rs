//! Single flight: concurrent callers with the same key share one task. Results are not kept.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use kuraka_ports::Origin;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::watch;

type Tasks<K, V> = Mutex<HashMap<K, watch::Receiver<Option<V>>>>;

/// The tasks in flight, at most one for each key. A task runs on a runtime of its own: callers that disconnect do not
/// affect it or the others.
pub(crate) struct SingleFlight<K, V> {
    runtime: Handle,
    tasks: Arc<Tasks<K, V>>,
}

impl<K, V> SingleFlight<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Tasks run on `runtime`.
    pub(crate) fn new(runtime: Handle) -> Self {
        Self { runtime, tasks: Arc::default() }
    }

    /// Joins the task of `key`, or starts `work` at once. `None` = the task panicked, or its runtime has shut down.
    pub(crate) fn join<W: Future<Output = V> + Send + 'static>(
        &self,
        key: K,
        work: impl FnOnce() -> W,
    ) -> impl Future<Output = Option<V>> + Send {
        let (sender, receiver) = match self.tasks.lock().entry(key.clone()) {
            Entry::Occupied(task) => return result(task.get().clone()),
            Entry::Vacant(entry) => {
                let (sender, receiver) = watch::channel(None);
                (sender, entry.insert(receiver).clone())
            }
        };
        // Spawned without the lock: a runtime that shuts down drops the task, and `RemoveOnDrop`, right here.
        let remove = RemoveOnDrop { tasks: Arc::clone(&self.tasks), key };
        let work = work();
        // The lines that it logs have the id of the request that started it.
        self.runtime.spawn(Origin::current().scope(async move {
            let value = work.await;
            drop(remove);
            sender.send_replace(Some(value));
        }));
        result(receiver)
    }
}

async fn result<V: Clone>(mut task: watch::Receiver<Option<V>>) -> Option<V> {
    task.wait_for(Option::is_some).await.ok().and_then(|value| value.clone())
}

/// Removes the task at its end, so that the next caller starts a new one.
struct RemoveOnDrop<K: Eq + Hash, V> {
    tasks: Arc<Tasks<K, V>>,
    key: K,
}

impl<K: Eq + Hash, V> Drop for RemoveOnDrop<K, V> {
    fn drop(&mut self) {
        self.tasks.lock().remove(&self.key);
    }
}
