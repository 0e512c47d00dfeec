import { trace } from '@opentelemetry/api'

/** Returns the fields of a log line that name its trace; none outside of a recorded trace. */
export function getTraceFields(): object {
  const span = trace.getActiveSpan()
  if (span?.isRecording() !== true) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}
