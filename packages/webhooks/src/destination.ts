import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isReachableAddress } from './public-addresses.ts'

/** Resolves a host name to IP addresses. Throws if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The rules for destinations. */
export interface DestinationRules {
  /** For development: also accepts http, loopback and private networks. */
  readonly allowPrivate: boolean
  readonly resolve: Resolve
}

/** The destination cannot receive webhooks. The message is for the webhook's owner. */
export class DestinationRefusedError extends Error {
  override readonly name = 'DestinationRefusedError'
}

const MAX_URL_LENGTH = 2048
const PRIVATE_ADDRESS = 'The host has an address that is not public'

/**
 * Creates a resolver that queries name servers directly. The operating system's resolver would occupy one of
 * a few threads for every name server that does not respond, and a webhook's owner chooses the name server.
 *
 * @param servers Name servers. Default: the machine's own.
 */
export function networkResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const failure = results.find((result) => result.status === 'rejected')
    if (addresses.length === 0 && failure !== undefined) throw failure.reason
    return addresses
  }
}

/** The operating system's resolver, which also uses this machine's hosts file. */
export const systemResolver: Resolve = async (host) => {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address }) => address)
}

/**
 * Parses a webhook's URL and checks its text. The URL parser normalizes every notation of an IPv4 address
 * (decimal, hexadecimal, octal, short) to four decimal numbers.
 *
 * @throws DestinationRefusedError
 */
export function readDestination(text: string, allowPrivate: boolean): URL {
  if (text.length > MAX_URL_LENGTH)
    throw new DestinationRefusedError(`Expected a URL of at most ${MAX_URL_LENGTH} characters`)
  if (!URL.canParse(text)) throw new DestinationRefusedError('The text is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new DestinationRefusedError('The URL must use https')
  }
  if (url.username !== '' || url.password !== '')
    throw new DestinationRefusedError('The URL must not contain credentials')
  const literal = literalAddress(url)
  if (literal !== undefined && !isReachableAddress(literal, allowPrivate))
    throw new DestinationRefusedError(PRIVATE_ADDRESS)
  return url
}

/**
 * Checks a webhook's URL and the present addresses of its host.
 *
 * @throws DestinationRefusedError, also if the host cannot be found.
 */
export async function checkDestination(text: string, rules: DestinationRules): Promise<URL> {
  const url = readDestination(text, rules.allowPrivate)
  if (literalAddress(url) !== undefined) return url
  try {
    await reachableAddresses(url.hostname, rules)
  } catch (error) {
    if (error instanceof DestinationRefusedError) throw error
    throw new DestinationRefusedError('The host cannot be found', { cause: error })
  }
  return url
}

/**
 * Creates a `lookup` for one connection. The connection uses the addresses that were checked, so that the
 * name cannot change between the check and the connection.
 */
export function reachableLookup(rules: DestinationRules): LookupFunction {
  return (host, options, callback) => {
    reachableAddresses(host, rules).then(
      (addresses) => {
        const entries = addresses.map((address) => ({ address, family: isIP(address) }))
        const first = entries[0]
        if (options.all) callback(null, entries)
        else if (first !== undefined) callback(null, first.address, first.family)
        else callback(new DestinationRefusedError('The host has no address'), '', 0)
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}

async function reachableAddresses(
  host: string,
  { resolve, allowPrivate }: DestinationRules,
): Promise<readonly string[]> {
  const addresses = await resolve(host)
  if (addresses.length === 0) throw new DestinationRefusedError('The host has no address')
  // A single private address refuses the host: a public host has none, and an attacker's host may have both
  // kinds.
  if (!addresses.every((address) => isReachableAddress(address, allowPrivate)))
    throw new DestinationRefusedError(PRIVATE_ADDRESS)
  return addresses
}

function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}
