//! A decision tree as JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena_model::DecisionTree;

fuzz_target!(|json: &[u8]| {
    if let Ok(tree) = DecisionTree::from_json(json) {
        let row = vec![0; tree.head().attributes.len()];
        let _ = tree.classify(&row);
    }
});
