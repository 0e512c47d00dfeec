import { type Context, context, trace } from '@opentelemetry/api'

/** The trace that some work belongs to. */
export type CapturedTrace = Context

/** Captures the trace of the present work, for work that runs later together with that of other callers. */
export function captureTrace(): CapturedTrace {
  return context.active()
}

/** Runs work that several callers share, in the first of their traces that is recorded. */
export function runInSharedTrace<Result>(traces: readonly CapturedTrace[], work: () => Result): Result {
  const recorded = traces.find((each) => trace.getSpan(each)?.isRecording() === true)
  return context.with(recorded ?? traces[0] ?? context.active(), work)
}
