/** One JSON-RPC request as it is on the wire. */
export interface RpcRequest {
  readonly jsonrpc: string
  readonly id: number | string
  readonly method: string
  readonly params?: unknown
}

/** One JSON-RPC answer: a result or an error. */
export interface RpcAnswer {
  readonly jsonrpc: string
  readonly id: number | string
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}
