//! Looks for damage in the write-ahead log. SQLite reads a log up to its first invalid frame and ignores everything
//! after it, so damage would look like a shorter history.
//!
//! The format of a log: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::files::with_suffix;
use crate::private_file;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// Magic number at the beginning of a log, without its last bit. If that bit is set in a log, the checksums of the log
/// are computed from big-endian numbers.
const MAGIC: u32 = 0x377f_0682;

/// Ending of the name of a copy of a damaged log.
const KEPT: &str = "-wal.damaged";

/// Maximum number of damaged logs that are kept next to a store.
const MAX_KEPT: u32 = 9;

/// The damage in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The header is invalid, so SQLite ignores the whole log.
    Header,
    /// The frame with this number, counted from 1, is invalid, and several commits follow it.
    Frame(u64),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "its header is invalid, so the changes in it are lost"),
            Self::Frame(number) => write!(f, "its frame {number} is invalid, so the changes from there on are lost"),
        }
    }
}

/// Looks for damage in the log of a store. Another process may be using the store.
pub fn damage(store: &Path) -> io::Result<Option<Damage>> {
    let path = with_suffix(store, "-wal");
    found_twice(|| damage_now(&path))
}

/// Returns damage that two checks of the log agree on. A single check may see a frame that another process is writing,
/// or a log that another process is restarting.
fn found_twice(mut look: impl FnMut() -> io::Result<Option<DamagedLog>>) -> io::Result<Option<Damage>> {
    let Some(first) = look()? else { return Ok(None) };
    let second = look()?;
    Ok(second.filter(|second| *second == first).map(|second| second.damage))
}

#[derive(Debug, PartialEq)]
struct DamagedLog {
    /// The first bytes of the log, which no other log has; `None` if the log is shorter.
    header: Option<Vec<u8>>,
    damage: Damage,
}

fn damage_now(path: &Path) -> io::Result<Option<DamagedLog>> {
    let Some(mut log) = Log::open(path)? else { return Ok(None) };
    let header = log.bytes(HEADER)?;
    let damage = match header.as_deref().and_then(Format::read) {
        None => Some(Damage::Header),
        Some(format) => log.damaged_frame(format)?.map(Damage::Frame),
    };
    Ok(damage.map(|damage| DamagedLog { header, damage }))
}

/// Copies a damaged log to a file next to it, before SQLite overwrites it. Returns the copy.
pub fn keep(store: &Path) -> io::Result<PathBuf> {
    let free = kept(store).find(|copy| !copy.exists());
    let copy = free.ok_or_else(|| io::Error::other(format!("there are {MAX_KEPT} damaged logs already")))?;
    let mut to = private_file::new_file(&copy)?;
    io::copy(&mut File::open(with_suffix(store, "-wal"))?, &mut to)?;
    to.sync_all()?;
    private_file::sync_name(&copy)?;
    Ok(copy)
}

/// Returns the copies of damaged logs next to a store.
pub fn kept_beside(store: &Path) -> Vec<PathBuf> {
    kept(store).filter(|copy| copy.exists()).collect()
}

fn kept(store: &Path) -> impl Iterator<Item = PathBuf> {
    (1..=MAX_KEPT).map(move |number| with_suffix(store, &format!("{KEPT}-{number}")))
}

struct Log(BufReader<File>);

impl Log {
    /// Opens a log; `None` if there is none, or it is empty.
    fn open(path: &Path) -> io::Result<Option<Self>> {
        match File::open(path) {
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Ok(file) if file.metadata()?.len() == 0 => Ok(None),
            file => Ok(Some(Self(BufReader::new(file?)))),
        }
    }

    /// Reads the next `count` bytes; `None` if fewer bytes follow.
    fn bytes(&mut self, count: usize) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = vec![0; count];
        match self.0.read_exact(&mut bytes) {
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok(None),
            read => read.map(|()| Some(bytes)),
        }
    }

    /// Returns the number of the first invalid frame, if two commits of this log follow it. A single commit is no sign
    /// of damage: it may be the rest of a commit that a power loss interrupted before it was acknowledged. Frames
    /// without a commit may come from an older log, or from a write that was rolled back.
    fn damaged_frame(&mut self, format: Format) -> io::Result<Option<u64>> {
        let mut sum = format.sum;
        let (mut number, mut invalid, mut commits) = (0, None, 0);
        while let Some(frame) = self.bytes(FRAME_HEADER + format.page_size)? {
            number += 1;
            let (header, page) = frame.split_at(FRAME_HEADER);
            let is_of_this_log = header[8..16] == format.salt;
            if invalid.is_none() {
                sum = format.checksum(format.checksum(sum, &header[..8]), page);
                if is_of_this_log && header[16..24] == bytes_of(sum) {
                    continue;
                }
                invalid = Some(number);
            }
            let is_commit = is_of_this_log && number_at(header, 4) != 0;
            commits += u32::from(is_commit);
            if commits == 2 {
                return Ok(invalid);
            }
        }
        Ok(None)
    }
}

type Sum = (u32, u32);

/// The format of the frames, which the header of a log specifies.
struct Format {
    page_size: usize,
    salt: [u8; 8],
    sum: Sum,
    is_big_endian: bool,
}

impl Format {
    /// Reads a header; `None` if it is invalid.
    fn read(header: &[u8]) -> Option<Self> {
        let magic = number_at(header, 0);
        let page_size = usize::try_from(number_at(header, 8)).ok()?;
        let mut format =
            Self { page_size, salt: header.get(16..24)?.try_into().ok()?, sum: (0, 0), is_big_endian: magic & 1 == 1 };
        format.sum = format.checksum((0, 0), header.get(..24)?);
        let is_valid = magic & !1 == MAGIC
            && (512..=65_536).contains(&page_size)
            && page_size.is_power_of_two()
            && header.get(24..32)? == bytes_of(format.sum);
        is_valid.then_some(format)
    }

    fn checksum(&self, (mut one, mut two): Sum, bytes: &[u8]) -> Sum {
        let number = |place| {
            let number = number_at(bytes, place);
            if self.is_big_endian { number } else { number.swap_bytes() }
        };
        for place in (0..bytes.len()).step_by(8) {
            one = one.wrapping_add(number(place)).wrapping_add(two);
            two = two.wrapping_add(number(place + 4)).wrapping_add(one);
        }
        (one, two)
    }
}

fn bytes_of((one, two): Sum) -> [u8; 8] {
    (u64::from(one) << 32 | u64::from(two)).to_be_bytes()
}

/// Returns the big-endian number at an offset; 0 beyond the end.
fn number_at(bytes: &[u8], place: usize) -> u32 {
    let bytes = bytes.get(place..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/log.rs"]
mod tests;
