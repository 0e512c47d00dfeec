import type { Logger } from 'pino'
import type { RunningTracing } from './tracing.ts'
import type { TracingSettings } from './tracing-settings.ts'

/** Starts tracing. Returns undefined without settings, and then loads nothing of the OpenTelemetry SDK. */
export async function startTracing(
  settings: TracingSettings | undefined,
  log: Logger,
): Promise<RunningTracing | undefined> {
  if (settings === undefined) return undefined
  const { startSdk } = await import('./opentelemetry-sdk.ts')
  return startSdk(settings, log)
}
