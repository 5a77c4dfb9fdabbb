use super::form::{Form, LessonOfPlayer, ShowError, ShownModel};
use crate::lesson::StrategyLesson;
use crate::{ExplainError, StrategySentences};
use lucena_base::named::Named;
use lucena_base::progress::Observer;
use lucena_model::{ModelKind, Strategy};
use lucena_proof::policy::StrategyPolicy;
use lucena_tablebase::Tablebase;

pub(super) fn show(strategy: Strategy, form: Form) -> Result<ShownModel, ShowError> {
    if !matches!(form, Form::Text | Form::Rules | Form::Lesson) {
        let refusal = format!("{} is for trees", form.name());
        return Err(ShowError::Form(refusal, ModelKind::Strategy));
    }
    let policy = StrategyPolicy::new(strategy)?;
    Ok(match form {
        Form::Lesson => ShownModel::Lesson(Box::new(policy)),
        form => rules(&policy, form == Form::Rules).into(),
    })
}

/// The rules as a numbered list below a line, or below a heading.
fn rules(policy: &StrategyPolicy, is_headed: bool) -> String {
    let (strategy, sentences) = (policy.strategy(), StrategySentences::new(policy));
    let (material, rules) = (&strategy.origin().material, strategy.rules());
    let title = format!("{material}: a strategy of size {}\n", strategy.size());
    let mut text = if is_headed { format!("# {title}\n") } else { title };
    let below = if is_headed { "\n\n" } else { "\n" };
    text.extend(sentences.made_for().map(|part| part + below));
    for number in 0..rules.len() {
        text += &sentences.item(number);
    }
    if rules.len() > 1 {
        text += "\nThe first rule that some safe move fulfils is used.\n";
    }
    text
}

impl LessonOfPlayer for StrategyPolicy {
    fn to_markdown(
        &self,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<String, ExplainError> {
        Ok(StrategyLesson::new(self, tablebase, observer)?.to_markdown())
    }
}
