//! `POST /mcp`: a server of the Model Context Protocol (MCP), through which assistants work with investigations.
//!
//! Each tool calls one operation of the HTTP API, in this process and without a socket. So a tool has the permissions,
//! limits, errors and events of its operation. There are no sessions, so any copy of the service can answer a message.

mod call;
mod route;
mod server;
mod tools;

pub use route::route;
