//! Explanations, lessons and pictures, compared with what others publish and with plain versions.

mod chart;
mod diagram;
mod explain;
mod export;
mod lesson;
mod measure_lesson;
mod refutation;
mod stages;
mod strategy_lesson;
mod table;
