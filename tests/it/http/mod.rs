//! Through a real socket: one file for an operation, called as in `src/http/`.

mod investigation;
