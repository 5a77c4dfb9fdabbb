//! Prints Rust: items are tokens, and prettyplease lays them out. The small language becomes such items.

use crate::language::ast::{Constant, Expr, Function, Program, Statement, Type, Value};
use crate::language::print::wrapped;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};

/// The text of items, or of attributes of the file.
///
/// # Panics
/// If the tokens are not Rust.
pub(crate) fn text(items: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(items).expect("the tokens are items"))
}

/// A name.
pub(crate) fn name(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A number without its type.
pub(crate) fn number(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// A set of squares.
fn set(bits: u64) -> Literal {
    match bits {
        0 => number(0),
        bits => format!("{bits:#x}").parse().expect("a number of Rust"),
    }
}

/// The lines of a text, one for each line of a comment.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = String> {
    text.split(['\n', '\r']).map(|line| format!(" {line}"))
}

/// A documentation comment for the item that follows.
pub(crate) fn doc(text: &str) -> TokenStream {
    let lines = lines(text);
    quote!(#(#[doc = #lines])*)
}

/// A plain comment before the item or statement that follows. It is an attribute that prettyplease prints
/// as a comment.
fn comment(text: &str) -> TokenStream {
    let lines = wrapped(text).into_iter().map(|line| format!(" {line}"));
    quote!(#(#[comment = #lines])*)
}

/// The text of a whole file: comments, what comes before the program, the program, the entry.
pub(crate) fn file(head: &[String], before: &str, program: &Program, entry: &str) -> String {
    let head = head.iter().flat_map(|text| wrapped(text)).map(|line| format!(" {line}"));
    let [before, entry] =
        [before, entry].map(|text| text.parse::<TokenStream>().expect("the text is Rust"));
    let Program { constants, functions } = program;
    let first = [quote!(#(#![comment = #head])*), quote!(#before #(#constants)*)];
    let functions = functions.iter().map(ToTokens::to_token_stream);
    let parts = first.into_iter().chain(functions).chain([entry]);
    parts.map(text).collect::<Vec<_>>().join("\n")
}

impl ToTokens for Constant {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = name(&self.name);
        tokens.extend(match &self.value {
            Value::Number(value) => {
                let value = number(*value);
                quote!(const #name: usize = #value;)
            }
            Value::List(items) => {
                let count = number(items.len());
                quote!(const #name: [usize; #count] = [#(#items),*];)
            }
            Value::Bits(bits) => {
                let bits = set(*bits);
                quote!(const #name: Bits = #bits;)
            }
        });
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { comment: says, parameters, returns, body, .. } = self;
        let comment = (!says.is_empty()).then(|| comment(&says.join(" ")));
        // Functions of attributes keep their names, capitals included.
        let has_capitals = self.name.contains(|c: char| c.is_ascii_uppercase());
        let allow = has_capitals.then(|| quote!(#[allow(non_snake_case)]));
        let called = name(&self.name);
        let names = parameters.iter().map(|(parameter, _)| name(parameter));
        let types = parameters.iter().map(|(_, kind)| kind);
        tokens.extend(quote! {
            #comment
            #allow
            fn #called(#(#names: #types),*) -> #returns { #(#body)* }
        });
    }
}

impl ToTokens for Type {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Int => quote!(usize),
            Self::Bool => quote!(bool),
            Self::Board => quote!(Board),
            Self::List => quote!(&[usize]),
            Self::Table => quote!(&mut [usize]),
            Self::Bits => quote!(Bits),
        });
    }
}

impl ToTokens for Statement {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Comment(text) => comment(text),
            Self::Let { name: of, is_mutable, value, .. } => {
                let (name, mutable) = (name(of), is_mutable.then(|| quote!(mut)));
                quote!(let #mutable #name = #value;)
            }
            Self::Assign { to, value } => quote!(#to = #value;),
            Self::Change { to, operator, value } => {
                let sign = format!("{}=", operator.sign());
                let sign: TokenStream = sign.parse().expect("an operator of Rust");
                quote!(#to #sign #value;)
            }
            Self::If { arms, otherwise } => {
                let arms = arms.iter().map(|(condition, body)| quote!(if #condition { #(#body)* }));
                let otherwise = (!otherwise.is_empty()).then(|| quote!(else { #(#otherwise)* }));
                quote!(#(#arms)else* #otherwise)
            }
            Self::For { name: of, from, to, body } => {
                let name = name(of);
                quote!(for #name in #from..#to { #(#body)* })
            }
            Self::While { condition, body } => quote!(while #condition { #(#body)* }),
            Self::Return(value) => quote!(return #value;),
        });
    }
}

impl ToTokens for Expr {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Number(value) => number(*value).into_token_stream(),
            Self::Bool(truth) => quote!(#truth),
            Self::Name(of, _) => name(of).into_token_stream(),
            Self::Index { list, at, .. } => {
                let list = name(list);
                quote!(#list[#at])
            }
            Self::Call(function, arguments) => {
                let function = name(function);
                quote!(#function(#(#arguments),*))
            }
            Self::AsNumber(inner) => quote!(usize::from(#inner)),
            Self::Not(inner) => {
                let inner = operand(inner, u8::MAX, false);
                quote!(!#inner)
            }
            Self::Bits(bits) => set(*bits).into_token_stream(),
            Self::Complement(inner) => {
                let inner = operand(inner, u8::MAX, false);
                quote!(!#inner)
            }
            Self::Zeros(length) => quote!([0; #length]),
            Self::Lent(list) => {
                let list = name(list);
                quote!(&mut #list)
            }
            Self::Binary(operator, left, right) => {
                let left = operand(left, operator.strength(), true);
                let right = operand(right, operator.strength(), false);
                let sign: TokenStream = operator.sign().parse().expect("an operator of Rust");
                quote!(#left #sign #right)
            }
        });
    }
}

/// An operand, in brackets if needed.
fn operand(value: &Expr, outer: u8, is_left: bool) -> TokenStream {
    if value.needs_brackets(outer, is_left) { quote!((#value)) } else { quote!(#value) }
}
