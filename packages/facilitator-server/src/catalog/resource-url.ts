import { isIP } from 'node:net'
import { MAX_URL_CHARACTERS } from '../payment/route-template.ts'
import { findTextProblem } from './text-rules.ts'

/**
 * Names that no public server has: of this machine, of local networks, and reserved ones (RFC 2606, 6761,
 * 6762, 8375).
 */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/

export type CanonicalUrl = { readonly url: string } | { readonly problem: string }

/**
 * Returns the URL under which a resource is cataloged: its origin and path, or the path of its route's
 * template. Query and fragment are those of one request.
 *
 * @param allowPrivate For development: also accepts http, local names and IP addresses.
 */
export function toCanonicalUrl(
  text: unknown,
  routeTemplate: string | undefined,
  allowPrivate: boolean,
): CanonicalUrl {
  if (typeof text !== 'string' || text === '') return { problem: 'must be a URL' }
  const textProblem = findTextProblem(text, MAX_URL_CHARACTERS)
  if (textProblem !== undefined) return { problem: textProblem }
  if (!URL.canParse(text)) return { problem: 'must be an absolute URL' }
  const url = new URL(text)
  const problem = findAddressProblem(url, allowPrivate)
  if (problem !== undefined) return { problem }
  const canonical = `${url.origin}${routeTemplate ?? url.pathname}`
  if (canonical.length > MAX_URL_CHARACTERS)
    return { problem: `must be at most ${MAX_URL_CHARACTERS} characters` }
  return { url: canonical }
}

function findAddressProblem(url: URL, allowPrivate: boolean): string | undefined {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'must be an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  if (allowPrivate) return undefined
  // The URL parser normalizes every notation of an IPv4 address. An IPv6 address has brackets.
  const host = url.hostname.replace(/\.$/, '')
  if (isIP(host) !== 0 || host.startsWith('[')) return 'must have a host name instead of an IP address'
  if (!host.includes('.') || LOCAL_NAMES.test(host)) return 'must have a public host name'
  return undefined
}

const MAX_ICON_URL_CHARACTERS = 2048
const LOOPBACK_HOSTS = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])

/** Whether a value is the URL of an icon as the specification requires it: http or https, on a named host. */
export function isIconUrl(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_ICON_URL_CHARACTERS) return false
  if (findTextProblem(value, MAX_ICON_URL_CHARACTERS) !== undefined || /[\t\n\r]/.test(value)) return false
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hostname } = new URL(value)
  if (protocol !== 'https:' && protocol !== 'http:') return false
  if (username !== '' || password !== '') return false
  const host = hostname.replace(/\.$/, '')
  return host !== '' && isIP(host) === 0 && !host.startsWith('[') && !LOOPBACK_HOSTS.has(host)
}
