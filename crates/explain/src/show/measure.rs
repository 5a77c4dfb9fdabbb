use super::form::{Form, LessonOfPlayer, ShowError, ShownModel};
use crate::ExplainError;
use crate::lesson::{MeasureLesson, measure_rules_page, measure_text};
use lucena_base::named::Named;
use lucena_base::progress::Observer;
use lucena_model::{Measure, ModelKind};
use lucena_proof::policy::MeasurePolicy;
use lucena_tablebase::Tablebase;

pub(super) fn show(measure: Measure, form: Form) -> Result<ShownModel, ShowError> {
    let policy = MeasurePolicy::new(measure)?;
    Ok(match form {
        Form::Text => measure_text(&policy).into(),
        Form::Rules => measure_rules_page(&policy).to_markdown().into(),
        Form::Lesson => ShownModel::Lesson(Box::new(policy)),
        other => {
            let refusal = format!("there is no {} of a measure", other.name());
            return Err(ShowError::Form(refusal, ModelKind::Measure));
        }
    })
}

impl LessonOfPlayer for MeasurePolicy {
    fn to_markdown(
        &self,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<String, ExplainError> {
        Ok(MeasureLesson::new(self, tablebase, observer)?.to_markdown())
    }
}
