//! Models of every kind in the forms that people and other programs read; each kind has a file of its own.

mod form;
mod measure;
mod strategy;
mod tree;

use lucena_model::Model;

pub use form::{Form, LessonOfPlayer, ShowError, ShownModel};

/// Returns a model in a form. A tree is cut off below `max_depth` tests on a path; a picture shows four if that is `None`.
///
/// ```
/// use lucena_explain::{Form, ShownModel, show};
/// use lucena_model::Model;
///
/// let model = Model::from_json(&std::fs::read("../../data/measures/KRvK.smallest.json")?)?;
/// let ShownModel::Bytes(text) = show(model, Form::Text, None)? else { panic!("it is no lesson") };
/// assert!(text.starts_with(b"KRvK: a measure of "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the kind has no such form, or the form cannot be cut off; if a strategy or a measure cannot be played.
pub fn show(model: Model, form: Form, max_depth: Option<usize>) -> Result<ShownModel, ShowError> {
    match model {
        Model::Tree(tree) => tree::show(&tree, form, max_depth),
        model if max_depth.is_some() => Err(ShowError::NoDepth(model.kind())),
        Model::Strategy(strategy) => strategy::show(strategy, form),
        Model::Measure(measure) => measure::show(measure, form),
    }
}
