import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../workspace.ts'
import { createDashboard, createRules, readAlerts } from './monitoring.ts'

const guide = readFileSync(join(repositoryRoot, 'docs/guides/running-the-servers.md'), 'utf8')
const SERVERS = ['gateway', 'facilitator']

it.each(SERVERS)(
  'every alert of the %s has a rule and a chart, and its metric is one that the server reports',
  (server) => {
    const alerts = readAlerts(guide, server)
    const rows = [...guide.matchAll(new RegExp(`^\\| \`mintmark_${server}_`, 'gm'))]
    expect(alerts).toHaveLength(rows.length)
    const sources = globSync(`packages/{${server}-server,webhooks}/src/**/*.ts`, { cwd: repositoryRoot })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(repositoryRoot, file), 'utf8'))
      .join('\n')
    for (const { metric } of alerts) {
      const [, name] = new RegExp(`^mintmark_${server}_(\\w+)`).exec(metric) ?? []
      expect(sources.includes(`'${name}'`), metric).toBe(true)
    }
    const { groups } = createRules(server, alerts) as { groups: { rules: { alert: string }[] }[] }
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    expect(new Set(names).size).toBe(rows.length)
    const { panels } = createDashboard(server, alerts) as { panels: { targets: { expr: string }[] }[] }
    const charts = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    expect(charts).toEqual(expect.arrayContaining(alerts.map(({ metric }) => metric)))
  },
)

it('an alert has the condition, the duration, the meaning and the advice of its row in the guide', () => {
  const row =
    '| `mintmark_gateway_undecided_mints{kind="a"}` above 0 for 30 minutes | nobody knows, see [below](#x) | `ask` | a node |'
  const [alert] = readAlerts(row, 'gateway')
  expect(createRules('gateway', alert ? [alert] : [])).toMatchObject({
    groups: [
      {
        rules: [
          {
            alert: 'MintmarkGatewayUndecidedMintsKindA',
            expr: 'mintmark_gateway_undecided_mints{kind="a"} > 0',
            for: '30m',
            annotations: { summary: 'nobody knows, see below', description: 'a node' },
          },
        ],
      },
    ],
  })
})

it.each(['above three intervals', 'above 3 for a webhook that somebody created'])(
  'an alert with the condition %s, which is not all that Prometheus would compare, fails the build',
  (condition) => {
    const row = `| \`mintmark_gateway_webhooks\` ${condition} | late |`
    expect(() => readAlerts(row, 'gateway')).toThrow(`mintmark_gateway_webhooks ${condition}`)
  },
)
