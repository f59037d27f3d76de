//! An assistant: the official client of the Model Context Protocol, connected to the service.

use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::Value;

use super::Caller;

pub struct Assistant(RunningService<RoleClient, ()>);

impl Assistant {
    /// Connects an assistant that has the token of `caller`.
    pub async fn of(caller: &Caller) -> Self {
        Self::greeting(caller, ClientLifecycleMode::Initialize).await.expect("a server")
    }

    /// Connects an assistant with this kind of handshake, which depends on the revision of the protocol.
    pub async fn greeting(caller: &Caller, mode: ClientLifecycleMode) -> Result<Self, Box<ClientInitializeError>> {
        let config = StreamableHttpClientTransportConfig::with_uri(format!("{}/mcp", caller.base));
        let config = match &caller.token {
            Some(token) => config.auth_header(token.clone()),
            None => config,
        };
        // Each message has a connection of its own, so that a balancer can send each to another copy.
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).pool_max_idle_per_host(0);
        let transport = StreamableHttpClientTransport::with_client(client.build().expect("a client"), config);
        Ok(Self(().serve_with_lifecycle(transport, mode).await.map_err(Box::new)?))
    }

    pub fn instructions(&self) -> String {
        self.0.peer_info().and_then(|info| info.instructions.clone()).unwrap_or_default()
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.0.list_all_tools().await.expect("tools")
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.attempt(tool, arguments).await.expect("a result");
        assert_eq!(result.is_error, Some(false), "{tool}: {result:?}");
        content(&result)
    }

    /// Calls a tool, and returns the error that it answers with.
    pub async fn refusal(&self, tool: &str, arguments: Value) -> Value {
        let result = self.attempt(tool, arguments).await.expect("a result");
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        content(&result)
    }

    pub async fn attempt(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let arguments = arguments.as_object().expect("an object").clone();
        self.0.call_tool(CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)).await
    }
}

/// Returns the structured content. Its text for older clients must be the same.
fn content(result: &CallToolResult) -> Value {
    let structured = result.structured_content.clone().expect("structured content");
    let text = result.content.first().and_then(|block| block.as_text()).expect("a text");
    assert_eq!(serde_json::from_str::<Value>(&text.text).expect("JSON"), structured);
    structured
}
