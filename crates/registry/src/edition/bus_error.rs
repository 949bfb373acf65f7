//! Survives a mapped file that can no longer be read.
//!
//! If a mapped file is truncated or its disk fails, reading it raises SIGBUS, which ends the process. This handler
//! replaces the mapping by zeros and marks it as damaged; the reader refuses what it has read from it. Any other fault,
//! and a SIGBUS that a process sends, goes to the previous action.
//!
//! A signal handler must neither allocate nor lock: this one reads atomics and makes one system call.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Mutex, OnceLock, PoisonError};

use libc::{c_int, c_void, sigaction, siginfo_t};

/// Mappings at the same time; a server has a few.
const SLOTS: usize = 1024;

static TABLE: [Slot; SLOTS] = [const { Slot::free() }; SLOTS];
/// Held while a slot is changed; the handler never changes one.
static CHANGING: Mutex<()> = Mutex::new(());
/// The action before the handler was installed; `None` = it is not installed.
static PREVIOUS: OnceLock<Option<sigaction>> = OnceLock::new();

struct Slot {
    /// Odd while the range is being changed, so that the handler never mixes two ranges.
    version: AtomicUsize,
    start: AtomicUsize,
    /// 0 = free.
    length: AtomicUsize,
    damaged: AtomicBool,
}

impl Slot {
    const fn free() -> Self {
        Self {
            version: AtomicUsize::new(0),
            start: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
            damaged: AtomicBool::new(false),
        }
    }

    /// The caller holds [`CHANGING`].
    fn set(&self, start: usize, length: usize) {
        let version = self.version.load(Ordering::Relaxed);
        self.version.store(version.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.start.store(start, Ordering::Relaxed);
        self.length.store(length, Ordering::Relaxed);
        self.damaged.store(false, Ordering::Relaxed);
        self.version.store(version.wrapping_add(2), Ordering::Release);
    }

    /// The range if it contains `address`. A range that is being changed is not being read.
    fn range_with(&self, address: usize) -> Option<Range<usize>> {
        let version = self.version.load(Ordering::Acquire);
        let start = self.start.load(Ordering::Relaxed);
        let range = start..start.wrapping_add(self.length.load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        let is_stable = version.is_multiple_of(2) && version == self.version.load(Ordering::Relaxed);
        (is_stable && range.contains(&address)).then_some(range)
    }
}

/// A mapping that the handler protects. Drop it before the mapping.
pub(super) struct MappingGuard(&'static Slot);

impl MappingGuard {
    /// `mapping` is a whole mapped file.
    pub(super) fn new(mapping: &[u8]) -> io::Result<Self> {
        if PREVIOUS.get_or_init(|| install().ok()).is_none() {
            return Err(io::Error::other("the handler for SIGBUS cannot be installed"));
        }
        let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
        let free = TABLE.iter().find(|slot| slot.length.load(Ordering::Relaxed) == 0);
        let slot = free.ok_or_else(|| io::Error::other("too many editions are open"))?;
        // An empty file has a mapping of one page.
        slot.set(mapping.as_ptr() as usize, mapping.len().max(1));
        Ok(Self(slot))
    }

    /// Whether reading has failed: the bytes read so far may be zeros.
    pub(super) fn is_damaged(&self) -> bool {
        // The bytes are read before the mark.
        fence(Ordering::Acquire);
        self.0.damaged.load(Ordering::Relaxed)
    }
}

impl Drop for MappingGuard {
    fn drop(&mut self) {
        let _changing = CHANGING.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.set(0, 0);
    }
}

#[expect(unsafe_code, reason = "there is no safe way to set a handler for SIGBUS")]
fn install() -> io::Result<sigaction> {
    // SAFETY: both structures are integers and pointers for which zero is valid, and outlive the calls. The handler has
    // the signature that SA_SIGINFO requires, and does only what a signal handler may do.
    unsafe {
        let mut action: sigaction = std::mem::zeroed();
        let mut previous: sigaction = std::mem::zeroed();
        action.sa_sigaction = on_bus_error as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        if libc::sigaction(libc::SIGBUS, &raw const action, &raw mut previous) == 0 {
            Ok(previous)
        } else {
            Err(io::Error::last_os_error())
        }
    }
}

/// Replaces the mapping with the fault, or restores the previous action, which gets the fault when this returns.
#[expect(unsafe_code, reason = "a signal handler reads what the kernel passes to it, and changes a mapping")]
extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    // SAFETY: the kernel passes a valid structure to a handler with SA_SIGINFO. The address is used only with the codes
    // of a failed access, which have one.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    let is_failed_access = matches!(code, libc::BUS_ADRERR | libc::BUS_MCEERR_AR);
    let found = TABLE.iter().find_map(|slot| Some((slot, slot.range_with(address)?))).filter(|_| is_failed_access);
    if let Some((slot, range)) = found {
        // First: a reader that sees the zeros also sees the mark.
        slot.damaged.store(true, Ordering::SeqCst);
        // SAFETY: these codes are about an access that this thread has just made. It is reading the mapping, so its
        // owner exists and the range is mapped by it alone. The zeros have the same address and length, and are read
        // only. mmap neither allocates nor locks.
        let zeros = unsafe {
            let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            libc::mmap(range.start as *mut c_void, range.len(), libc::PROT_READ, flags, -1, 0)
        };
        if zeros != libc::MAP_FAILED {
            return;
        }
    }
    // A faulting instruction faults again after this, under the previous action. Other signals do not come again: one
    // that a process has sent, and the kernel's warning of a bad page that was not read yet. They end the process.
    let comes_again = code > 0 && code != libc::BUS_MCEERR_AO;
    // SAFETY: `PREVIOUS` is only read, and has what sigaction returned; the default action is all zeros. Both functions
    // may be called in a signal handler.
    unsafe {
        let default: sigaction = std::mem::zeroed();
        let previous = PREVIOUS.get().and_then(Option::as_ref).unwrap_or(&default);
        libc::sigaction(signal, if comes_again { previous } else { &default }, std::ptr::null_mut());
        if !comes_again {
            libc::raise(signal);
        }
    }
}
