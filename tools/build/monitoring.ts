import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './outputs.ts'

/** An alert of the guide of operators, whose tables are the only list of them. */
export interface Alert {
  /** With its labels: `mintmark_gateway_webhooks{state="disabled"}`. */
  readonly metric: string
  /** The condition in PromQL. */
  readonly expression: string
  /** How long the condition holds before a person is called, as Prometheus writes it. */
  readonly duration: string
  /** The limit that a chart shows. */
  readonly limit: number | undefined
  readonly meaning: string
  readonly advice: string
}

const OPERATORS: Readonly<Record<string, string>> = { above: '>', below: '<', is: '==', 'other than': '!=' }
const DEFAULT_DURATION = '2m'

/** Removes the Markdown of a cell. */
const toText = (cell: string): string => cell.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

/** A comparison with a number. What follows must not change its meaning. */
const CONDITION = /^(above|below|is|other than) (-?\d+(?:\.\d+)?)(?: SOL|, which .*| for \d+ minutes)?$/

/** Reads a condition such as `above 0 for 30 minutes`, `growing` or `present`. */
function readCondition(metric: string, condition: string): Pick<Alert, 'expression' | 'limit' | 'duration'> {
  const [, minutes] = /\bfor (\d+) minutes/.exec(condition) ?? []
  const duration = minutes === undefined ? DEFAULT_DURATION : `${minutes}m`
  if (condition.startsWith('growing'))
    return { expression: `delta(${metric}[1h]) > 0`, limit: undefined, duration }
  if (condition.startsWith('present')) return { expression: metric, limit: undefined, duration }
  const [, word = '', number = ''] = CONDITION.exec(condition) ?? []
  const operator = OPERATORS[word]
  if (operator === undefined)
    throw new Error(`The guide has no condition that Prometheus knows: ${metric} ${condition}`)
  return { expression: `${metric} ${operator} ${number}`, limit: Number(number), duration }
}

/** Reads the alerts of a server from the tables of the guide: metric and condition, meaning, …, what to do. */
export function readAlerts(guide: string, server: string): readonly Alert[] {
  const rows = guide.matchAll(new RegExp(`^\\| \`(mintmark_${server}_[^\`]+)\` ([^|]+) \\| (.*) \\|$`, 'gm'))
  return [...rows].map(([, metric = '', condition = '', rest = '']) => {
    const [meaning = '', ...others] = rest.split(' | ').map(toText)
    return { metric, ...readCondition(metric, condition), meaning, advice: others.at(-1) ?? '' }
  })
}

/** Names an alert by its metric and the values of its labels. */
const toName = (metric: string): string =>
  metric
    .replace('!=', ' not ')
    .replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]|$)/g, (_, letter: string) => letter.toUpperCase())

/** Creates the rules of Prometheus. JSON is YAML, too. */
export function createRules(server: string, alerts: readonly Alert[]): object {
  const rules = alerts.map(({ metric, expression, duration, meaning, advice }) => ({
    alert: toName(metric),
    expr: expression,
    for: duration,
    labels: { service: `mintmark-${server}` },
    annotations: { summary: meaning, ...(advice !== '' && { description: advice }) },
  }))
  return { groups: [{ name: `mintmark-${server}`, rules }] }
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

interface Chart {
  readonly title: string
  readonly expression: string
  readonly description?: string
  readonly limit?: number | undefined
}

/** Creates a dashboard of Grafana: calls first, then a chart for each metric that has an alert. */
export function createDashboard(server: string, alerts: readonly Alert[]): object {
  const prefix = `mintmark_${server}`
  const charts: readonly Chart[] = [
    { title: 'Calls per second', expression: `sum by (status) (rate(${prefix}_calls_total[5m]))` },
    {
      title: 'Slowest 5 % of calls, in seconds',
      expression: `histogram_quantile(0.95, sum by (le) (rate(${prefix}_call_seconds_bucket[5m])))`,
    },
    ...alerts.map(({ metric, meaning, limit }) => ({
      title: metric.replace(`${prefix}_`, ''),
      expression: metric,
      description: meaning,
      limit,
    })),
  ]
  return {
    title: `Mintmark ${server}`,
    uid: `mintmark-${server}`,
    schemaVersion: 39,
    time: { from: 'now-6h', to: 'now' },
    refresh: '1m',
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: charts.map(toPanel),
  }
}

function toPanel({ title, expression, description, limit }: Chart, index: number): object {
  const thresholds = {
    mode: 'absolute',
    steps: [
      { color: 'green', value: null },
      { color: 'red', value: limit },
    ],
  }
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
    targets: [{ refId: 'A', datasource: DATASOURCE, expr: expression }],
    ...(limit !== undefined && {
      fieldConfig: { defaults: { thresholds, custom: { thresholdsStyle: { mode: 'line' } } }, overrides: [] },
    }),
  }
}

/** Writes the rules and the dashboard of each server into its package. */
export function writeMonitoring(root: string): void {
  const guide = readFileSync(join(root, 'docs/guides/running-the-servers.md'), 'utf8')
  for (const server of ['gateway', 'facilitator']) {
    const folder = join(root, `packages/${server}-server/dist/monitoring`)
    const alerts = readAlerts(guide, server)
    mkdirSync(folder, { recursive: true })
    const write = (name: string, value: object) =>
      replaceFile(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`)
    write('prometheus-rules.yaml', createRules(server, alerts))
    write('grafana-dashboard.json', createDashboard(server, alerts))
  }
}
