import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type Descriptions, readDescriptions } from './catalog/descriptions.ts'
import { type ClientSettings, Clients } from './clients.ts'
import { PaidFetch } from './payments/paid-fetch.ts'
import { findAllowedWrites, findGroupOperations } from './policy.ts'
import { SettingsError } from './settings-error.ts'
import { type BudgetLimits, Budgets } from './state/budgets.ts'
import { openStateDatabase, type StateDatabase } from './state/state-database.ts'
import { WriteJournal } from './state/write-journal.ts'
import { isExpectedError, ToolError } from './tool-error.ts'
import { Confirmations } from './tools/confirmations.ts'
import { createMetaTools } from './tools/meta-tools.ts'
import { createOperationTool, type OperationCaller } from './tools/operation-tools.ts'
import { createPaymentTools } from './tools/payment-tools.ts'
import { ResultWriter, redactSecretFields } from './tools/results.ts'
import type { Tool, ToolContext } from './tools/tool.ts'
import { version } from './version.ts'
import { WriteExecutor } from './writes/write-executor.ts'

/** Payments of `fetch_paid_url`. */
export interface PaymentSettings {
  /** The payer's key: `0x` and 64 hexadecimal digits. */
  readonly privateKey: string
  /**
   * The hosts that may be fetched: names, with or without a port, and `*.example.com` for all names below
   * `example.com`.
   */
  readonly hosts: readonly string[]
  readonly budgets: BudgetLimits
  /** For development: also http, loopback and private networks. Default: false. */
  readonly allowPrivate?: boolean | undefined
  /** Whether the user confirms each payment. Default: false, because the budget is the user's consent. */
  readonly confirm?: boolean | undefined
  /** Milliseconds for each request. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** The most bytes that are read of a response. Default: 1,000,000. */
  readonly maxResponseBytes?: number | undefined
}

