//! Search (RFC 4511, 4.5), with pages (RFC 2696) and in order (RFC 2891).

mod cookie;
mod walk;

use self::cookie::Cookie;
use self::walk::Walk;
use super::ber::{begin, end, put, put_number, tag};
use super::code::Code;
use super::control::{PAGED_RESULTS, Page, SORT_RESPONSE};
use super::finder::{Finder, Stop};
use super::reply::Outcome;
use super::request::Search;
use super::sort::Sorting;
use super::{Call, bad_name};

impl Call<'_> {
    pub(super) fn search(&mut self, search: &Search<'_>) -> Result<Outcome, Outcome> {
        self.dn.read(search.base).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        if !self.entries.show(&place, self.image) {
            return Err(self.entries.missing(self.dn));
        }
        self.check_assertion()?;
        let mut sorting = match self.controls.sort.map(Sorting::read) {
            None => None,
            Some(Ok(sorting)) => Some(sorting),
            Some(Err(_)) => return Err(Code::ProtocolError.because("the sort control is malformed")),
        };
        let from = match self.controls.page {
            Some(Page { size: 0, .. }) => {
                let mut outcome = Outcome::success();
                page_control(&mut outcome, None);
                return Ok(outcome);
            }
            Some(page) => Cookie::read(page.cookie).ok_or_else(bad_cookie)?,
            None => Cookie::Start,
        };
        let is_sorted = sorting.is_some();
        if from != Cookie::Start && is_sorted != matches!(from, Cookie::Sorted(_)) {
            return Err(bad_cookie());
        }
        let mut finder = Finder::new(self.id, search, self.out);
        finder.page = self.controls.page.map(|page| page.size).filter(|_| !is_sorted);
        finder.sorting = sorting.as_mut();
        let start = if is_sorted { Cookie::Start } else { from.clone() };
        let walk = Walk { entries: &self.entries, base: self.dn.key(), place: &place, scope: search.scope };
        let mut ended = walk.run(start, &mut finder, self.image);
        if let Some(sorting) = &mut sorting {
            let page = Part {
                skip: if let Cookie::Sorted(count) = from { count } else { 0 },
                page: self.controls.page.map_or(usize::MAX, |page| page.size as usize),
                limit: if search.size_limit == 0 { usize::MAX } else { search.size_limit as usize },
            };
            ended = ended.or(page.write(sorting, self.out));
        }
        let mut outcome = outcome(ended.as_ref().map(|(stop, _)| *stop), self.controls.page.is_some());
        if self.controls.page.is_some() {
            let cookie = if outcome.code == Code::Success { ended.map(|(_, cookie)| cookie) } else { None };
            page_control(&mut outcome, cookie);
        }
        if is_sorted {
            // sortResult: success.
            outcome.control(SORT_RESPONSE, Some(&[0x30, 3, tag::ENUMERATED, 1, 0]));
        }
        Ok(outcome)
    }
}

/// The part of a sorted result that is wanted.
struct Part {
    skip: usize,
    /// Entries of a page.
    page: usize,
    /// Entries that the client takes at most.
    limit: usize,
}

impl Part {
    /// Writes the part; returns why, and where, it ends before the result does.
    fn write(&self, sorting: &mut Sorting, out: &mut Vec<u8>) -> Option<(Stop, Cookie)> {
        let next = self.skip.saturating_add(self.page.min(self.limit));
        let total = sorting.write(self.skip, next - self.skip, out);
        let stop = if self.limit < self.page { Stop::Size } else { Stop::Page };
        (next < total).then_some((stop, Cookie::Sorted(next)))
    }
}

fn outcome(stop: Option<Stop>, is_paged: bool) -> Outcome {
    match stop {
        None | Some(Stop::Page) => Outcome::success(),
        Some(Stop::Size) => Outcome::new(Code::SizeLimitExceeded),
        Some(Stop::LookThrough) if is_paged => Outcome::success(),
        Some(Stop::LookThrough) => {
            Code::AdminLimitExceeded.because("too many entries to look through; ask for pages, or for a uid")
        }
    }
}

fn bad_cookie() -> Outcome {
    Code::UnwillingToPerform.because("the cookie is not one of this search")
}

fn page_control(outcome: &mut Outcome, cookie: Option<Cookie>) {
    let mut value = Vec::new();
    let parts = begin(&mut value, tag::SEQUENCE);
    // The number of all entries is not known.
    put_number(&mut value, tag::INTEGER, 0);
    put(&mut value, tag::OCTETS, &cookie.map(|cookie| cookie.write()).unwrap_or_default());
    end(&mut value, parts);
    outcome.control(PAGED_RESULTS, Some(&value));
}
