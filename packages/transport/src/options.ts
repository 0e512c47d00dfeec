import type { MintmarkError } from '@mintmark/envelope'
import type { DeclaredError, Method, Operation, Service, Source } from '@mintmark/operation'

/** One attempt of a call, as hooks see it. It carries neither headers nor bodies, so that it can be logged as it is. */
export interface AttemptEvent {
  operation: string
  method: string
  /** Without the query, which may hold what a person entered. */
  path: string
  /** From 1. */
  attempt: number
}

/** For logs and metrics. A hook is not awaited; what it throws goes to the console and does not end the call. */
export interface Hooks {
  onRequest?(event: AttemptEvent): void
  /** Every answer, also of attempts that are repeated. */
  onResponse?(
    event: AttemptEvent & { status: number; milliseconds: number; requestId: string | undefined },
  ): void
  /** A call ended in an error. */
  onError?(event: { operation: string; error: MintmarkError; milliseconds: number }): void
}

/** What an answer had that its operation does not promise; see `responses`. */
export interface Deviation {
  operation: string
  field: string
  message: string
}

/** An operation sent to another path or method. */
export interface Route {
  readonly id: string
  readonly path?: string
  readonly method?: Method
}

/**
 * Sends an operation elsewhere, for gateways whose address of it is another. Stated operations do not compile here: their
 * address is part of the specification.
 *
 * @example createGateway({ …, routes: [reroute(fans.add, { path: '/api/v1/fans' })] })
 */
export function reroute<S extends Service, Id extends string, In, Data, Errors extends DeclaredError>(
  operation: Operation<S, Id, In, Data, Exclude<Source, 'stated'>, Errors>,
  to: { path?: string; method?: Method },
): Route {
  return { id: operation.id, ...to }
}

/** What both clients take. */
export interface ClientOptions {
  /** Where the server answers; may end in a path of its own. */
  baseUrl: string | URL
  /** Milliseconds for each attempt; default 30,000. */
  timeout?: number | undefined
  /**
   * How often a call that is safe to repeat is sent again after a network error, a time-out, 429 or 5xx; default 2.
   * Retry-After is followed up to a minute; otherwise the wait is random up to 0.3, 0.6, 1.2 s and so on.
   */
  retries?: number | undefined
  /**
   * What an answer that does not fit its operation does. 'check' (default): it is an UnexpectedResponseError. 'report': it is
   * delivered, and `onDeviation` is told. 'off': nothing is looked at.
   */
  responses?: 'check' | 'report' | 'off' | undefined
  onDeviation?: ((deviation: Deviation) => void) | undefined
  hooks?: Hooks | undefined
  routes?: readonly Route[] | undefined
  /** Further headers of every call. */
  headers?: Record<string, string> | undefined
  /** Instead of the global fetch: called with a URL and an init, once an attempt. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Milliseconds since the epoch; for tests. */
  now?: (() => number) | undefined
}
