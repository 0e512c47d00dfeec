// The only module that imports the OpenTelemetry SDK. It is loaded only where traces are exported.
import { setTimeout as pause } from 'node:timers/promises'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { JobSpanFilter } from './job-span-filter.ts'
import type { RunningTracing } from './tracing.ts'
import type { TracingSettings } from './tracing-settings.ts'

/** The most time that the last export delays a shutdown. */
const SHUTDOWN_TIMEOUT_MS = 3000
/** A receiver that does not respond is logged once per interval. */
const WARNING_INTERVAL_MS = 60_000
/** The longest text of an attribute. */
const MAX_ATTRIBUTE_LENGTH = 500

/** Starts the OpenTelemetry SDK. Several servers of one process each have their own name and exporter. */
export function startSdk(settings: TracingSettings, log: Logger): RunningTracing {
  // Another server of this process, or its own program, may have set one. All are equivalent.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: settings.headers,
    timeoutMillis: settings.timeoutMs,
  })
  const processor = new BatchSpanProcessor({
    exporter: warnOfFailures(exporter, log),
    scheduledDelayMillis: settings.delayMs,
    exportTimeoutMillis: settings.timeoutMs,
  })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ ...settings.resource, 'service.name': settings.serviceName }),
    ),
    sampler: createSampler(settings),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_LENGTH },
    spanProcessors: [new JobSpanFilter(processor, settings.jobMinMs)],
  })
  let closed: Promise<void> | undefined
  return {
    tracer: provider.getTracer('@mintmark/server-kit'),
    propagator: new W3CTraceContextPropagator(),
    close() {
      closed ??= shutDown(provider)
      return closed
    },
  }
}

async function shutDown(provider: TracerProvider): Promise<void> {
  // A failed export was logged by the exporter.
  const exported = provider.shutdown().catch(() => {})
  await Promise.race([exported, pause(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })])
}

function createSampler({ sampler, ratio }: TracingSettings): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) })
  }
}

/** Logs failed exports. The SDK itself reports them only to a diagnostic logger. */
function warnOfFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let quietUntil = 0
  const warn = (error: Error | undefined) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + WARNING_INTERVAL_MS
    // Messages of the exporter can contain the receiver's response.
    log.warn({ reason: describeFailure(error) }, 'traces could not be exported')
  }
  return {
    export(spans: ReadableSpan[], onResult: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) warn(result.error)
        onResult(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** Returns the code of a failure: an HTTP status or a code of the connection. */
function describeFailure(error: Error | undefined): string {
  const { code } = { code: undefined, ...error }
  return code === undefined ? (error?.name ?? 'unknown') : String(code)
}
