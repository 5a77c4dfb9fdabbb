//! Messages between a session and its engine thread.

use super::{Info, Reply, Settings};
use lucena_chess::{Game, Move};
use lucena_play::TimeMode;
use lucena_search::Limit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An order to the engine thread.
pub(super) enum Order {
    /// Use these settings from now on.
    Settings(Box<Settings>),
    /// The next position is from another game.
    NewGame,
    /// Report this many times that all earlier orders are done.
    Ready(usize),
    /// Choose a move. There is only one such order at a time.
    Think(Arc<SearchOrder>),
}

/// An event that reaches a session: a line of the input, its end, or a message from the engine thread.
pub(super) enum SessionEvent {
    Line(String),
    /// The input has ended.
    End,
    Ready(usize),
    Said(Info),
    Chosen {
        told: Info,
        best: Reply,
    },
    /// The counts of positions; none if the count was stopped.
    Counted(Vec<Reply>),
}

/// A position to search.
pub(super) struct SearchOrder {
    pub(super) game: Arc<Game>,
    /// When it was asked for: the clock has been running since then.
    pub(super) begun: Instant,
    pub(super) pace: TimeMode,
    pub(super) limit: Limit,
    pub(super) among: Option<Vec<Move>>,
    /// The plies after which positions are counted, instead of a search.
    pub(super) perft: Option<u8>,
    /// True once the search is to end.
    pub(super) stop: AtomicBool,
}

impl SearchOrder {
    /// Returns true if the search is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The answer without a search: the first allowed move.
    pub(super) fn without_search(&self) -> (Info, Reply) {
        let may_be = |mv: &Move| self.among.as_ref().is_none_or(|among| among.contains(mv));
        let mv = self.game.moves().into_iter().find(may_be);
        let told = Info { depth: Some(0), ..Info::words("played without a search") };
        let mv = mv.and_then(|mv| self.game.uci(mv).ok());
        (told, Reply::BestMove { mv, ponder: None })
    }
}

/// The mailbox for orders from a session to its engine thread. A new order replaces a waiting one
/// of its kind, so memory is bounded however fast they come.
#[derive(Default)]
pub(super) struct Mailbox {
    orders: Mutex<MailboxState>,
    changed: Condvar,
}

#[derive(Default)]
struct MailboxState {
    settings: Option<Box<Settings>>,
    is_new_game: bool,
    /// The number of ready replies owed.
    ready: usize,
    asked: Option<Arc<SearchOrder>>,
    is_closed: bool,
}

impl Mailbox {
    /// Posts an order.
    pub(super) fn put(&self, order: Order) {
        let mut orders = self.orders();
        match order {
            Order::Settings(settings) => orders.settings = Some(settings),
            Order::NewGame => orders.is_new_game = true,
            Order::Ready(times) => orders.ready += times,
            Order::Think(asked) => orders.asked = Some(asked),
        }
        self.changed.notify_one();
    }

    /// Closes the mailbox: there will be no more orders.
    pub(super) fn close(&self) {
        self.orders().is_closed = true;
        self.changed.notify_one();
    }

    /// Returns true if the search that waits has been stopped, or the mailbox is closed.
    pub(super) fn is_stopped(&self) -> bool {
        let orders = self.orders();
        orders.is_closed || orders.asked.as_ref().is_some_and(|asked| asked.is_stopped())
    }

    /// Waits for an order: first settings, then a new game, then ready requests, then a position.
    /// Returns `None` once the mailbox is closed.
    pub(super) fn take(&self) -> Option<Order> {
        let mut orders = self.orders();
        loop {
            if orders.is_closed {
                return None;
            }
            if let Some(settings) = orders.settings.take() {
                return Some(Order::Settings(settings));
            }
            if std::mem::take(&mut orders.is_new_game) {
                return Some(Order::NewGame);
            }
            if orders.ready > 0 {
                return Some(Order::Ready(std::mem::take(&mut orders.ready)));
            }
            if let Some(asked) = orders.asked.take() {
                return Some(Order::Think(asked));
            }
            orders = self.changed.wait(orders).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Locks the orders. Ignores poisoning: no order is left half posted by a panic.
    fn orders(&self) -> MutexGuard<'_, MailboxState> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
