import type { TracingSettings } from '../tracing/tracing-settings.ts'
import { type Check, type Outcome, reportOk, reportWarning } from './finding.ts'

const REQUEST_TIMEOUT_MS = 5_000

/** Creates the check of the receiver of traces; none if traces are off. Sends an export without spans. */
export function createTracingChecks(settings: TracingSettings | undefined): readonly Check[] {
  if (settings === undefined) return []
  return [
    { area: 'network', name: 'The receiver of traces', run: async () => [await checkReceiver(settings)] },
  ]
}

async function checkReceiver({ url, headers }: TracingSettings): Promise<Outcome> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [] }),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
  } catch (failure) {
    return reportWarning(
      `OTEL_EXPORTER_OTLP_ENDPOINT cannot be reached (${describeFailure(failure)}), so traces are lost`,
      'Start the receiver, or correct OTEL_EXPORTER_OTLP_ENDPOINT',
    )
  }
  if (response.ok) return reportOk('The receiver of traces responds')
  return reportWarning(
    `OTEL_EXPORTER_OTLP_ENDPOINT responds with status ${response.status}, so traces are lost`,
    'Set OTEL_EXPORTER_OTLP_ENDPOINT to a receiver of OTLP over HTTP (port 4318), and its key in OTEL_EXPORTER_OTLP_HEADERS',
  )
}

/** Returns a code only: messages of fetch can contain what was sent. */
function describeFailure(failure: unknown): string {
  if (!(failure instanceof Error)) return 'unknown error'
  const { cause } = failure
  return cause instanceof Error && 'code' in cause ? String(cause.code) : failure.name
}
