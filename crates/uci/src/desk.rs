use super::Settings;
use super::message::{Asked, Order};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Where a session leaves orders for its mind. What says the same twice is one order, so that the desk
/// holds no more than one of each kind, however fast they come.
pub(super) struct Desk {
    orders: Mutex<Orders>,
    changed: Condvar,
}

#[derive(Default)]
struct Orders {
    settings: Option<Settings>,
    is_new_game: bool,
    /// How often it is to say that it is ready.
    ready: usize,
    asked: Option<Box<Asked>>,
    is_closed: bool,
}

impl Desk {
    pub(super) fn new() -> Self {
        Self { orders: Mutex::default(), changed: Condvar::new() }
    }

    /// Leaves an order.
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

    /// Nobody leaves orders any more.
    pub(super) fn close(&self) {
        self.orders().is_closed = true;
        self.changed.notify_one();
    }

    /// Waits for an order: who it is to be, then what is to be ready, then what to think about. Nothing
    /// when there will be no more.
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

    /// No order is left half done by a thread that has panicked.
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
