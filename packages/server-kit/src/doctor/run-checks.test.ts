import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { describeServer } from './check-database-settings.ts'
import { type Check, reportError, reportOk, reportWarning } from './finding.ts'
import { createRedactor } from './report.ts'
import { runChecks } from './run-checks.ts'

const check = (name: string, run: Check['run']): Check => ({ area: 'network', name, run })

describe('runChecks', () => {
  it('reports the findings of all checks in order, also when one fails or takes too long', async () => {
    let isAborted = false
    const findings = await runChecks(
      [
        check('One', async () => [reportOk('works')]),
        check('Two', async () => {
          throw new Error('no route')
        }),
        check('Three', (signal) => {
          signal.addEventListener('abort', () => {
            isAborted = true
          })
          return new Promise(() => {})
        }),
        check('Four', async () => [{ ...reportWarning('is late', 'Wait'), area: 'clocks' }]),
      ],
      50,
    )
    expect(findings.map(({ level, area, message }) => [level, area, message])).toEqual([
      ['ok', 'network', 'works'],
      ['error', 'network', 'Two could not be checked: no route'],
      ['error', 'network', 'Three could not be checked within 0.05 seconds'],
      ['warning', 'clocks', 'is late'],
    ])
    expect(findings[0]).not.toHaveProperty('docs')
    expect(findings[3]).toMatchObject({ docs: 'docs/guides/running-the-servers.md#doctor-clocks' })
    expect(isAborted).toBe(true)
  })
})

describe('createRedactor', () => {
  it('removes keys, tokens, passwords and the addresses of nodes, and keeps hosts and names', () => {
    const redact = createRedactor(
      readEnvironment({
        DATABASE_URL: 'postgres://mintmark:p%40ssw0rd-1@db.internal/mintmark',
        SECRET_KEYS: 'k1:c2VjcmV0LXNlY3JldA==,k2:b3RoZXItb3RoZXI=',
        FACILITATOR_SIGNER_KEYS: `0x${'ab'.repeat(32)}`,
        METRICS_TOKEN: 'a-token-for-the-metrics',
        CHAINS: '{"1": ["https://mainnet.example.com/v3/0123456789abcdef?key=fedcba9876543210"]}',
        UPSTREAM_FACILITATOR_HEADERS: '{"authorization": "Bearer of-a-token"}',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/0a1b2c3d4e5f6071',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key%20of%20traces,x-team=shop',
      }),
    )
    const text = redact(
      `p@ssw0rd-1 p%40ssw0rd-1 c2VjcmV0LXNlY3JldA== b3RoZXItb3RoZXI= ${'ab'.repeat(32)} a-token-for-the-metrics
       0123456789abcdef fedcba9876543210 Bearer of-a-token 0a1b2c3d4e5f6071 a%20key%20of%20traces db.internal mintmark k1 mainnet.example.com`,
    )
    expect(text.match(/[\w.=%@-]+|\*\*\*/g)).toEqual([
      ...Array.from({ length: 11 }, () => '***'),
      ...['db.internal', 'mintmark', 'k1', 'mainnet.example.com'],
    ])
  })
})

describe('the redactor of a database with several hosts', () => {
  it.each([
    'postgres://mintmark:p%40ssw0rd-1@one:5432,two:5433/mintmark',
    'postgres:///mintmark?host=one,two&password=p%40ssw0rd-1&user=mintmark',
  ])('removes the password of %s', (DATABASE_URL) => {
    const redact = createRedactor(readEnvironment({ DATABASE_URL }))
    expect(redact(`p@ssw0rd-1 p%40ssw0rd-1 mintmark one ${DATABASE_URL}`)).toBe('*** *** mintmark one ***')
  })
})

describe('describeServer', () => {
  const state = { version: '18.4', number: 180_004, fsync: 'on', fullPageWrites: 'on' }

  it('accepts PostgreSQL 15 and later', () => {
    expect(describeServer({ ...state, version: '15.0', number: 150_000 })).toEqual([
      reportOk('PostgreSQL 15.0 responds'),
    ])
  })

  it('refuses older versions and servers whose data a crash destroys', () => {
    expect(
      describeServer({
        version: '14.9',
        number: 140_009,
        fsync: 'off',
        fullPageWrites: 'off',
      }),
    ).toEqual([
      reportError('PostgreSQL 14.9 is too old', 'Upgrade to PostgreSQL 15 or later'),
      reportError(
        'fsync = off, full_page_writes = off: a crash of the database server destroys data',
        'Run alter system reset fsync as a superuser, then select pg_reload_conf()',
      ),
    ])
  })
})
