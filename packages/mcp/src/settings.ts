import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { McpApplicationOptions, PaymentSettings } from './application.ts'
import type { ClientSettings } from './clients.ts'
import type { HttpOptions } from './http/serve-http.ts'
import { isHostPattern } from './payments/destination.ts'
import { SettingsError } from './settings-error.ts'
import type { AssetAmounts } from './state/budgets.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What the arguments and the environment set. */
export interface Settings {
  readonly application: McpApplicationOptions
  /** Undefined: stdio. */
  readonly http: HttpOptions | undefined
}

export const HELP = `mintmark-mcp: an MCP server over Mintmark's operations

Without options it speaks over stdio, and only reads.

  --allow <patterns>         writes to allow: orders.*,eventCards.create or *
  --groups <names>           groups or areas whose operations become tools:
                             cards,orders
  --require-elicitation      refuse irreversible calls if the client cannot ask
                             its user
  --state <file>             journal of writes and spending
                             (default ~/.local/state/mintmark/mcp.sqlite)
  --max-result <characters>  size of a result (default 40000)

Payments with fetch_paid_url:
  --pay-host <hosts>         hosts that may be paid: example.com,*.example.org,
                             127.0.0.1:3222
  --budget-day <budgets>     per UTC day, in base units: eip155:8453/0x…=5000000
  --budget-session <budgets> per session, likewise (default: the day's)
  --confirm-payments         ask the user before each payment
  --allow-private            also http and private addresses, for development

Streamable HTTP:
  --http <port>              serve http://127.0.0.1:<port>/mcp instead of stdio
  --host <address>           address to listen on; others than loopback need
                             MINTMARK_MCP_TOKEN
  --allowed-host <hosts>     further values of the Host header
  --allowed-origin <origins> origins of websites that may call

Environment:
  MINTMARK_GATEWAY_URL, MINTMARK_API_KEY, MINTMARK_SECRET
  MINTMARK_FACILITATOR_URL, MINTMARK_FACILITATOR_TOKEN
  MINTMARK_MCP_PRIVATE_KEY   key of the wallet that pays
  MINTMARK_MCP_TOKEN         bearer token of clients over HTTP

Options with several values take them separated by commas, or several times.`

const OPTIONS = {
  allow: { type: 'string', multiple: true },
  groups: { type: 'string', multiple: true },
  'require-elicitation': { type: 'boolean' },
  state: { type: 'string' },
  'max-result': { type: 'string' },
  'pay-host': { type: 'string', multiple: true },
  'budget-day': { type: 'string', multiple: true },
  'budget-session': { type: 'string', multiple: true },
  'confirm-payments': { type: 'boolean' },
  'allow-private': { type: 'boolean' },
  http: { type: 'string' },
  host: { type: 'string' },
  'allowed-host': { type: 'string', multiple: true },
  'allowed-origin': { type: 'string', multiple: true },
} as const

type Values = ReturnType<typeof parseValues>

function parseValues(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    throw new SettingsError(`${error instanceof Error ? error.message : String(error)}. See --help`)
  }
}

/**
 * Reads the settings.
 *
 * @throws SettingsError
 */
export function readSettings(args: readonly string[], env: Environment): Settings {
  const values = parseValues(args)
  const token = env.MINTMARK_MCP_TOKEN || undefined
  return {
    application: {
      ...readClients(env),
      allow: splitList(values.allow),
      groups: splitList(values.groups),
      stateFile: values.state ?? getDefaultStateFile(env),
      payments: readPayments(values, env),
      requireElicitation: values['require-elicitation'],
      maxResultCharacters: parseCount('max-result', values['max-result']),
      secrets: token === undefined ? [] : [token],
    },
    http: readHttp(values, token),
  }
}

function splitList(values: readonly string[] | undefined): readonly string[] {
  const texts = (values ?? []).flatMap((value) => value.split(','))
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

function parseCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new SettingsError(`--${name} ${text} is not a number`)
  return Number(text)
}

function readClients(env: Environment): ClientSettings {
  const { MINTMARK_GATEWAY_URL: gatewayUrl, MINTMARK_API_KEY: apiKey, MINTMARK_SECRET: secret } = env
  const { MINTMARK_FACILITATOR_URL: facilitatorUrl, MINTMARK_FACILITATOR_TOKEN: token } = env
  if (gatewayUrl && !(apiKey && secret)) {
    throw new SettingsError('MINTMARK_GATEWAY_URL is set. Set MINTMARK_API_KEY and MINTMARK_SECRET too')
  }
  return {
    ...(gatewayUrl && apiKey && secret && { gateway: { baseUrl: gatewayUrl, apiKey, secret } }),
    ...(facilitatorUrl && { facilitator: { baseUrl: facilitatorUrl, token: token || undefined } }),
  }
}

function readPayments(values: Values, env: Environment): PaymentSettings | undefined {
  const privateKey = env.MINTMARK_MCP_PRIVATE_KEY
  const hosts = splitList(values['pay-host']).map((host) => host.toLowerCase())
  const budgets = {
    day: parseBudgets('budget-day', values['budget-day']),
    session: parseBudgets('budget-session', values['budget-session']),
  }
  if (hosts.length === 0 && budgets.day.size === 0 && budgets.session.size === 0) return undefined
  for (const host of hosts) {
    if (!isHostPattern(host)) {
      throw new SettingsError(
        `--pay-host ${host} is not a host. Pass a host without scheme and path, such as api.example.com, *.example.org or 127.0.0.1:3222`,
      )
    }
  }
  if (!privateKey) throw new SettingsError('Set MINTMARK_MCP_PRIVATE_KEY to the key of the wallet that pays')
  if (hosts.length === 0) throw new SettingsError('Pass --pay-host with the hosts that may be paid')
  if (budgets.day.size === 0) throw new SettingsError('Pass --budget-day, such as eip155:8453/0x…=5000000')
  for (const asset of budgets.session.keys()) {
    if (!budgets.day.has(asset)) throw new SettingsError(`Pass --budget-day for ${asset} too`)
  }
  const { 'allow-private': allowPrivate, 'confirm-payments': confirm } = values
  return { privateKey, hosts, budgets, allowPrivate, confirm }
}

function parseBudgets(name: string, values: readonly string[] | undefined): AssetAmounts {
  const budgets = new Map<string, bigint>()
  for (const text of splitList(values)) {
    const match = /^(eip155:\d+\/0x[0-9a-f]{40})=(\d{1,78})$/.exec(text.toLowerCase())
    const [, asset, amount] = match ?? []
    if (asset === undefined || amount === undefined) {
      throw new SettingsError(
        `--${name} ${text} is malformed. Pass network/asset=amount in base units, such as eip155:8453/0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913=5000000`,
      )
    }
    if (budgets.has(asset)) throw new SettingsError(`--${name} names ${asset} twice`)
    budgets.set(asset, BigInt(amount))
  }
  return budgets
}

function getDefaultStateFile({ XDG_STATE_HOME: stateHome }: Environment): string {
  return join(stateHome || join(homedir(), '.local', 'state'), 'mintmark', 'mcp.sqlite')
}

function readHttp(values: Values, token: string | undefined): HttpOptions | undefined {
  const port = parseCount('http', values.http)
  if (port === undefined) return undefined
  return {
    port,
    token,
    host: values.host,
    allowedHosts: splitList(values['allowed-host']),
    allowedOrigins: splitList(values['allowed-origin']),
  }
}
