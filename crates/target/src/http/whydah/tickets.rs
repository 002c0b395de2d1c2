//! Tickets: names that can be exchanged, once, for a user token. Bounded: the oldest gives way.

use std::collections::{HashMap, VecDeque};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::tokens::Token;

/// The tickets that were not exchanged yet.
pub(super) struct Tickets {
    user_tokens: HashMap<String, Token>,
    /// In the order they were issued; exchanged ones are still in it, up to as many as `limit`.
    order: VecDeque<String>,
    limit: usize,
    random: Xoshiro256PlusPlus,
}

impl Tickets {
    pub(super) fn new(limit: usize, seed: u64) -> Self {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Self { user_tokens: HashMap::new(), order: VecDeque::new(), limit, random }
    }

    /// Issues a ticket; another of the same name is replaced.
    pub(super) fn issue(&mut self, name: String, usertoken: Token) {
        if self.user_tokens.len() >= self.limit {
            while let Some(oldest) = self.order.pop_front() {
                if self.user_tokens.remove(&oldest).is_some() {
                    break;
                }
            }
        }
        if self.order.len() >= self.limit * 2 {
            self.order.retain(|name| self.user_tokens.contains_key(name));
        }
        if self.user_tokens.insert(name.clone(), usertoken).is_none() {
            self.order.push_back(name);
        }
    }

    /// Issues a ticket under a new name, and returns the name.
    pub(super) fn issue_new(&mut self, usertoken: Token) -> String {
        let name = Token::random(&mut self.random).uuid();
        self.issue(name.clone(), usertoken);
        name
    }

    /// Takes the user token; the ticket is used up.
    pub(super) fn exchange(&mut self, name: &str) -> Option<Token> {
        self.user_tokens.remove(name)
    }
}
