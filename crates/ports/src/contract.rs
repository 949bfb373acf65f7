//! Contract suites: one named test per promise, run against every implementation of a port.
