import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isReachableAddress } from './public-addresses.ts'

/** Finds the IP addresses of a host name; throws where it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** How destinations are judged. */
export interface DestinationRules {
  /** Development: http, loopback and private networks are taken as well. */
  readonly allowPrivate: boolean
  readonly resolve: Resolve
}

/** A webhook cannot be sent there; the message is for the webhook's owner. */
export class DestinationRefused extends Error {
  override readonly name = 'DestinationRefused'
}

const longestUrl = 2048
const privateAddress = 'The host has an address that is not public'

/**
 * The resolver of the network, asked directly: the operating system's would keep one of a few threads waiting for every
 * name server that does not answer, and a webhook's owner chooses the name server.
 *
 * @param servers Name servers; the machine's own unless told.
 */
export function networkResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failure = found.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0 && failure !== undefined) throw failure.reason
    return addresses
  }
}

/** The operating system's resolver, which knows the names of this machine's hosts file. */
export const systemResolver: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/**
 * Reads a webhook's URL and judges all that can be judged of its text. The URL parser has by then written every
 * notation of an IPv4 address (decimal, hexadecimal, octal, short) as four decimal numbers.
 *
 * @throws DestinationRefused
 */
export function readDestination(text: string, allowPrivate: boolean): URL {
  if (text.length > longestUrl)
    throw new DestinationRefused(`A URL of at most ${longestUrl} characters is expected`)
  if (!URL.canParse(text)) throw new DestinationRefused('The text is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new DestinationRefused('Only https is taken')
  }
  if (url.username !== '' || url.password !== '')
    throw new DestinationRefused('The URL must not hold credentials')
  const literal = literalAddress(url)
  if (literal !== undefined && !isReachableAddress(literal, allowPrivate))
    throw new DestinationRefused(privateAddress)
  return url
}

/**
 * Judges a webhook's URL with the addresses that its host has now.
 *
 * @throws DestinationRefused also where the host cannot be found.
 */
export async function checkDestination(text: string, rules: DestinationRules): Promise<URL> {
  const url = readDestination(text, rules.allowPrivate)
  if (literalAddress(url) !== undefined) return url
  try {
    await reachableAddresses(url.hostname, rules)
  } catch (error) {
    if (error instanceof DestinationRefused) throw error
    throw new DestinationRefused('The host cannot be found', { cause: error })
  }
  return url
}

/**
 * A `lookup` for one connection. What it answers is what the connection is made to, so between the check and the
 * connecting there is no moment in which the name could come to mean something else.
 */
export function reachableLookup(rules: DestinationRules): LookupFunction {
  return (host, options, callback) => {
    reachableAddresses(host, rules).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        const first = found[0]
        if (options.all) callback(null, found)
        else if (first !== undefined) callback(null, first.address, first.family)
        else callback(new DestinationRefused('The host has no address'), '', 0)
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
  if (addresses.length === 0) throw new DestinationRefused('The host has no address')
  // One that is not public condemns them all: a public host has no such address, and an attacker's has both.
  if (!addresses.every((address) => isReachableAddress(address, allowPrivate)))
    throw new DestinationRefused(privateAddress)
  return addresses
}

function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}
