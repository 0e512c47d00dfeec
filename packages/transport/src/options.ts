import type { MintmarkError } from '@mintmark/envelope'
import type { DeclaredError, Method, Operation, Service, Source } from '@mintmark/operation'

/**
 * One attempt of a call, as hooks receive it. It contains neither headers nor bodies, so it can be logged as
 * it is.
 */
export interface AttemptEvent {
  /** The operation's id, such as `orders.get`. */
  operation: string
  /** The HTTP method. */
  method: string
  /** Without the query, which may contain personal data. */
  path: string
  /** From 1. */
  attempt: number
}

/**
 * Functions for logs and metrics. A hook is not awaited. Its errors are logged to the console and do not end
 * the call.
 */
export interface Hooks {
  /** Called before every attempt. */
  onRequest?(event: AttemptEvent): void
  /** Called for every response, including those of attempts that are retried. */
  onResponse?(
    event: AttemptEvent & { status: number; milliseconds: number; requestId: string | undefined },
  ): void
  /** Called when a call ends in an error. */
  onError?(event: { operation: string; error: MintmarkError; milliseconds: number }): void
}

/** A field of a response that does not match its operation. See the option `responses`. */
export interface Deviation {
  /** The operation's id, such as `orders.get`. */
  operation: string
  /** The path of the field, names joined by dots; empty for the whole response. */
  field: string
  /** What differs, for people. */
  message: string
}

/** An operation that is sent to another path or with another method. */
export interface Route {
  /** The operation's id, such as `fans.add`. */
  readonly id: string
  /** The path that replaces the operation's; `{name}` is a field of its input. */
  readonly path?: string
  /** The method that replaces the operation's. */
  readonly method?: Method
}

/**
 * Sends an operation to another address, for gateways that serve it elsewhere. Stated operations do not
 * compile here, because their address is part of the specification.
 *
 * @example createGateway({ …, routes: [reroute(fans.add, { path: '/api/v1/fans' })] })
 */
export function reroute<S extends Service, Id extends string, In, Data, Errors extends DeclaredError>(
  operation: Operation<S, Id, In, Data, Exclude<Source, 'stated'>, Errors>,
  to: { path?: string; method?: Method },
): Route {
  const { path, method } = to
  return {
    id: operation.id,
    ...(path !== undefined && { path: normalizePath(path) }),
    ...(method && { method }),
  }
}

/** Returns a path as parsers of URLs write it, so that the path that is signed is the one that is sent. */
function normalizePath(path: string): string {
  const { pathname } = new URL(path, 'http://localhost')
  // The braces are those of fields, such as `{id}`.
  return pathname.replaceAll('%7B', '{').replaceAll('%7D', '}')
}

/** The options of both clients. */
export interface ClientOptions {
  /** The server's address. It can end in a path. */
  baseUrl: string | URL
  /**
   * Milliseconds for each attempt; default 30,000. If Retry-After asks for a longer wait, the call ends at once
   * with the error of the response.
   */
  timeout?: number | undefined
  /**
   * How often a call that is safe to repeat is retried after a network error, a timeout, 429 or 5xx; default
   * 2. The client waits for Retry-After if `timeout` allows it, otherwise for a random time up to 0.3, 0.6,
   * 1.2 s and so on.
   */
  retries?: number | undefined
  /**
   * How to handle a response that does not match its operation. 'check' (default): the call throws an
   * UnexpectedResponseError. 'report': the data is returned and `onDeviation` is called. 'off': the response
   * is not checked.
   */
  responses?: 'check' | 'report' | 'off' | undefined
  /** Called with each field of a response that differs, if `responses` is 'report'. */
  onDeviation?: ((deviation: Deviation) => void) | undefined
  /** Functions for logs and metrics. */
  hooks?: Hooks | undefined
  /** Operations that are sent to another address. See `reroute`. */
  routes?: readonly Route[] | undefined
  /** Additional headers of every call. */
  headers?: Record<string, string> | undefined
  /** Replaces the global fetch. Called once per attempt with a URL and an init. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds since the epoch; for tests. */
  now?: (() => number) | undefined
}
