//! A small file system in memory, mounted in a mount namespace of its own, so that a test can fill a server's disk.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// As a user without privileges, a user namespace allows the mount.
const NAMESPACES: [(&[&str], &[&str]); 2] = [
    (&["--mount"], &["--mount"]),
    (&["--user", "--map-root-user", "--mount"], &["--user", "--preserve-credentials", "--mount"]),
];

const MOUNT: &str = r#"mount -t tmpfs -o size="$1" tmpfs "$2" && echo mounted && exec cat"#;

/// A mounted file system. Removed when dropped, once no process uses it.
pub(crate) struct SmallDisk {
    /// Keeps the namespace.
    holder: Child,
    /// Options of `nsenter`.
    enter: &'static [&'static str],
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts 16 MiB at this folder, which only commands started through [`SmallDisk::launcher`] see.
    pub(crate) fn mount(folder: &Path) -> Self {
        fs::create_dir_all(folder).unwrap();
        let mut errors = String::new();
        for (unshare, enter) in NAMESPACES {
            let mut holder = Command::new("unshare")
                .args(unshare)
                .args(["sh", "-c", MOUNT, "sh", "16m"])
                .arg(folder)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("util-linux has unshare and nsenter: install it");
            let mut line = String::new();
            BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
            if line == "mounted\n" {
                return Self { holder, enter, folder: folder.to_owned() };
            }
            holder.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
            holder.wait().unwrap();
        }
        panic!(
            "this test mounts a file system of 16 MiB in a namespace of its own. Run it as root with the capability \
             CAP_SYS_ADMIN, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1 or \
             user.max_user_namespaces; in a container also a seccomp profile that allows unshare and mount): {errors}"
        );
    }

    /// The program and arguments that run a command in the namespace.
    pub(crate) fn launcher(&self) -> Vec<String> {
        let target = format!("--target={}", self.holder.id());
        ["nsenter", &target].into_iter().chain(self.enter.iter().copied()).chain(["--"]).map(str::to_owned).collect()
    }

    /// A path on the disk, for this process.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        let root = format!("/proc/{}/root", self.holder.id());
        Path::new(&root).join(self.folder.strip_prefix("/").unwrap()).join(name)
    }

    /// Writes a file until no byte is left.
    pub(crate) fn fill(&self) {
        let mut filler = File::create(self.path("filler")).unwrap();
        for size in [1 << 20, 4_096, 1] {
            let bytes = vec![0; size];
            let error = loop {
                if let Err(error) = filler.write_all(&bytes) {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        }
    }

    /// Gives so many bytes of that file back.
    pub(crate) fn give_back(&self, bytes: u64) {
        let filler = File::options().write(true).open(self.path("filler")).unwrap();
        filler.set_len(filler.metadata().unwrap().len() - bytes).unwrap();
    }

    /// Removes that file.
    pub(crate) fn free(&self) {
        fs::remove_file(self.path("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
