//! The token stream of the parser: a ring buffer for lookahead, and two queries about brackets that need more
//! than a few tokens of lookahead.

use super::super::collector::Collector;
use super::super::lexer::{Container, Lexer, Token, TokenKind};
use std::collections::VecDeque;

/// The maximum lookahead for a closer, in tokens.
const REACH: usize = 65_536;

#[derive(Default)]
pub(super) struct Stream<'a> {
    pub lexer: Lexer<'a>,
    pub start: usize,
    buffer: VecDeque<Token>,
    /// The index of the token at the front of the buffer.
    number: usize,
    /// For each token from `answers_from` on, the first closer from there that has no opener.
    answers: Vec<Option<Container>>,
    answers_from: usize,
    /// The answers reach the end of the text.
    answers_end: bool,
    surplus: Option<[i64; 2]>,
    extra_steps: u64,
}

impl<'a> Stream<'a> {
    pub fn new(lexer: Lexer<'a>, start: usize) -> Self {
        Stream {
            lexer,
            start,
            ..Stream::default()
        }
    }

    pub fn steps(&self) -> u64 {
        self.lexer.steps() + self.extra_steps
    }

    /// The token `ahead` positions after the next one.
    #[inline]
    pub fn peek(&mut self, ahead: usize) -> Token {
        match self.buffer.get(ahead) {
            Some(&token) => token,
            None => self.fill(ahead),
        }
    }

    /// Inlined, it would make every call of `peek` save all registers.
    #[inline(never)]
    fn fill(&mut self, ahead: usize) -> Token {
        // Nothing follows the end token.
        let ended = |buffer: &VecDeque<Token>| {
            buffer
                .back()
                .is_some_and(|token| token.kind == TokenKind::End)
        };
        while self.buffer.len() <= ahead && !ended(&self.buffer) {
            let token = self.lexer.next_token();
            self.buffer.push_back(token);
        }
        self.buffer[ahead.min(self.buffer.len() - 1)]
    }

    pub fn next(&mut self) -> Token {
        let token = self.peek(0);
        if token.kind != TokenKind::End {
            self.buffer.pop_front();
            self.number += 1;
        }
        token
    }

    /// The first closer ahead that has no opener ahead, if it is near.
    ///
    /// Computes the answers for a whole window at once, from right to left, and uses them until half the window is
    /// consumed: each token is read twice, however often this is called.
    pub fn next_unmatched(&mut self) -> Option<Container> {
        let at = self.number.wrapping_sub(self.answers_from);
        let known = at < self.answers.len() && (self.answers_end || at < REACH / 2);
        if !known {
            self.peek(REACH - 1);
            self.extra_steps += self.buffer.len() as u64;
            let mut open: Vec<Container> = Vec::new();
            self.answers.clear();
            self.answers.resize(self.buffer.len(), None);
            for (answer, token) in self.answers.iter_mut().zip(&self.buffer).rev() {
                match token.kind {
                    TokenKind::OpenObject | TokenKind::OpenArray => drop(open.pop()),
                    kind => open.extend(kind.closes()),
                }
                *answer = open.last().copied();
            }
            self.answers_from = self.number;
            self.answers_end = self
                .buffer
                .back()
                .is_some_and(|token| token.kind == TokenKind::End);
        }
        self.answers[self.number - self.answers_from]
    }

    /// The number of openers of a kind in the whole text minus the number of its closers, less the repairs already
    /// accounted for. The first call makes one more pass over the text.
    pub fn surplus(&mut self, container: Container) -> i64 {
        self.surplus_of_both()[container as usize]
    }

    /// Accounts for a missing closer (`-1`) or an extra one (`+1`).
    pub fn account(&mut self, container: Container, change: i64) {
        self.surplus_of_both()[container as usize] += change;
    }

    fn surplus_of_both(&mut self) -> &mut [i64; 2] {
        let (lexer, start, extra) = (&self.lexer, self.start, &mut self.extra_steps);
        self.surplus.get_or_insert_with(|| {
            let mut all = Lexer::new(lexer.text, start, Collector::muted());
            all.stream = lexer.stream;
            let mut surplus = [0; 2];
            for token in all.by_ref().filter(|it| it.kind != TokenKind::OpenParen) {
                for (container, change) in [(token.kind.opens(), 1), (token.kind.closes(), -1)] {
                    if let Some(container) = container {
                        surplus[container as usize] += change;
                    }
                }
            }
            *extra += all.steps();
            surplus
        })
    }
}
