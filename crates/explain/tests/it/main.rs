//! Explanations, lessons and pictures, compared with what others publish and with plain versions.

mod chart;
mod diagram;
mod explain;
mod export;
mod known_rules;
mod lesson;
mod measure_lesson;
mod refutation;
mod rule_lessons;
mod stages;
mod strategy_lesson;
mod table;
