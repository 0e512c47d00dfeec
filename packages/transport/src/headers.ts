import { getField, getText } from './received.ts'

/** Merges headers. Later ones replace earlier ones, whatever the case of their names. */
export function mergeHeaders(
  ...layers: (Record<string, string | undefined> | undefined)[]
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const layer of layers) {
    for (const name in layer) {
      const value = layer[name]
      if (value === undefined) continue
      // fetch would reject it too, in a message that shows the value, such as a token with a line feed.
      if (/[^\t -~\x80-\xff]/.test(value)) throw new TypeError(`Malformed header ${name}`)
      headers[name.toLowerCase()] = value
    }
  }
  return headers
}

/**
 * Replaces the signature or token of an attempt in a text: debugging servers and custom fetch functions may
 * repeat it.
 */
export function concealSecrets(text: string, headers: Record<string, string>): string {
  let concealed = text
  for (const name of ['x-signature', 'authorization']) {
    const secret = headers[name]?.replace(/^\w+ +/, '') ?? ''
    // Shorter texts can occur by chance.
    if (secret.length > 15) concealed = concealed.replaceAll(secret, '***')
  }
  return concealed
}

/** Why a fetch failed. */
export interface FetchFailure extends Error {
  /** Such as `ECONNRESET`; empty when the runtime provides none. */
  readonly code: string
  /** Whether no connection was made, so that the call did not reach the server. */
  readonly unsent: boolean
}

/** Creates an error with the message and code of a fetch's error, without the objects that it refers to. */
export function describeFetchFailure(error: unknown, headers: Record<string, string>): FetchFailure {
  // The error of fetch only reports that it failed. Its cause has the reason.
  const cause = getField(error, 'cause') ?? error
  const code = getText(cause, 'code') ?? ''
  const message = getText(cause, 'message') ?? String(cause)
  // An unreachable host may also end an open connection. The last two codes are Bun's.
  const unsent =
    getField(cause, 'syscall') === 'connect' || /refused|notfound|eai_|err_connect|cert|toopen/i.test(code)
  return Object.assign(new Error(concealSecrets(message, headers)), { code, unsent })
}
