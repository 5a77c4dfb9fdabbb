//! Explanations, lessons and pictures, compared with what others publish and with plain versions.

mod chart;
mod diagram;
mod explain;
mod export;
mod lesson;
mod measure_lesson;
mod strategy_lesson;
