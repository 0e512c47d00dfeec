export { startTracing } from './start-tracing.ts'
export { getTraceHeaders, type TracedRequest, traceRequestTo } from './trace-request.ts'
export type { RunningTracing, Tracing } from './tracing.ts'
export { readTracingSettings, type TracingSettings } from './tracing-settings.ts'
