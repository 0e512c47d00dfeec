import { ConfigurationError, type EnvironmentReader } from '../environment.ts'
import { choice, flag, integer, readSettings, splitList, text, url } from '../settings.ts'

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

/** Shorter runs of jobs, which find nothing to do, would be most of the traces. */
const JOB_MIN_MS = 1000

/**
 * Declares the standard settings of OpenTelemetry.
 *
 * @param serviceName The default of OTEL_SERVICE_NAME.
 */
export const tracingSettings = (serviceName: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    'the address of an OpenTelemetry receiver (OTLP over HTTP), such as `http://localhost:4318`, which gets [traces](../guides/tracing.md). Without it nothing is traced',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('the whole address for traces', {
    defaultText: 'the former and `/v1/traces`',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text(
    'headers of each export, such as a key of the receiver: `name=value,name=value`, percent-encoded',
    { parse: parsePairs },
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(
    'http/json or http/protobuf. Traces are sent as JSON in both cases, which receivers accept at the same address',
    { choices: ['http/json', 'http/protobuf'], default: 'http/json' },
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer('how long an export may take, in milliseconds', {
    default: 10_000,
    min: 100,
    max: 60_000,
  }),
  OTEL_BSP_SCHEDULE_DELAY: integer('how long ended spans wait for an export, in milliseconds', {
    default: 5000,
    min: 10,
    max: 60_000,
  }),
  OTEL_SERVICE_NAME: text('the name of this server in traces', { default: serviceName }),
  OTEL_RESOURCE_ATTRIBUTES: text('further attributes of this server: `deployment.environment.name=staging`', {
    parse: parsePairs,
  }),
  OTEL_TRACES_SAMPLER: choice(
    `which calls are recorded: ${SAMPLERS.join(', ')}. \`parentbased_…\` follow the caller`,
    { choices: SAMPLERS, default: 'parentbased_always_on' },
  ),
  OTEL_TRACES_SAMPLER_ARG: text('the share for samplers with a ratio, from 0 to 1', {
    parse: parseRatio,
    defaultText: '1',
  }),
  OTEL_TRACES_EXPORTER: choice('none: nothing is traced', { choices: ['otlp', 'none'], default: 'otlp' }),
  OTEL_SDK_DISABLED: flag('true: nothing is traced'),
})

/**
 * Reads the settings of `tracingSettings`. Undefined unless an address to export to is set.
 *
 * @throws ConfigurationError that names the setting, without its value where that may be secret.
 */
export function readTracingSettings(
  env: EnvironmentReader,
  serviceName: string,
): TracingSettings | undefined {
  // Copied, so that every setting is checked where nothing is traced too.
  const values = { ...readSettings(tracingSettings(serviceName), env) }
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT
  const own = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  const target = own?.href ?? (base && `${base.href.replace(/\/+$/, '')}/v1/traces`)
  if (target === undefined || values.OTEL_SDK_DISABLED || values.OTEL_TRACES_EXPORTER === 'none')
    return undefined
  return {
    url: target,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
    serviceName: values.OTEL_SERVICE_NAME,
    resource: values.OTEL_RESOURCE_ATTRIBUTES,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    jobMinMs: JOB_MIN_MS,
  }
}

/**
 * Reads `name=value,name=value`, where values are percent-encoded. The error does not repeat a value, which
 * can be a key.
 */
function parsePairs(setting: string | undefined, name: string): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (const pair of splitList(setting)) {
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

function parseRatio(value = '1'): number {
  const ratio = Number(value)
  if (!(/^[\d.]+$/.test(value) && ratio >= 0 && ratio <= 1))
    throw new ConfigurationError('OTEL_TRACES_SAMPLER_ARG: expected a number from 0 to 1')
  return ratio
}
