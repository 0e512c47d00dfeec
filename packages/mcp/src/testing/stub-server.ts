import { operations } from '../catalog/operations.ts'

/** One request that the stub server executed. */
export interface Execution {
  readonly operation: string
  readonly body: string
}

export interface StubServer {
  /** Replaces the global fetch of a client. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly executions: Execution[]
  /** How many answers were lost, before or after the call was executed. */
  readonly lostAnswers: () => number
}

/** What happens to one request. `proxy`: the server does not receive it, and a proxy responds. */
export type Fate = 'answered' | 'lost before' | 'lost after' | 'proxy'

/** Paths with fewer parameters come first, because `/order/{orderNo}` also matches `/order/unsuccessful`. */
const matchers = [...operations.values()]
  .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  .map(({ id, method, path }) => ({
    id,
    method,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

/**
 * Creates a server in memory that executes every write, and keeps keys as Mintmark's servers do: the gateway
 * for each POST, the facilitator for a settle.
 */
export function createStubServer(chooseFate: () => Fate = () => 'answered'): StubServer {
  const executions: Execution[] = []
  const stored = new Map<string, string>()
  let lost = 0

  function execute(method: string, url: URL, init: RequestInit): string {
    const operation =
      matchers.find((each) => each.method === method && each.pattern.test(url.pathname))?.id ?? ''
    const key = new Headers(init.headers).get('idempotency-key')
    const isKept = key !== null && method === 'POST'
    const earlier = isKept ? stored.get(`${operation} ${key}`) : undefined
    if (earlier !== undefined) return earlier
    const body =
      init.body === undefined || init.body === null ? '' : new TextDecoder().decode(init.body as Uint8Array)
    executions.push({ operation, body })
    const data = { id: executions.length }
    const text = JSON.stringify({ code: 200, data, msg: '', success: true, ...data })
    if (isKept) stored.set(`${operation} ${key}`, text)
    return text
  }

  return {
    executions,
    lostAnswers: () => lost,
    async fetch(address, init) {
      const url = new URL(address)
      const fate = chooseFate()
      if (fate === 'proxy') return new Response('<h1>Not Found</h1>', { status: 404 })
      if (fate !== 'answered') lost += 1
      if (fate === 'lost before')
        throw Object.assign(new TypeError('fetch failed'), { cause: connectionReset })
      const body = execute(init.method ?? 'GET', url, init)
      if (fate === 'lost after')
        throw Object.assign(new TypeError('fetch failed'), { cause: connectionReset })
      const headers = { 'content-type': 'application/json', 'x-request-id': `r-${executions.length}` }
      return new Response(body, { status: 200, headers })
    },
  }
}

const connectionReset = { code: 'ECONNRESET', message: 'read ECONNRESET' }
