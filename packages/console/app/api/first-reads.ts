const SESSION_HEADER = 'x-mintmark-session'
/** A response that nothing has taken for so long may be out of date. */
const MAX_AGE_MS = 30_000

/** Reads that were requested before the scripts that use them have loaded, by project and address. */
const reads = new Map<string, Promise<Response>>()

const toKey = (project: string, url: string) => `${project} ${url}`

/**
 * Requests a read of the gateway that the page is about to request.
 *
 * @param path With the query, exactly as the client of the gateway writes it. Otherwise the response is not
 * used.
 * @param project The id of the project, or `none`.
 * @returns The response. Read a clone of it.
 */
export function requestFirst(path: string, project = 'none'): Promise<Response> {
  const url = `${location.origin}${path}`
  const response = fetch(url, { headers: { [SESSION_HEADER]: project } })
  // Whoever takes the response handles the error.
  response.catch(() => {})
  reads.set(toKey(project, url), response)
  return response
}

/**
 * Sends a request of the client of the gateway. A read that `requestFirst` has requested for the same project
 * is not sent again: its response is returned, once, if it succeeded. Other responses are not, because
 * somebody may have signed in since.
 */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const key = toKey(new Headers(init.headers).get(SESSION_HEADER) ?? '', url)
  const first = init.method === 'GET' ? reads.get(key) : undefined
  reads.delete(key)
  if (first !== undefined && performance.now() < MAX_AGE_MS) {
    const response = await first
    if (response.ok) return response
  }
  return await fetch(url, init)
}
