import type { Service } from '@mintmark/operation'
import {
  type FacilitatorOptions,
  type GatewayOptions,
  MissingCredentialsError,
  readVariables,
} from '@mintmark/transport'

/** What each service is passed as. */
export const OPTIONS_OF: Readonly<Record<Service, string>> = {
  gateway: 'gateway: { baseUrl, credentials: { apiKey, secret } }',
  facilitator: 'facilitator: { baseUrl, credentials: { token } }',
}

/** The variables of each service: its address, and the fields of its credentials. */
const VARIABLES = {
  gateway: {
    url: 'MINTMARK_GATEWAY_URL',
    credentials: { apiKey: 'MINTMARK_API_KEY', secret: 'MINTMARK_SECRET' },
  },
  facilitator: { url: 'MINTMARK_FACILITATOR_URL', credentials: { token: 'MINTMARK_FACILITATOR_TOKEN' } },
} as const

interface OptionsOf {
  readonly gateway: GatewayOptions
  readonly facilitator: FacilitatorOptions
}

/** Whether the environment has the address of a service. */
export function isConfigured(service: Service): boolean {
  return Boolean(readVariables()[VARIABLES[service].url])
}

/**
 * Completes the options of a client by those of the environment. Credentials of the environment are sent only to
 * the server whose address is in the environment too.
 *
 * @throws MissingCredentialsError for options that are in neither. TypeError for an address that is malformed, or
 * is set to nothing: programs in JavaScript have no compiler.
 */
export function completeOptions<S extends Service>(service: S, source: object): OptionsOf[S] {
  const values: Partial<Record<string, unknown>> = { ...source }
  if ('baseUrl' in values && !values.baseUrl) {
    throw new TypeError(`${service}.baseUrl is not set. Is the environment variable set?`)
  }
  // The text is not in the error: it may be a secret in the wrong place.
  if (values.baseUrl !== undefined && !/^https?:/i.test(String(values.baseUrl))) {
    throw new TypeError(`${service}.baseUrl does not begin with http:// or https://`)
  }
  const url = readVariables()[VARIABLES[service].url] || undefined
  const { baseUrl = url } = values
  const isOther = url !== undefined && !isSameServer(url, String(baseUrl))
  const { credentials = url === undefined || isOther ? undefined : readCredentials(service) } = values
  // Some operations of the facilitator need no token.
  const hasCredentials = credentials !== undefined || service === 'facilitator'
  if (baseUrl === undefined || !hasCredentials) {
    const missing = [
      ...(baseUrl === undefined ? ['baseUrl'] : []),
      ...(hasCredentials ? [] : ['credentials']),
    ]
    throw createMissingError(service, missing, isOther)
  }
  const completed: object = { ...values, baseUrl, ...(credentials !== undefined && { credentials }) }
  return completed as OptionsOf[S]
}

/** Returns the credentials of the environment. Undefined unless all of their variables are set. */
function readCredentials(service: Service): object | undefined {
  const variables = readVariables()
  const found: Record<string, string> = {}
  for (const [field, name] of Object.entries(VARIABLES[service].credentials)) {
    const value = variables[name]
    if (!value) return undefined
    found[field] = value
  }
  return found
}

/** @param isOther Whether the given address is not that of the environment, whose credentials are for the latter. */
function createMissingError(
  service: Service,
  missing: readonly string[],
  isOther: boolean,
): MissingCredentialsError {
  const { url, credentials } = VARIABLES[service]
  const names = [url, ...(missing.includes('credentials') ? Object.values(credentials) : [])]
  const variables = readVariables()
  const unset = isOther ? [] : names.filter((name) => !variables[name])
  const advice = isOther ? '' : `, or set ${unset.join(', ')}`
  return new MissingCredentialsError(
    `${service} has no ${missing.join(' and no ')}. Pass ${OPTIONS_OF[service]}${advice}`,
    unset,
  )
}

function isSameServer(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other
  return new URL(one).origin === new URL(other).origin
}
