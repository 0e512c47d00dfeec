import { type Attributes, context, type Span, type SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Tracing } from './tracing.ts'

export interface SpanDescription {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
}

/** Whether the present work belongs to a span that is recorded and has not ended. */
export function isTraced(): boolean {
  return trace.getActiveSpan()?.isRecording() === true
}

/**
 * Runs work in a span, which begins a trace if no trace is active. The span has the kind of an error, never
 * its message.
 */
export async function runInSpan<Result>(
  { tracer }: Pick<Tracing, 'tracer'>,
  { name, kind, attributes }: SpanDescription,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = context.active()
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span)
  } catch (error) {
    recordFailure(span, getErrorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** Marks a span as failed. */
export function recordFailure(span: Span, errorType: string): void {
  span.setAttribute('error.type', errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/**
 * Returns the code of an error, such as `40001` or `ECONNRESET`, otherwise the name of its class. Messages
 * can contain values.
 */
function getErrorType(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  if ('code' in error && /^[\w-]{1,40}$/.test(String(error.code))) return String(error.code)
  return error.name
}
