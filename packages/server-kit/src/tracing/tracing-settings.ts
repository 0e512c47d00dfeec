import { ConfigurationError, type EnvironmentReader } from '../environment.ts'

/** The samplers of the OpenTelemetry specification. */
const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** Where and how a server exports its traces. */
export interface TracingSettings {
  /** The address that receives the traces. */
  readonly url: string
  /** Sent with each export, such as a key of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  /** How long an export may take, in milliseconds. */
  readonly timeoutMs: number
  /** How long ended spans wait for others before they are exported, in milliseconds. */
  readonly delayMs: number
  readonly serviceName: string
  /** Further attributes of the process, such as `deployment.environment.name`. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: (typeof SAMPLERS)[number]
  /** The share of traces that the samplers with a ratio record, from 0 to 1. */
  readonly ratio: number
  /** Runs of jobs that took less time and did not fail are not exported. */
  readonly jobMinMs: number
}

/**
 * Reads the standard settings of OpenTelemetry. Undefined unless an address to export to is set.
 *
 * @param serviceName The default of OTEL_SERVICE_NAME.
 * @throws ConfigurationError that names the setting, without its value where that may be secret.
 */
export function readTracingSettings(
  env: EnvironmentReader,
  serviceName: string,
): TracingSettings | undefined {
  const base = env.url('OTEL_EXPORTER_OTLP_ENDPOINT')
  const own = env.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const isDisabled = env.flag('OTEL_SDK_DISABLED', false)
  const exporter = env.choice('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp')
  // Receivers of OTLP over HTTP accept both encodings at one address. This server sends JSON.
  env.choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/json', 'http/protobuf'], 'http/json')
  const settings = {
    headers: readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    timeoutMs: env.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, 100, 60_000),
    delayMs: env.integer('OTEL_BSP_SCHEDULE_DELAY', 5000, 10, 60_000),
    serviceName: env.text('OTEL_SERVICE_NAME') ?? serviceName,
    resource: readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
    sampler: env.choice('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on'),
    ratio: readRatio(env.text('OTEL_TRACES_SAMPLER_ARG')),
    jobMinMs: env.integer('TRACE_JOBS_MIN_MS', 1000, 0, 3_600_000),
  }
  const url = own?.href ?? (base && `${base.href.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined || isDisabled || exporter === 'none') return undefined
  return { url, ...settings }
}

/**
 * Reads `name=value,name=value`, where values are percent-encoded. The error does not repeat a value, which
 * can be a key.
 */
function readPairs(env: EnvironmentReader, name: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of env.list(name)) {
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? []
    const decoded = decode(value.trim())
    if (key === '' || decoded === undefined)
      throw new ConfigurationError(`${name}: expected name=value,name=value with percent-encoded values`)
    pairs[key.trim()] = decoded
  }
  return pairs
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // The caller reports a malformed value.
    return undefined
  }
}

function readRatio(text: string | undefined): number {
  const ratio = Number(text ?? 1)
  if (text !== undefined && !(/^[\d.]+$/.test(text) && ratio >= 0 && ratio <= 1))
    throw new ConfigurationError('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1')
  return ratio
}
