import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ToolError } from '../tool-error.ts'

/** Resolves a host name to IP addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The URLs that may be fetched. */
export interface DestinationRules {
  /**
   * Host names, and `*.example.com` for all names below `example.com`. One with a port, such as
   * `127.0.0.1:3222`, matches this port only.
   */
  readonly hosts: readonly string[]
  /** For development: also http, loopback and private networks. */
  readonly allowPrivate: boolean
  /** Default: the operating system's resolver. */
  readonly resolve?: Resolve | undefined
}

const PRIVATE_RANGES: readonly string[] = ['private', 'loopback', 'uniqueLocal']
/** The only IPv6 addresses of public hosts. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
/** A cloud serves its metadata at this public address. */
const METADATA_ADDRESS = '168.63.129.16'
const MAX_URL_LENGTH = 2048

/**
 * Whether a connection to an address is allowed. Link-local addresses, where clouds serve their metadata,
 * never are.
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  if (address === METADATA_ADDRESS || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  const range = parsed.range()
  if (PRIVATE_RANGES.includes(range)) return allowPrivate
  if (range !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST)
}

function refuse(message: string, whatToDo: string): never {
  throw new ToolError({ kind: 'DestinationRefused', message, whatToDo })
}

/** A host that may be paid: a name, an address, or all names below one, with or without a port. */
const HOST_PATTERN = /^((?:\*\.)?[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/

/** Whether a text is a pattern of hosts, in lower case. */
export function isHostPattern(text: string): boolean {
  return HOST_PATTERN.test(text)
}

function matchesHost({ protocol, hostname, port }: URL, pattern: string): boolean {
  const [, host = '', allowedPort] = HOST_PATTERN.exec(pattern) ?? []
  if (host === '') return false
  const actualPort = port || (protocol === 'https:' ? '443' : '80')
  if (allowedPort !== undefined && Number(allowedPort) !== Number(actualPort)) return false
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
}

/**
 * Parses a URL and checks its scheme, its host and a literal address. Names are checked when the connection
 * is made.
 *
 * @throws ToolError
 */
export function parseDestination(text: string, { hosts, allowPrivate }: DestinationRules): URL {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) {
    refuse('The text is not a URL', `Pass a URL of at most ${MAX_URL_LENGTH} characters.`)
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    refuse('The URL does not use https', 'Pass an https URL.')
  }
  if (url.username !== '' || url.password !== '')
    refuse('The URL has credentials', 'Remove them from the URL.')
  // With the port, so that nobody allows all ports of a host for one of them.
  const { host, hostname } = url
  if (!hosts.some((pattern) => matchesHost(url, pattern))) {
    refuse(
      `${host} is not an allowed host`,
      `Tell the user: start the MCP server with --pay-host ${host} to allow it. Allowed: ${hosts.join(', ')}.`,
    )
  }
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, allowPrivate)) {
    refuse(`${literal} is not a public address`, 'Use a public address.')
  }
  return url
}

async function resolveWithSystem(host: string): Promise<readonly string[]> {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address }) => address)
}

/**
 * Creates the `lookup` of one connection. The connection uses the addresses that were checked, so that a name
 * cannot change in between. One address that is not allowed refuses the name.
 */
export function createCheckedLookup(rules: DestinationRules): LookupFunction {
  const { allowPrivate, resolve = resolveWithSystem } = rules
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every((each) => isAllowedAddress(each, allowPrivate))) {
          callback(new Error(`${host} has an address that is not public`), '', 0)
        } else if (options.all) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        } else {
          callback(null, first, isIP(first))
        }
      },
      (error: Error) => callback(error, '', 0),
    )
  }
}
