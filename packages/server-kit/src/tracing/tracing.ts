import type { TextMapPropagator, Tracer } from '@opentelemetry/api'

/** What the traced parts of a server share. Where it is undefined, nothing is traced. */
export interface Tracing {
  readonly tracer: Tracer
  /** Reads and writes the trace of a request, in the headers of the W3C recommendation. */
  readonly propagator: TextMapPropagator
}

/** The traces of a process. */
export interface RunningTracing extends Tracing {
  /** Exports what has ended, for at most `SHUTDOWN_TIMEOUT_MS`. Does not fail. */
  close(): Promise<void>
}
