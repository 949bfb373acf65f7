//! The registry through its public interface: files in, editions out, look-ups.

mod bad_lines;
mod bad_sources;
mod damage;
mod folder;
mod guards;
mod lists;
mod rows;
mod workspace;
