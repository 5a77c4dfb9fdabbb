//! Lists that are returned page by page.

use super::ApiError;
use std::str::FromStr;

/// A whole number in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WholeNumber(pub(super) u64);

/// The error for a text that is not a whole number.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0:?} is not a whole number: write digits, such as 50")]
pub(super) struct ParseWholeNumberError(String);

impl FromStr for WholeNumber {
    type Err = ParseWholeNumberError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| ParseWholeNumberError(text.into()))
    }
}

impl WholeNumber {
    /// The number as an index; if it is too large, the largest index.
    pub(super) fn place(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A page of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paging {
    /// The number of items before it.
    pub(super) offset: usize,
    /// The most items on it.
    pub(super) limit: usize,
}

/// The default number of items on a page.
const USUAL: usize = 50;
/// The most items on a page.
const MOST: usize = 500;

impl Paging {
    /// Creates the page that a query asks for.
    pub(super) fn new(
        offset: Option<WholeNumber>,
        limit: Option<WholeNumber>,
    ) -> Result<Self, ApiError> {
        let limit = limit.map_or(USUAL, WholeNumber::place);
        if limit > MOST {
            return Err(ApiError::nonsense(format!(
                "the limit is {limit}: ask for {MOST} at most, and for more of them with an offset"
            )));
        }
        Ok(Self { offset: offset.map_or(0, WholeNumber::place), limit })
    }

    /// The items on the page.
    pub(super) fn of<I: IntoIterator>(self, all: I) -> impl Iterator<Item = I::Item> {
        all.into_iter().skip(self.offset).take(self.limit)
    }
}
