import { expect, it } from 'vitest'
import { readEnvironment } from '../environment.ts'
import { type Check, defineCheck, failIf, warnIf } from './check.ts'
import { createRedactor } from './redact.ts'
import { runChecks } from './run-checks.ts'

const check = (name: string, run: Check['run']): Check => ({ area: 'network', name, run })

it('doctor reports the findings of all checks in order, also when one fails or takes too long', async () => {
  const findings = await runChecks(
    [
      check('One', async () => [{ level: 'ok', message: 'works' }]),
      check('Two', async () => {
        throw new Error('no route')
      }),
      check('Three', () => new Promise(() => {})),
      defineCheck({
        area: 'network',
        name: 'Four',
        read: async () => [{ reason: 'several\n  lines' }],
        problems: ({ reason }) => [
          failIf(false)`is not reported`,
          warnIf(true, 'clocks')`
            is late: ${reason}
            Wait`,
        ],
        ok: () => 'is not reported beside a problem',
      }),
    ],
    50,
  )
  expect(findings.map(({ level, area, message }) => [level, area, message])).toEqual([
    ['ok', 'network', 'works'],
    ['error', 'network', 'Two could not be checked: no route'],
    ['error', 'network', 'Three could not be checked: no response within 0.05 seconds'],
    ['warning', 'clocks', 'is late: several lines'],
  ])
  expect(findings[0]).not.toHaveProperty('docs')
  expect(findings[3]).toMatchObject({
    action: 'Wait',
    docs: 'docs/guides/running-the-servers.md#doctor-clocks',
  })
})

function redact(settings: Record<string, string>, text: string): string {
  return createRedactor(readEnvironment(settings), Object.keys(settings))(text)
}

it('doctor removes keys, tokens, passwords and the addresses of nodes, and keeps hosts and names', () => {
  const text = redact(
    {
      DATABASE_URL: 'postgres://mintmark:p%40ssw0rd-1@db.internal/mintmark',
      SECRET_KEYS: 'k1:c2VjcmV0LXNlY3JldA==,k2:b3RoZXItb3RoZXI=',
      FACILITATOR_SIGNER_KEYS: `0x${'ab'.repeat(32)}`,
      METRICS_TOKEN: 'a-token-for-the-metrics',
      OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
      OPERATOR_TOKEN: 'a-token-of-operators',
      CHAINS:
        '{"1": ["https://a-user-name:a-pass-word@mainnet.example.com/v3/0123456789abcdef?key=fedcba9876543210"]}',
      UPSTREAM_FACILITATOR_HEADERS: '{"authorization": "Bearer of-a-token"}',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com/0a1b2c3d4e5f6071',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key%20of%20traces,x-team=shop',
      PUBLIC_URL: 'https://shop.example.com',
    },
    `p@ssw0rd-1 p%40ssw0rd-1 c2VjcmV0LXNlY3JldA== b3RoZXItb3RoZXI= ${'ab'.repeat(32)} a-token-for-the-metrics
     a-secret-of-the-client a-token-of-operators a-user-name a-pass-word 0123456789abcdef fedcba9876543210
     Bearer of-a-token 0a1b2c3d4e5f6071 a%20key%20of%20traces
     db.internal mintmark k1 mainnet.example.com https://shop.example.com`,
  )
  expect(text.match(/[\w.=%@:/-]+|\*\*\*/g)).toEqual([
    ...Array.from({ length: 15 }, () => '***'),
    ...['db.internal', 'mintmark', 'k1', 'mainnet.example.com', 'https://shop.example.com'],
  ])
})

it.each([
  'postgres://mintmark:p%40ssw0rd-1@one:5432,two:5433/mintmark',
  'postgres:///mintmark?host=one,two&password=p%40ssw0rd-1&user=mintmark',
])('doctor removes the password of a database with several hosts, %s', (DATABASE_URL) => {
  const text = `p@ssw0rd-1 p%40ssw0rd-1 mintmark one ${DATABASE_URL}`
  expect(redact({ DATABASE_URL }, text)).toBe('*** *** mintmark one ***')
})
