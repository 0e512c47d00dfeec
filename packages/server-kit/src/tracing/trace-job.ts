import { context, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { JOB_ATTRIBUTE } from './attributes.ts'
import { runInSpan } from './spans.ts'
import type { Tracing } from './tracing.ts'

/** Runs a job in a span that begins a trace. `JobSpanFilter` decides whether the trace is exported. */
export async function traceJob<Result>(
  tracing: Tracing | undefined,
  name: string,
  run: () => Promise<Result>,
): Promise<Result> {
  if (tracing === undefined) return await run()
  const description = { name: `job ${name}`, kind: SpanKind.INTERNAL, attributes: { [JOB_ATTRIBUTE]: name } }
  return await context.with(ROOT_CONTEXT, () => runInSpan(tracing, description, run))
}
