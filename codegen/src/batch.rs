//! The generated function that classifies many rows at once.
//!
//! Code of `if` and `match` is slow on rows in random order, since the processor mispredicts every
//! other branch. So the tree is also written as a flat array in which a step is arithmetic: load an
//! entry, load the value it tests, add 1 to the entry's slot if the value is greater than its
//! threshold, and go on from that slot. A step of one row waits for its loads, so several rows are
//! interleaved. Rows are copied into arrays with a place for every column that an entry can name, so no
//! load is bounds-checked; and the branch above is the sign of a difference, not a comparison. Together
//! the two save more than a quarter of the time.
//!
//! An entry is a number of three parts, from its lowest bits up: the column to test, the greatest value
//! that goes below, and the slot of the entry below. The entry above is in the next slot. The first
//! slots hold the answers: each leads to itself, so a row that has its answer waits there for the
//! others. Slot 0 is no answer, slot 1 the first class, and so on up to a power of two, so that the
//! bitwise or of all slots shows whether any row is still on its way.

use crate::language::rust::{doc, name, number, text};
use crate::writer::Writer;
use lucena_model::{BinaryNode, DecisionTree};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::VecDeque;

/// The number of rows walked in parallel.
const LANES: usize = 8;
/// The number of steps between two checks for arrival.
const STEPS: usize = 3;
/// A number of entries that no single line can hold.
const MANY: usize = 16;

/// A tree as an array.
struct TreeArrays {
    /// The entry of the root.
    root: u64,
    /// The entries that can follow, by slot.
    entries: Vec<u64>,
    /// The number of slots for answers, a power of two.
    answers: usize,
    layout: Layout,
}

/// The packing of an entry.
#[derive(Clone, Copy)]
struct Layout {
    /// The type of an entry.
    kind: &'static str,
    /// The lowest bits of the threshold and of the slot.
    shifts: [u32; 2],
    /// The number of bits of an entry.
    bits: usize,
}

impl Layout {
    const SMALL: Self = Self { kind: "u32", shifts: [8, 16], bits: 32 };
    const LARGE: Self = Self { kind: "u64", shifts: [24, 32], bits: 64 };

    fn fit(columns: usize, slots: usize) -> Self {
        let fits = columns <= 1 << Self::SMALL.shifts[0] && slots <= 1 << 16;
        if fits { Self::SMALL } else { Self::LARGE }
    }

    /// The number of columns that an entry can name, at least `columns`.
    fn width(self, columns: usize) -> usize {
        if self.bits == Self::SMALL.bits {
            1 << self.shifts[0]
        } else {
            columns.next_power_of_two()
        }
    }

    fn entry(self, column: usize, at_most: u8, slot: usize) -> u64 {
        let [threshold, place] = self.shifts;
        column as u64 | u64::from(at_most) << threshold | (slot as u64) << place
    }
}

impl TreeArrays {
    fn new(tree: &DecisionTree) -> Self {
        let nodes = tree.to_binary();
        let answers = (tree.head().classes.len() + 1).next_power_of_two();
        // The slot of each test's children, in breadth-first order, since every row passes near the
        // root.
        let mut slots = vec![0; nodes.len()];
        let (mut used, mut order, mut open) = (answers, Vec::new(), VecDeque::from([0]));
        while let Some(node) = open.pop_front() {
            if let BinaryNode::Test { below, above, .. } = nodes[node] {
                slots[node] = used;
                used += 2;
                order.extend([below, above]);
                open.extend([below, above]);
            }
        }
        let layout = Layout::fit(tree.head().attributes.len(), used);
        let waiting = |slot: usize| layout.entry(0, u8::MAX, slot);
        let entry = |node: usize| match nodes[node] {
            BinaryNode::Leaf { class } => waiting(class.map_or(0, |class| usize::from(class) + 1)),
            BinaryNode::Test { attribute, at_most, .. } => {
                layout.entry(attribute, at_most, slots[node])
            }
        };
        let entries = (0..answers).map(waiting).chain(order.into_iter().map(entry)).collect();
        Self { root: entry(0), entries, answers, layout }
    }

