/** The address of the operation `session.get`, whose package would delay the request. */
export const SESSION_PATH = '/admin/v1/session'

let first: Promise<Response> | undefined

/** Requests who is signed in, while the scripts that read the response load. */
export function requestFirstSession(): void {
  first = fetch(SESSION_PATH, { headers: { 'x-mintmark-session': 'none' } })
  // The client that takes the response handles a failure.
  first.catch(() => {})
}

/** Returns the response of {@link requestFirstSession} once, and undefined from then on. */
export function takeFirstSession(): Promise<Response> | undefined {
  const taken = first
  first = undefined
  return taken
}
