/** A JSON-RPC request on the wire. */
export interface RpcRequest {
  readonly jsonrpc: string
  readonly id: number | string
  readonly method: string
  readonly params?: unknown
}

/** A JSON-RPC response: a result or an error. */
export interface RpcResponse {
  readonly jsonrpc: string
  readonly id: number | string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}
