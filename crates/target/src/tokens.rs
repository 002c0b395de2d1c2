//! Things that a token stands for: sessions, applications, tickets. Bounded: the oldest gives way.

use std::collections::{HashMap, VecDeque};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random number that stands for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Token(u128);

impl Token {
    pub(crate) fn random(random: &mut Xoshiro256PlusPlus) -> Self {
        Self(random.random())
    }

    /// 22 letters, digits, `-` and `_`.
    pub(crate) fn text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.to_be_bytes())
    }

    /// The token that this text stands for; `None` for any other text.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut bytes = [0; 16];
        match URL_SAFE_NO_PAD.decode_slice(text, &mut bytes) {
            Ok(16) => Some(Self(u128::from_be_bytes(bytes))),
            _ => None,
        }
    }

    /// As a UUID.
    pub(crate) fn uuid(self) -> String {
        let hex = format!("{:032x}", self.0);
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    }

    /// The token that this UUID stands for.
    pub(crate) fn of_uuid(text: &str) -> Option<Self> {
        let hex: String = text.split('-').collect();
        if hex.len() == 32 { u128::from_str_radix(&hex, 16).ok().map(Self) } else { None }
    }
}

/// What tokens stand for, at most `limit` of them.
pub(crate) struct Tokens<T> {
    things: HashMap<Token, T>,
    /// In the order they were made; those taken out meanwhile are still in it, up to as many as `limit`.
    order: VecDeque<Token>,
    limit: usize,
    random: Xoshiro256PlusPlus,
}

impl<T> Tokens<T> {
    pub(crate) fn new(limit: usize, seed: u64) -> Self {
        Self {
            things: HashMap::new(),
            order: VecDeque::new(),
            limit,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Keeps a thing and returns its new token; the oldest thing goes when there are too many.
    pub(crate) fn insert(&mut self, thing: T) -> Token {
        if self.things.len() >= self.limit {
            while let Some(oldest) = self.order.pop_front() {
                if self.things.remove(&oldest).is_some() {
                    break;
                }
            }
        }
        if self.order.len() >= self.limit * 2 {
            self.order.retain(|token| self.things.contains_key(token));
        }
        let token = Token::random(&mut self.random);
        self.things.insert(token, thing);
        self.order.push_back(token);
        token
    }

    pub(crate) fn get(&self, token: Token) -> Option<&T> {
        self.things.get(&token)
    }

    pub(crate) fn get_mut(&mut self, token: Token) -> Option<&mut T> {
        self.things.get_mut(&token)
    }

    pub(crate) fn remove(&mut self, token: Token) -> Option<T> {
        self.things.remove(&token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_uuid_lead_back_to_the_token() {
        let token = Tokens::new(1, 1).insert(());
        assert_eq!(Token::of(&token.text()), Some(token));
        assert_eq!(Token::of_uuid(&token.uuid()), Some(token));
        assert_eq!((Token::of("short"), Token::of(&"x".repeat(40)), Token::of_uuid("é")), (None, None, None));
    }

    #[test]
    fn the_oldest_gives_way() {
        let mut tokens = Tokens::new(2, 1);
        let made: Vec<_> = (0..3).map(|number| tokens.insert(number)).collect();
        assert_eq!((tokens.get(made[0]), tokens.get(made[2])), (None, Some(&2)));
        for number in 0..100 {
            let token = tokens.insert(number);
            tokens.remove(token);
            assert!(tokens.order.len() <= 4);
        }
    }
}
