import { field, text } from './failure.ts'

/** Lays headers over each other, the last ones on top, whatever the case of their names. */
export function headersOf(
  ...layers: (Record<string, string | undefined> | undefined)[]
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const layer of layers) {
    for (const name in layer) {
      const value = layer[name]
      if (value === undefined) continue
      // fetch would refuse it as well, in a message that shows the value: a token with a line feed in it, say.
      if (/[^\t -~\x80-\xff]/.test(value)) throw new TypeError(`Malformed header ${name}`)
      headers[name.toLowerCase()] = value
    }
  }
  return headers
}

/**
 * A text without the signature or token of an attempt, which a debugging server, or a fetch of the caller's, may repeat.
 * One that is short enough to stand in an answer by chance proves nothing.
 */
export function conceal(shown: string, headers: Record<string, string>): string {
  for (const name of ['x-signature', 'authorization']) {
    const secret = headers[name]?.replace(/^\w+ +/, '') ?? ''
    if (secret.length > 15) shown = shown.replaceAll(secret, '***')
  }
  return shown
}

/** Why a fetch failed. */
export interface Reason extends Error {
  /** Such as `ECONNRESET`; empty when there is none. */
  readonly code: string
  /** The connection was never made: the call did not reach the server. */
  readonly unsent: boolean
}

/** The message and the code of a fetch's error, without the objects that hang on it. */
export function reasonOf(error: unknown, headers: Record<string, string>): Reason {
  // fetch itself says only that it failed; its cause says why.
  const inner = field(error, 'cause') ?? error
  const code = text(inner, 'code') ?? ''
  const said = text(inner, 'message') ?? String(inner)
  // An unreachable host may also end a connection that was made. The last two names are Bun's.
  const unsent =
    field(inner, 'syscall') === 'connect' || /refused|notfound|eai_|err_connect|cert|toopen/i.test(code)
  return Object.assign(new Error(conceal(said, headers)), { code, unsent })
}
