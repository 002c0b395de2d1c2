//! The entries that a search finds, one after another: filtered, counted, written.

use super::ber::{begin, end, put_number, tag};
use super::image::Image;
use super::request::Search;
use super::sort::Sorting;

/// Entries looked at for one request. A search that no index helps ends here; with pages it goes on.
const LOOK_THROUGH_LIMIT: usize = 20_000;

/// Why a search ends before all entries were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The page is full.
    Page,
    /// The client wants no more.
    Size,
    /// Too many were looked at.
    LookThrough,
}

/// Takes the entries that match.
pub(crate) struct Finder<'f> {
    pub(crate) id: u32,
    pub(crate) search: &'f Search<'f>,
    /// Entries of a page; `None` for all.
    pub(crate) page: Option<u32>,
    /// When they are to be sorted before they are written.
    pub(crate) sorting: Option<&'f mut Sorting>,
    pub(crate) out: &'f mut Vec<u8>,
    found: u32,
    looked_at: usize,
}

impl<'f> Finder<'f> {
    pub(crate) fn new(id: u32, search: &'f Search<'f>, out: &'f mut Vec<u8>) -> Self {
        Self { id, search, page: None, sorting: None, out, found: 0, looked_at: 0 }
    }

    /// Whether to stop before looking at another entry.
    pub(crate) fn check(&mut self) -> Result<(), Stop> {
        if self.page.is_some_and(|size| self.found >= size) {
            return Err(Stop::Page);
        }
        if self.looked_at >= LOOK_THROUGH_LIMIT {
            return Err(Stop::LookThrough);
        }
        self.looked_at += 1;
        Ok(())
    }

    /// Takes the entry in the image if it matches.
    pub(crate) fn take(&mut self, image: &Image) -> Result<(), Stop> {
        if !self.search.filter.matches(image) {
            return Ok(());
        }
        match &mut self.sorting {
            None if self.search.size_limit > 0 && self.found >= self.search.size_limit => {
                return Err(Stop::Size);
            }
            None => write_entry(self.id, image, self.search, self.out),
            Some(sorting) => {
                let (id, search) = (self.id, self.search);
                sorting.add(image, |out| write_entry(id, image, search, out));
            }
        }
        self.found += 1;
        Ok(())
    }
}

fn write_entry(id: u32, image: &Image, search: &Search<'_>, out: &mut Vec<u8>) {
    let message = begin(out, tag::SEQUENCE);
    put_number(out, tag::INTEGER, id);
    image.write(&search.selection, search.types_only, out);
    end(out, message);
}
