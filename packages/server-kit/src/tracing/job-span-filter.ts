import { SpanStatusCode } from '@opentelemetry/api'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace'
import { JOB_ATTRIBUTE } from './attributes.ts'

/** The most spans of one run that are kept until it ends. */
const MAX_SPANS_PER_RUN = 500

interface Run {
  readonly rootId: string
  readonly spans: ReadableSpan[]
}

/**
 * Passes on the runs of jobs that failed or took long, and all spans that belong to no job. Jobs run up to
 * twenty times a second, mostly without anything to do.
 */
export class JobSpanFilter implements SpanProcessor {
  readonly #next: SpanProcessor
  readonly #minMs: number
  /** The runs in progress, by trace. */
  readonly #runs = new Map<string, Run>()

  constructor(next: SpanProcessor, minMs: number) {
    this.#next = next
    this.#minMs = minMs
  }

  onStart(
    span: Parameters<SpanProcessor['onStart']>[0],
    parent: Parameters<SpanProcessor['onStart']>[1],
  ): void {
    const isRun = span.attributes[JOB_ATTRIBUTE] !== undefined && span.parentSpanContext === undefined
    if (isRun) {
      const { traceId, spanId } = span.spanContext()
      this.#runs.set(traceId, { rootId: spanId, spans: [] })
    }
    this.#next.onStart(span, parent)
  }

  onEnd(span: ReadableSpan): void {
    const { traceId, spanId } = span.spanContext()
    const run = this.#runs.get(traceId)
    if (run === undefined) {
      this.#next.onEnd(span)
    } else if (spanId !== run.rootId) {
      if (run.spans.length < MAX_SPANS_PER_RUN) run.spans.push(span)
    } else {
      this.#runs.delete(traceId)
      if (this.#isNotable(span)) for (const each of [...run.spans, span]) this.#next.onEnd(each)
    }
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush()
  }

  shutdown(): Promise<void> {
    this.#runs.clear()
    return this.#next.shutdown()
  }

  #isNotable({ status, duration: [seconds, nanoseconds] }: ReadableSpan): boolean {
    return status.code === SpanStatusCode.ERROR || seconds * 1000 + nanoseconds / 1e6 >= this.#minMs
  }
}
