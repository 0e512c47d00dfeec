import { expect, it } from 'vitest'
import { ConfigurationError } from '../environment.ts'
import { createLog } from './log.ts'

function logging(level?: string) {
  const lines: string[] = []
  const log = createLog('gateway', level, { write: (line: string) => void lines.push(line) })
  return { log, last: () => JSON.parse(lines.at(-1) ?? 'null'), lines }
}

it('a log line is JSON with the time and the name of the server', () => {
  const { log, last } = logging()
  log.info({ requestId: 'r' }, 'call')
  expect(last()).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    name: 'gateway',
    requestId: 'r',
    msg: 'call',
  })
})

it('a log line of an error has its message, code and cause, without other properties of the driver', () => {
  const { log, last } = logging()
  const cause = Object.assign(new TypeError('inner'), { headers: { authorization: 'Bearer secret' } })
  const error = Object.assign(new Error('outer', { cause }), {
    code: '23505',
    detail: 'Key (secret)=(sk_1) already exists.',
    request: { headers: { 'x-signature': 'secret' } },
  })
  log.error({ err: error }, 'call failed')
  expect(last().err).toEqual({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('outer'),
    code: '23505',
    cause: { type: 'TypeError', message: 'inner' },
  })
  log.error({ err: 'only a text' }, 'call failed')
  expect(last().err).toEqual({ message: 'only a text' })
})

it('a log line is written only at the configured level or above', () => {
  const { log, lines } = logging('warn')
  log.info('quiet')
  log.warn('loud')
  expect(lines).toHaveLength(1)
})

it('a log line cannot have an unknown level', () => {
  expect(() => logging('loud')).toThrow(ConfigurationError)
  expect(() => logging('loud')).toThrow('LOG_LEVEL: expected one of trace, debug, info')
})