export interface McpApplicationOptions extends ClientSettings {
  /** The writes that are allowed, such as `promoCodeCards.create`, `orders.*` or `*`. Default: none. */
  readonly allow?: readonly string[] | undefined
  /** Groups or areas, such as `orders` or `cards`, whose operations are tools of their own. Default: none. */
  readonly groups?: readonly string[] | undefined
  /**
   * The SQLite file that records writes and spending, so that nothing happens twice after a restart.
   * `:memory:` ends with the process.
   */
  readonly stateFile: string
  readonly payments?: PaymentSettings | undefined
  /** Refuses irreversible calls by clients that cannot show a question to their user. Default: false. */
  readonly requireElicitation?: boolean | undefined
  /** The most characters of a result. Default: 40,000. */
  readonly maxResultCharacters?: number | undefined
  /** Further secrets that no result may contain. */
  readonly secrets?: readonly string[] | undefined
  /** How often a write is repeated under its key while its outcome is unknown. Default: 2. */
  readonly retries?: number | undefined
  /** The delay before the first repetition; it doubles. Default: 300. */
  readonly retryDelayMs?: number | undefined
  /** Receives errors of the program itself. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined
}

/** What all sessions share: the clients, the journal, the budgets and the tools. */
export interface McpApplication {
  /** Creates the server of one session. Connect it to a transport. */
  createServer(): Server
  /** Closes the state file. */
  close(): void
}

const INSTRUCTIONS = `Operations of an NFT marketplace gateway and an x402 micropayment facilitator.
Find operations with list_groups and list_operations, read their input with describe_operation, then use call_read or call_write.
Amounts are in base units of the token. Repeat a call whose result was lost with the same arguments: it takes effect once.`

const DEFAULTS = {
  maxResultCharacters: 40_000,
  retries: 2,
  retryDelayMs: 300,
  timeoutMs: 30_000,
  maxResponseBytes: 1_000_000,
}

/**
 * Creates what the sessions of an MCP server share.
 *
 * @throws SettingsError
 * @example
 * const application = await createMcpApplication({ gateway: { baseUrl, apiKey, secret }, stateFile: 'mcp.sqlite' })
 * await application.createServer().connect(new StdioServerTransport())
 */
export async function createMcpApplication(options: McpApplicationOptions): Promise<McpApplication> {
  const clients = new Clients(options)
  if (!clients.has('gateway') && !clients.has('facilitator')) {
    throw new SettingsError(
      'No service is configured. Set MINTMARK_GATEWAY_URL, MINTMARK_API_KEY and MINTMARK_SECRET, or MINTMARK_FACILITATOR_URL',
    )
  }
  const allowedWrites = findAllowedWrites(options.allow ?? [])
  const groupOperations = findGroupOperations(options.groups ?? [])
  const descriptions = await readDescriptions()
  const state = openStateDatabase(options.stateFile)
  try {
    const caller = createCaller(options, { clients, allowedWrites, descriptions, state })
    const tools = [
      ...createMetaTools(caller.caller),
      ...groupOperations
        .filter(({ id, effect }) => effect === 'read' || allowedWrites.has(id))
        .map((operation) => createOperationTool(caller.caller, operation)),
      ...caller.paymentTools,
    ]
    const { onError = () => {} } = options
    return {
      createServer: () => createServer(tools, caller.caller.results, onError),
      close: () => state.close(),
    }
  } catch (error) {
    state.close()
    throw error
  }
}

interface Parts {
  readonly clients: Clients
  readonly allowedWrites: ReadonlySet<string>
  readonly descriptions: Descriptions
  readonly state: StateDatabase
}

function createCaller(options: McpApplicationOptions, { state, ...parts }: Parts) {
  const { now = Date.now, payments, secrets = [] } = options
  const journal = new WriteJournal(state, now)
  const allSecrets = [...parts.clients.listSecrets(), ...secrets, ...(payments ? [payments.privateKey] : [])]
  const results = new ResultWriter(options.maxResultCharacters ?? DEFAULTS.maxResultCharacters, allSecrets)
  const confirmations = new Confirmations(now, options.requireElicitation ?? false)
  const writes = new WriteExecutor({
    clients: parts.clients,
    journal,
    now,
    retries: options.retries ?? DEFAULTS.retries,
    retryDelayMs: options.retryDelayMs ?? DEFAULTS.retryDelayMs,
    redact: redactSecretFields,
  })
  const caller: OperationCaller = { ...parts, writes, confirmations, results }
  if (payments === undefined) return { caller, paymentTools: [] }
  const budgets = new Budgets(state, payments.budgets, now)
  const paidFetch = new PaidFetch({
    privateKey: payments.privateKey,
    destinations: { hosts: payments.hosts, allowPrivate: payments.allowPrivate ?? false },
    limits: {
      timeoutMs: payments.timeoutMs ?? DEFAULTS.timeoutMs,
      maxBytes: payments.maxResponseBytes ?? DEFAULTS.maxResponseBytes,
    },
    budgets,
    assets: [...payments.budgets.day.keys()],
    journal,
    now,
  })
  const confirmsPayments = payments.confirm ?? false
  const payer = { paidFetch, budgets, confirmations, confirmsPayments, results }
  return { caller, paymentTools: createPaymentTools(payer) }
}

function createServer(
  tools: readonly Tool[],
  results: ResultWriter,
  onError: (error: unknown) => void,
): Server {
  const session = randomUUID()
  // The schemas of the tools exist as JSON Schema, which `McpServer` does not accept.
  const server = new Server(
    { name: 'mintmark', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      annotations,
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendRequest }) => {
    const supportsElicitation = server.getClientCapabilities()?.elicitation?.form !== undefined
    const context: ToolContext = { session, supportsElicitation, signal, sendRequest }
    try {
      const tool = tools.find(({ name }) => name === params.name)
      if (tool === undefined) throw createUnknownToolError(params.name, tools)
      return await tool.call(params.arguments ?? {}, context)
    } catch (error) {
      // The result of a cancelled call is not sent.
      if (!isExpectedError(error) && !signal.aborted) onError(error)
      return results.writeError(error)
    }
  })
  return server
}

function createUnknownToolError(name: string, tools: readonly Tool[]): ToolError {
  return new ToolError({
    kind: 'UnknownTool',
    message: `There is no tool ${name}`,
    whatToDo: `Use one of: ${tools.map((tool) => tool.name).join(', ')}.`,
  })
}
