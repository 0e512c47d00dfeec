import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface SentCard {
  readonly name: string
  readonly totalIssued: number
}

/** How the server responds to a request that is not the repetition of another one. */
export interface ImportServerSettings {
  /** The fields that are invalid, by the path of the issue; the whole request is rejected. */
  readonly findIssues?: (cards: readonly SentCard[]) => { path: string; message: string }[]
  /**
   * A status that is sent instead of a response. `hang up` does the work, and sends nothing. `in progress` is
   * the response to a key whose first call has not ended.
   */
  readonly interfere?: (count: number) => number | 'hang up' | 'in progress' | undefined
  /** Called when the response to a request has been sent. */
  readonly onResponse?: (count: number) => void
}

/** A gateway that stores cards in memory, and the response of each Idempotency-Key. */
export async function startImportServer(settings: ImportServerSettings = {}) {
  const { findIssues = () => [], interfere = () => undefined, onResponse = () => {} } = settings
  const created: string[] = []
  const responses = new Map<
    string,
    { readonly request: string; readonly status: number; readonly body: string }
  >()
  let count = 0

  function respond(text: string): { status: number; body: string } {
    const input: { cards?: SentCard[] } & SentCard = JSON.parse(text)
    const cards = input.cards ?? [input]
    const issues = findIssues(cards)
    if (issues.length > 0) {
      const body = { code: 400, data: { issues }, msg: 'Invalid', success: false }
      return { status: 400, body: JSON.stringify(body) }
    }
    const records = cards.map((card) => ({ ...card, id: created.push(card.name) }))
    const data = input.cards === undefined ? records[0] : records
    return { status: 200, body: JSON.stringify({ code: 200, data, msg: '', success: true }) }
  }

  function conflict(msg: string): { status: number; body: string } {
    return { status: 409, body: JSON.stringify({ code: 409, data: {}, msg, success: false }) }
  }

  /** Does the work of a request once for each key. */
  function respondOnce(key: string, text: string): { status: number; body: string } {
    const earlier = responses.get(key)
    if (earlier === undefined) {
      const { status, body } = respond(text)
      // A rejected call may be evaluated again, as after the keys were deleted.
      if (status === 200) responses.set(key, { request: text, status, body })
      return { status, body }
    }
    return earlier.request === text ? earlier : conflict('This Idempotency-Key was used for another request')
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    count += 1
    const own = count
    response.on('finish', () => onResponse(own))
    const interference = interfere(own)
    if (typeof interference === 'number') return response.writeHead(interference).end()
    const { status, body } =
      interference === 'in progress'
        ? conflict('A request with this Idempotency-Key is still in progress. Retry later')
        : respondOnce(String(request.headers['idempotency-key']), Buffer.concat(parts).toString())
    if (interference === 'hang up') return request.socket.destroy()
    return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    /** The names of the cards, in the order of their creation. */
    created,
    countRequests: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
