//! Replacing a file as a whole: a full disk or a crash leaves the older file as it was.
//!
//! The new text goes to a temporary file in the same directory, is flushed to the disk and then renamed.
//! Devices and pipes (`/dev/stdout`) cannot be replaced and are written to directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use loadgen_model::sink::SinkError;

/// What writes the text.
pub(crate) type Fill<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// A new file that has not yet taken the place of the older one.
pub(crate) struct Replacement {
    /// As the user named it.
    name: PathBuf,
    /// What it is: links followed.
    target: PathBuf,
    /// None when the target is a device, which has its text already.
    temporary: Option<PathBuf>,
}

impl Replacement {
    /// Writes the whole text beside the target.
    pub(crate) fn write(name: &Path, fill: &mut Fill) -> Result<Self, SinkError> {
        let target = behind_links(name);
        let name = name.to_owned();
        let failed = |cause| error(&name, cause);
        if is_stream(&name) {
            let mut device = OpenOptions::new().append(true).open(&name).map_err(failed)?;
            fill(&mut device).and_then(|()| device.flush()).map_err(failed)?;
            return Ok(Self { name, target, temporary: None });
        }
        let temporary = temporary_name(&target);
        // Left behind by a process of the same number that crashed.
        fs::remove_file(&temporary).ok();
        let filled = fill_file(&temporary, fill).and_then(|()| match fs::metadata(&target) {
            Ok(older) => fs::set_permissions(&temporary, older.permissions()),
            Err(_) => Ok(()),
        });
        if let Err(cause) = filled {
            fs::remove_file(&temporary).ok();
            return Err(error(&name, cause));
        }
        Ok(Self { name, target, temporary: Some(temporary) })
    }

    /// Puts the new file in the older one's place.
    pub(crate) fn commit(mut self) -> Result<(), SinkError> {
        let Some(temporary) = self.temporary.as_ref() else { return Ok(()) };
        fs::rename(temporary, &self.target).map_err(|cause| error(&self.name, cause))?;
        self.temporary = None;
        // The rename itself reaches the disk with the directory; a file system that cannot do that still
        // holds either the older or the newer file.
        if let Ok(directory) = File::open(directory_of(&self.target)) {
            directory.sync_all().ok();
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            fs::remove_file(temporary).ok();
        }
    }
}

/// Whether the file can be written later, tried without touching what it holds.
pub(crate) fn check(name: &Path) -> Result<(), SinkError> {
    let target = behind_links(name);
    let failed = |cause| error(name, cause);
    if is_stream(name) {
        return Ok(());
    }
    if target.exists() {
        OpenOptions::new().write(true).open(&target).map_err(failed)?;
    }
    let probe = temporary_name(&target);
    fs::remove_file(&probe).ok();
    File::create_new(&probe).and_then(|_| fs::remove_file(&probe)).map_err(failed)
}

/// A file error with what to do about it.
pub(crate) fn error(name: &Path, cause: io::Error) -> SinkError {
    let advice = match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space or name a file on another disk; an older file was left as it is"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "allow writing there or name another place"
        }
        io::ErrorKind::NotFound => "create the directory first or name another one",
        io::ErrorKind::IsADirectory => "name a file inside of that directory",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a file is in the way; name another place"
        }
        _ => "name another place",
    };
    SinkError { what: name.display().to_string(), cause, advice: advice.to_owned() }
}

fn fill_file(path: &Path, fill: &mut Fill) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(path)?);
    fill(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// A link keeps pointing where it points: the file behind it is the one to replace.
fn behind_links(name: &Path) -> PathBuf {
    fs::canonicalize(name).unwrap_or_else(|_| name.to_owned())
}

/// What cannot be replaced: devices, pipes, and the process's own streams, even when they are files.
fn is_stream(name: &Path) -> bool {
    let is_own =
        ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"].iter().any(|own| name.starts_with(own));
    is_own || fs::metadata(name).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn directory_of(target: &Path) -> &Path {
    match target.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => directory,
        _ => Path::new("."),
    }
}

/// Hidden, in the same directory, and this process's own.
fn temporary_name(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    directory_of(target).join(format!(".{name}.{}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_fills_up_leaves_the_older_file() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("report.json");
        fs::write(&target, "older").unwrap();
        let mut fill = |out: &mut dyn Write| {
            out.write_all(&vec![b'x'; 100_000])?;
            Err(io::ErrorKind::StorageFull.into())
        };
        let error = Replacement::write(&target, &mut fill).err().unwrap();
        assert!(error.to_string().contains("free some space"), "{error}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "older");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn what_is_not_committed_leaves_the_older_file() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("report.json");
        fs::write(&target, "older").unwrap();
        let replacement = Replacement::write(&target, &mut |out| out.write_all(b"newer")).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "older");
        drop(replacement);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        Replacement::write(&target, &mut |out| out.write_all(b"newer")).unwrap().commit().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "newer");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_own_stream_is_written_to_even_when_it_is_a_file() {
        use std::os::fd::AsRawFd;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::write(&path, "earlier ").unwrap();
        let log = File::open(&path).unwrap();
        let name = PathBuf::from(format!("/dev/fd/{}", log.as_raw_fd()));
        check(&name).unwrap();
        Replacement::write(&name, &mut |out| out.write_all(b"report")).unwrap().commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "earlier report");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let (target, link) = (directory.path().join("report.json"), directory.path().join("latest.json"));
        fs::write(&target, "older").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        Replacement::write(&link, &mut |out| out.write_all(b"newer")).unwrap().commit().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "newer");
    }
}
