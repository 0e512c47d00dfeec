export { type CapturedTrace, captureTrace, runInSharedTrace } from './captured-trace.ts'
export { traceRequestTo } from './trace-request.ts'
export { type RunningTracing, startTracing, type Tracing } from './tracing.ts'
export { readTracingSettings, type TracingSettings } from './tracing-settings.ts'
