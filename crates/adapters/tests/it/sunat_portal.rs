//! The tax authority's page: recorded and invented answers, damaged ones, and the exchange over loopback.

mod pages;
