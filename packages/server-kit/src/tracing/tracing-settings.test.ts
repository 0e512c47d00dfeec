import { expect, it } from 'vitest'
import { ConfigurationError, readEnvironment } from '../environment.ts'
import { readTracingSettings } from './tracing-settings.ts'

const read = (env: Record<string, string>) => readTracingSettings(readEnvironment(env), 'a-server')
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'

it('the settings of tracing are absent unless an address to export to is set', () => {
  expect(read({})).toBeUndefined()
  expect(read({ OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined()
})

it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
  'the settings of tracing are absent with %o',
  (disabled) => {
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT, ...disabled })).toBeUndefined()
  },
)

it('the settings of tracing use the address for traces as it is', () => {
  const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://collector.example/otlp'
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT })?.url).toBe(
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  )
})

it('the settings of tracing decode pairs', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc==, x-team = a%2Cb',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
  })
  expect(settings?.headers).toEqual({ authorization: 'Basic abc==', 'x-team': 'a,b' })
  expect(settings?.resource).toEqual({ 'deployment.environment.name': 'staging' })
})

it.each([
  { OTEL_EXPORTER_OTLP_HEADERS: 'key-without-a-name-4711' },
  { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=%zz4711' },
  { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  { OTEL_TRACES_SAMPLER: 'jaeger_remote' },
  { OTEL_TRACES_SAMPLER_ARG: '2' },
  { OTEL_TRACES_SAMPLER_ARG: 'x' },
  { OTEL_TRACES_EXPORTER: 'zipkin' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
])('the settings of tracing name the setting that is wrong: %o', (wrong) => {
  const [name = ''] = Object.keys(wrong)
  expect(() => read({ ...wrong })).toThrow(ConfigurationError)
  expect(() => read({ ...wrong })).toThrow(name)
  expect(() => read({ ...wrong })).not.toThrow('4711')
})
