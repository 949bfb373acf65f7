//! Fakes that keep the ports' promises in memory.
