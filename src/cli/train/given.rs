/// The first option that is given, of options that each have true if they are.
pub(super) fn first_given(
    options: impl IntoIterator<Item = (&'static str, bool)>,
) -> Option<&'static str> {
    options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
}
