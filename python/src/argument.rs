//! Arguments whose errors name the parameter.

use crate::error::{LucenaError, Result};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

/// A whole number of any size. Its range is checked where the parameter is known.
#[derive(Clone, Copy)]
pub(crate) struct WholeNumber(pub(crate) i128);

impl<'a, 'py> FromPyObject<'a, 'py> for WholeNumber {
    type Error = PyErr;

    fn extract(number: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match number.extract() {
            Ok(number) => Ok(Self(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
                Ok(Self(if number.lt(0)? { i128::MIN } else { i128::MAX }))
            }
            Err(error) => Err(error),
        }
    }
}

impl WholeNumber {
    /// The number as the value of a parameter that takes numbers from `least`.
    pub(crate) fn at_least<T: TryFrom<i128>>(self, least: i128, parameter: &str) -> Result<T> {
        let wrong = |reason: &str| {
            LucenaError::new_err(format!(
                "{parameter} is {reason}: give a whole number, {least} or more"
            ))
        };
        if self.0 < least {
            let number = self.0;
            return Err(wrong(&if number == i128::MIN {
                "too small".into()
            } else {
                number.to_string()
            })
            .into());
        }
        Ok(T::try_from(self.0).map_err(|_| wrong("too large"))?)
    }

    /// [`Self::at_least`] of a parameter that may be None.
    pub(crate) fn option_at_least<T: TryFrom<i128>>(
        number: Option<Self>,
        least: i128,
        parameter: &str,
    ) -> Result<Option<T>> {
        number.map(|number| number.at_least(least, parameter)).transpose()
    }
}

/// Parses the value of a parameter that is one of several names.
pub(crate) fn named<T: FromStr<Err: Display>>(text: &str, parameter: &str) -> Result<T> {
    Ok(text.parse().map_err(|error| LucenaError::new_err(format!("{parameter}: {error}")))?)
}

/// Implements the extraction of an argument that has one of several types, with an error that lists them in words.
macro_rules! one_of_types {
    ($Type:ident: $($Variant:ident),* = $expected:literal) => {
        impl<'a, 'py> pyo3::FromPyObject<'a, 'py> for $Type {
            type Error = pyo3::PyErr;

            fn extract(argument: pyo3::Borrowed<'a, 'py, pyo3::PyAny>) -> pyo3::PyResult<Self> {
                use pyo3::types::{PyAnyMethods, PyTypeMethods};
                $(if let Ok(value) = argument.extract() {
                    return Ok(Self::$Variant(value));
                })*
                let found = argument.get_type().name()?;
                let words = format!("{found} is not {}", $expected);
                Err(pyo3::exceptions::PyTypeError::new_err(words))
            }
        }
    };
}
pub(crate) use one_of_types;
