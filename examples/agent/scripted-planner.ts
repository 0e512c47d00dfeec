import type { Planner, ToolCall, ToolResult } from './agent.ts'

export interface WeatherTask {
  /** The seller's URL, to which the city is appended. */
  readonly weatherUrl: string
  /** The contract that the card belongs to. */
  readonly nftAddress: string
}

const CITIES = ['Berlin', 'Hamburg', 'Munich']
const GROUP = 'promoCodeCards'

/** Yields calls, receives their results and returns the answer. */
type Script = Generator<ToolCall, string, ToolResult>

/**
 * Creates a planner that follows a script, so that the example needs no paid model. It decides from results,
 * as a model does.
 */
export function createScriptedPlanner(task: WeatherTask): Planner {
  const script = planWeatherCard(task)
  return async ({ history }) => {
    const last = history.at(-1)
    const step = last === undefined ? script.next() : script.next(last.result)
    return step.done ? { answer: step.value } : step.value
  }
}

/** Buys the weather of cities while the budget lasts, and creates a card for the first sunny one. */
function* planWeatherCard({ weatherUrl, nftAddress }: WeatherTask): Script {
  // Discover: the tools are few, and they describe all operations.
  yield { tool: 'list_groups', arguments: {} }
  yield { tool: 'list_operations', arguments: { group: GROUP } }
  yield { tool: 'describe_operation', arguments: { operation: `${GROUP}.create` } }
  yield { tool: 'call_read', arguments: { operation: `${GROUP}.search`, input: { pageSize: 3 } } }

  yield { tool: 'get_budget', arguments: {} }
  const reports: WeatherReport[] = []
  let refusal = ''
  for (const city of CITIES) {
    const url = `${weatherUrl}/${city}`
    const { data, error } = yield { tool: 'fetch_paid_url', arguments: { url } }
    if (error?.kind === 'BudgetExceeded') {
      refusal = ` I did not buy the weather of ${city}: the budget is used up.`
      break
    }
    if (error !== undefined) return `I could not read the weather: ${error.message}`
    reports.push(parseReport(data))
  }
  const sunny = reports.find(({ weather }) => weather === 'sunny')
  if (sunny === undefined) return `It is not sunny anywhere, so I created no card.${refusal}`

  const create: ToolCall = {
    tool: 'call_write',
    arguments: {
      operation: `${GROUP}.create`,
      intent: `sunny day in ${sunny.city}`,
      input: {
        name: `Sunny day in ${sunny.city}`,
        nftAddress,
        startTime: '2026-01-01T00:00:00Z',
        endTime: '2099-12-31T23:59:59Z',
        totalIssued: 100,
      },
    },
  }
  const created = yield create
  // Models repeat calls. The second one returns the first card.
  const repeated = yield create
  if (created.error !== undefined || repeated.error !== undefined) return 'I could not create the card.'
  const [id, repeatedId] = [getId(created.data), getId(repeated.data)]
  // The options do not allow this write.
  yield { tool: 'call_write', arguments: { operation: `${GROUP}.remove`, input: { id } } }
  return `Card ${id} is for ${sunny.city}; repeating the call returned card ${repeatedId}.${refusal}`
}

interface WeatherReport {
  readonly city: string
  readonly weather: string
}

/** Reads what the seller of `examples/paid-api` returns. */
function parseReport(data: unknown): WeatherReport {
  const { body } = data as { readonly body: string }
  const report: WeatherReport = JSON.parse(body)
  return report
}

function getId(data: unknown): number {
  return (data as { readonly id: number }).id
}
