use crate::regenerate::MARK;
use crate::{Attribute, DecisionTree, FunctionSize, Node, NodeIndex, partition};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

/// The Rust module that a tree becomes: an `Attributes` struct, a `Class` enum, and `classify`,
/// cut into functions of bounded size. Tests by value are `match`, thresholds are `if`.
///
/// It needs nothing but `core`. The same tree gives the same text, on every machine.
///
/// # Panics
/// Never: a [`DecisionTree`] has been checked, and everything it can hold has a text.
pub fn emit(tree: &DecisionTree, size: FunctionSize) -> String {
    let functions = partition::functions(tree, size);
    let emitter = Emitter {
        tree,
        attributes: tree.head().attributes.iter().map(|a| ident(&a.name)).collect(),
        classes: class_names(&tree.head().classes),
        functions: &functions,
    };
    print(&emitter.module())
}

/// Tokens as formatted source text.
pub(crate) fn print(tokens: &TokenStream) -> String {
    let file = syn::parse2(tokens.clone()).expect("the emitted tokens are a Rust file");
    prettyplease::unparse(&file)
}

struct Emitter<'a> {
    tree: &'a DecisionTree,
    attributes: Vec<Ident>,
    classes: Vec<Ident>,
    functions: &'a [NodeIndex],
}

impl Emitter<'_> {
    fn module(&self) -> TokenStream {
        let head = self.tree.head();
        let title = format!(" {}: what is the outcome with the weak side to move?", head.material);
        let source = format!(
            " {} tests, {} leaves, depth {}.",
            self.tree.tests(),
            self.tree.leaves(),
            self.tree.depth()
        );
        let made = format!("{MARK}: change the tree, not this file.");
        let parameters: Vec<String> =
            head.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let provenance = [
            format!(" | material | {} |", head.material),
            " |---|---|".into(),
            format!(" | learner | {} |", head.learner),
            format!(" | parameters | {} |", parameters.join(", ")),
            format!(" | tree sha256 | {} |", self.tree.sha256()),
            format!(" | dataset sha256 | {} |", head.dataset_sha256),
        ];
        let made = format!(" {made}");
        let attributes = self.attributes_struct();
        let classes = self.class_enum();
        let root = self.expression(0);
        let others = self.functions.iter().skip(1).map(|&node| {
            let name = function_name(node);
            let body = self.expression(node);
            quote! { fn #name(a: &Attributes) -> Option<Class> { #body } }
        });
        quote! {
            #![doc = #title]
            #![doc = ""]
            #![doc = #source]
            #![doc = ""]
            #![doc = " It was learned on one position of each orbit of the board's symmetries: ask it about that"]
            #![doc = " representative only."]
            #![doc = ""]
            #(#![doc = #provenance])*
            #![doc = ""]
            #![doc = #made]
            // Names are as the literature writes them, and a tree says what it says.
            #![allow(non_snake_case, clippy::all)]

            #attributes
            #classes

            #[doc = " The class of a position, or nothing where a test meets a value it was never shown."]
            pub fn classify(a: &Attributes) -> Option<Class> { #root }

            #(#others)*
        }
    }

    fn attributes_struct(&self) -> TokenStream {
        let attributes = &self.tree.head().attributes;
        let names = &self.attributes;
        let count = Literal::usize_unsuffixed(names.len());
        let places = (0..names.len()).map(Literal::usize_unsuffixed);
        let docs = attributes
            .iter()
            .map(|Attribute { low, high, meaning, .. }| format!(" {meaning}: {low} to {high}."));
        let strings = attributes.iter().map(|attribute| &attribute.name);
        quote! {
            #[doc = " What a tree may ask about a position."]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct Attributes {
                #(#[doc = #docs] pub #names: u8,)*
            }

            impl Attributes {
                #[doc = " The names of the attributes, in order."]
                pub const NAMES: [&'static str; #count] = [#(#strings),*];
            }

            impl From<[u8; #count]> for Attributes {
                #[doc = " The values in the order of [`Attributes::NAMES`]."]
                fn from(values: [u8; #count]) -> Self {
                    Self { #(#names: values[#places],)* }
                }
            }
        }
    }

    fn class_enum(&self) -> TokenStream {
        let variants = &self.classes;
        let count = Literal::usize_unsuffixed(variants.len());
        let strings = &self.tree.head().classes;
        let docs = strings.iter().map(|name| format!(" `{name}`"));
        quote! {
            #[doc = " What a tree answers."]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(u8)]
            pub enum Class {
                #(#[doc = #docs] #variants,)*
            }

            impl Class {
                #[doc = " The names of the classes, in order."]
                pub const NAMES: [&'static str; #count] = [#(#strings),*];
            }
        }
    }

    /// The code for a node, down to leaves and to calls of other functions.
    fn expression(&self, node: NodeIndex) -> TokenStream {
        match &self.tree.nodes()[node as usize] {
            Node::Leaf { class } => {
                let class = &self.classes[usize::from(*class)];
                quote! { Some(Class::#class) }
            }
            Node::Threshold { attribute, at_most, below, above } => {
                let name = &self.attributes[*attribute];
                let (below, above) = (self.child(*below), self.child(*above));
                let value = Literal::u8_unsuffixed(*at_most);
                if *at_most == 0 {
                    quote! { if a.#name == #value { #below } else { #above } }
                } else {
                    quote! { if a.#name <= #value { #below } else { #above } }
                }
            }
            Node::ByValue { attribute, children } => {
                let name = &self.attributes[*attribute];
                let arms = children.iter().map(|&(value, child)| {
                    let value = Literal::u8_unsuffixed(value);
                    let child = self.child(child);
                    quote! { #value => #child, }
                });
                quote! { match a.#name { #(#arms)* _ => None, } }
            }
        }
    }

    fn child(&self, node: NodeIndex) -> TokenStream {
        if self.functions.binary_search(&node).is_ok() {
            let name = function_name(node);
            quote! { #name(a) }
        } else {
            self.expression(node)
        }
    }
}

fn function_name(node: NodeIndex) -> Ident {
    format_ident!("node_{node}")
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A variant for each class: `thirty-three` is `ThirtyThree`, `7` is `Class7`.
fn class_names(classes: &[String]) -> Vec<Ident> {
    let mut names: Vec<String> = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        let mut name = String::new();
        for word in class.split(|c: char| !c.is_ascii_alphanumeric()) {
            let mut letters = word.chars();
            name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            name.extend(letters);
        }
        if syn::parse_str::<Ident>(&name).is_err() {
            name = format!("Class{number}");
        }
        while names.contains(&name) {
            name.push_str("Again");
        }
        names.push(name);
    }
    names.iter().map(|name| ident(name)).collect()
}