    /// The constants that the function needs, without the entries.
    fn data(&self, classes: &[String]) -> TokenStream {
        let (kind, root) = (name(self.layout.kind), literal(&self.hex(self.root)));
        let known = classes.iter().map(|class| {
            let class = name(class);
            quote!(Some(Class::#class))
        });
        let answers = std::iter::once(quote!(None)).chain(known);
        let answers = answers.chain(std::iter::repeat(quote!(None))).take(self.answers);
        let answer_count = number(self.answers);
        quote! {
            /// The entry at the root.
            const ROOT: #kind = #root;
            /// The answers of the first slots.
            static ANSWERS: [Option<Class>; #answer_count] = [#(#answers),*];
        }
    }

    /// The entries.
    fn entries(&self) -> String {
        let (kind, count) = (name(self.layout.kind), number(self.entries.len()));
        let words = "For each slot: the column to test, the greatest value that goes below, and the slot below.";
        let numbers: Vec<String> = self.entries.iter().map(|&entry| self.hex(entry)).collect();
        // prettyplease would write so many in the same way.
        if numbers.len() >= MANY {
            let mut out = Writer::default();
            out.comment("///", words);
            out.line(format_args!("static ENTRIES: [{kind}; {count}] = ["));
            out.indented(|out| out.list(&numbers));
            out.line("];");
            return out.finish();
        }
        let (doc, numbers) = (doc(words), numbers.iter().map(|of| literal(of)));
        text(quote!(#doc static ENTRIES: [#kind; #count] = [#(#numbers),*];))
    }

    /// An entry as it is written.
    fn hex(&self, entry: u64) -> String {
        let digits = self.layout.bits / 4;
        format!("0x{entry:0digits$x}")
    }
}

/// `classify_batch` and the array that it walks; `classes` are the names of the variants.
pub(crate) fn batch(tree: &DecisionTree, classes: &[String]) -> String {
    let flat = TreeArrays::new(tree);
    let columns = tree.head().attributes.len();
    let (body, data, entries) = if tree.tests() > 0 {
        (walk(flat.layout, columns), flat.data(classes), flat.entries())
    } else {
        (one_by_one(&quote!(rows), &quote!(classes)), TokenStream::new(), String::new())
    };
    let columns = number(columns);
    let function = quote! {
        /// The classes of many rows, with values in the order of [`Attributes::NAMES`]; they are the same as those
        /// from [`classify`]. For rows in random order this takes a fraction of the time of single calls.
        ///
        /// # Panics
        /// If there are not as many classes as rows.
        pub fn classify_batch(rows: &[[u8; #columns]], classes: &mut [Option<Class>]) {
            assert!(rows.len() == classes.len(), "there is a class for each row");
            #body
        }
        #data
    };
    text(function) + &entries
}

/// A number as it is written.
fn literal(text: &str) -> Literal {
    text.parse().expect("a number of Rust")
}

/// A loop that classifies rows one by one.
fn one_by_one(rows: &TokenStream, classes: &TokenStream) -> TokenStream {
    quote! {
        for (row, class) in #rows.iter().zip(#classes) {
            *class = classify(&Attributes::from(*row));
        }
    }
}

/// The body of the function.
fn walk(layout: Layout, columns: usize) -> TokenStream {
    let [threshold, place] = layout.shifts.map(Literal::u32_unsuffixed);
    let (kind, width) = (name(layout.kind), layout.width(columns));
    let (mask, width, columns) =
        (literal(&format!("{:#x}", width - 1)), number(width), number(columns));
    let [lanes, steps, sign] = [LANES, STEPS, layout.bits - 1].map(number);
    let rest = one_by_one(&quote!(rest), &quote!(last));
    quote! {
        let (blocks, rest) = rows.as_chunks::<#lanes>();
        let (answers, last) = classes.as_chunks_mut::<#lanes>();
        let mut values = [[0; #width]; #lanes];
        for (rows, answers) in blocks.iter().zip(answers) {
            for (values, row) in values.iter_mut().zip(rows) {
                values[..#columns].copy_from_slice(row);
            }
            let mut at = [ROOT; #lanes];
            loop {
                let mut slots = 0;
                for _ in 0..#steps {
                    slots = 0;
                    for (at, values) in at.iter_mut().zip(&values) {
                        let value = #kind::from(values[(*at & #mask) as usize]);
                        let goes_above = ((*at >> #threshold) & 0xff).wrapping_sub(value) >> #sign;
                        *at = ENTRIES[((*at >> #place) + goes_above) as usize];
                        slots |= *at;
                    }
                }
                if ((slots >> #place) as usize) < ANSWERS.len() {
                    break;
                }
            }
            for (answer, at) in answers.iter_mut().zip(at) {
                *answer = ANSWERS[(at >> #place) as usize];
            }
        }
        #rest
    }
}
