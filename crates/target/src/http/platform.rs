//! The systems of the platform and the directory that they share.

use std::time::Duration;

use super::{Answer, Request, Route, crest, crowd, openam, whydah};
use crate::directory::Directory;

/// Everything that the platform remembers.
pub(crate) struct Platform {
    directory: Directory,
    openam: openam::State,
    whydah: whydah::State,
    crowd: crowd::State,
}

impl Platform {
    /// A platform of so many users, on which nothing has happened yet.
    pub(crate) fn new(population: u64, seed: u64) -> Self {
        Self {
            directory: Directory::new(population),
            openam: openam::State::new(seed),
            whydah: whydah::State::new(seed),
            crowd: crowd::State::new(seed),
        }
    }

    /// The users that all systems share.
    pub(crate) fn directory(&mut self) -> &mut Directory {
        &mut self.directory
    }

    /// Carries out a call; `now` counts from the start.
    pub(crate) fn answer(&mut self, route: &Route, request: &Request, now: Duration) -> Answer {
        let directory = &mut self.directory;
        match route {
            Route::OpenAm(call) => self.openam.answer(call, request, directory, now),
            Route::Resource(call, view) => crest::answer(call, request, directory, view),
            Route::Whydah(call) => self.whydah.answer(call, request, directory, now),
            Route::Crowd(call) => self.crowd.answer(call, request, directory, now),
            Route::Plain(call) => call.answer(request),
            Route::Unknown => Answer::refusal(404, &format!("Resource '{}' not found", request.uri().path())),
        }
    }
}
