//! linfa's traits for our learners, so that they work with its data sets, metrics and cross-validation.

use super::{LearnError, Learner};
use linfa::DatasetBase;
use linfa::dataset::AsSingleTargets;
use linfa::traits::PredictInplace;
use lucena_dataset::Dataset;
use lucena_model::{DecisionTree, is_identifier};
use ndarray::{Array1, ArrayBase, Data, Ix2};

/// A tree as a linfa model. It predicts the class of each record, or `None` if the tree has no answer.
///
/// ```
/// use linfa::prelude::*;
/// use lucena_learn::CartParams;
/// use ndarray::array;
///
/// let records = array![[0_u8, 1], [0, 2], [1, 1], [1, 2]];
/// let targets = array![0_usize, 0, 1, 0];
/// let dataset = linfa::Dataset::new(records.clone(), targets.clone());
/// let model = CartParams::default().fit(&dataset)?;
/// let predicted = model.predict(&records);
/// assert_eq!(predicted, targets.mapv(Some));
/// assert_eq!(predicted.confusion_matrix(&targets.mapv(Some)).unwrap().accuracy(), 1.0);
/// # Ok::<(), lucena_learn::LearnError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classifier(pub DecisionTree);

impl<D: Data<Elem = u8>> PredictInplace<ArrayBase<D, Ix2>, Array1<Option<usize>>> for Classifier {
    fn predict_inplace(&self, records: &ArrayBase<D, Ix2>, targets: &mut Array1<Option<usize>>) {
        assert_eq!(records.nrows(), targets.len(), "as many targets as records");
        let mut row = vec![0; records.ncols()];
        for (record, target) in records.rows().into_iter().zip(targets.iter_mut()) {
            for (value, &recorded) in row.iter_mut().zip(record) {
                *value = recorded;
            }
            *target = self.0.classify(&row).map(usize::from);
        }
    }

    fn default_target(&self, records: &ArrayBase<D, Ix2>) -> Array1<Option<usize>> {
        Array1::from_elem(records.nrows(), None)
    }
}

impl From<linfa::Error> for LearnError {
    fn from(error: linfa::Error) -> Self {
        Self::Linfa(error.to_string())
    }
}

/// Learns from a linfa data set: records are attribute values, targets are class numbers.
pub(crate) fn fit<D, T>(
    learner: &impl Learner,
    dataset: &DatasetBase<ArrayBase<D, Ix2>, T>,
) -> Result<Classifier, LearnError>
where
    D: Data<Elem = u8>,
    T: AsSingleTargets<Elem = usize>,
{
    // Names that are not valid identifiers, or occur twice, are replaced.
    let names = dataset.feature_names();
    let is_usable = |at: usize, name: &String| is_identifier(name) && !names[..at].contains(name);
    let name = |at: usize| {
        let given = names.get(at).filter(|name| is_usable(at, name));
        given.cloned().unwrap_or_else(|| format!("attribute_{at}"))
    };
    let columns = dataset.records().columns().into_iter().map(|column| column.to_vec());
    let columns: Vec<_> = columns.enumerate().map(|(at, column)| (name(at), column)).collect();
    let targets = dataset.as_single_targets().to_vec();
    learner.learn(&Dataset::from_columns(columns, &targets)?).map(Classifier)
}

/// Implements linfa's traits for a learner and its parameters.
macro_rules! implement_linfa_traits {
    ($params:ty, $learner:ty) => {
        impl ::linfa::ParamGuard for $params {
            type Checked = $learner;
            type Error = LearnError;

            fn check_ref(&self) -> Result<&$learner, LearnError> {
                (*self).check()?;
                Ok(&self.0)
            }

            fn check(self) -> Result<$learner, LearnError> {
                <$params>::check(self)
            }
        }

        impl<D, T> ::linfa::traits::Fit<::ndarray::ArrayBase<D, ::ndarray::Ix2>, T, LearnError>
            for $learner
        where
            D: ::ndarray::Data<Elem = u8>,
            T: ::linfa::dataset::AsSingleTargets<Elem = usize>,
        {
            type Object = crate::Classifier;

            fn fit(
                &self,
                dataset: &::linfa::DatasetBase<::ndarray::ArrayBase<D, ::ndarray::Ix2>, T>,
            ) -> Result<crate::Classifier, LearnError> {
                crate::linfa_compat::fit(self, dataset)
            }
        }
    };
}

pub(crate) use implement_linfa_traits;
