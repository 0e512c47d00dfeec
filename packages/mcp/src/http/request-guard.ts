import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'

export interface GuardRules {
  /** The values of the Host header that are accepted, with their port. */
  readonly hosts: ReadonlySet<string>
  /** The values of the Origin header that are accepted. Requests of programs have none. */
  readonly origins: ReadonlySet<string>
  /** The bearer token that each request needs. */
  readonly token: string | undefined
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/** Whether an address that a server listens on is only reachable from the same machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

const hash = (text: string) => createHash('sha256').update(text).digest()

/**
 * Checks Host and Origin, so that no website reaches the server by DNS rebinding, and the token. Returns
 * undefined for a request that is accepted.
 */
export function findRefusal({ headers }: IncomingMessage, rules: GuardRules): Refusal | undefined {
  const { host = '', origin, authorization = '' } = headers
  if (!rules.hosts.has(host.toLowerCase())) return { status: 403, message: 'The Host header is not allowed' }
  if (origin !== undefined && !rules.origins.has(origin.toLowerCase()))
    return { status: 403, message: 'The Origin header is not allowed' }
  if (rules.token === undefined) return undefined
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  // Hashes have one length, so that the comparison takes the same time for every token.
  if (timingSafeEqual(hash(token), hash(rules.token))) return undefined
  return { status: 401, message: 'The bearer token is missing or wrong' }
}
