import type { Service } from '@mintmark/operation'
import {
  type FacilitatorOptions,
  type GatewayOptions,
  MissingCredentialsError,
  readFacilitatorOptions,
  readGatewayOptions,
  readVariables,
} from '@mintmark/transport'

/** What each service is passed as. */
export const OPTIONS_OF: Readonly<Record<Service, string>> = {
  gateway: 'gateway: { baseUrl, credentials: { apiKey, secret } }',
  facilitator: 'facilitator: { baseUrl, credentials: { token } }',
}

const READERS = { gateway: readGatewayOptions, facilitator: readFacilitatorOptions }
const URLS = { gateway: 'MINTMARK_GATEWAY_URL', facilitator: 'MINTMARK_FACILITATOR_URL' } as const

interface OptionsOf {
  readonly gateway: GatewayOptions
  readonly facilitator: FacilitatorOptions
}

/** Whether the environment has the address of a service. */
export function isConfigured(service: Service): boolean {
  return Boolean(readVariables()[URLS[service]])
}

/**
 * Completes the options of a client by those of the environment. Credentials of the environment are never sent to
 * another server than its own.
 *
 * @throws MissingCredentialsError for options that are in neither. TypeError for an address that is malformed, or
 * is set to nothing: programs in JavaScript have no compiler.
 */
export function completeOptions<S extends Service>(service: S, source: object): OptionsOf[S] {
  const values: Partial<Record<string, unknown>> = { ...source }
  const { baseUrl } = values
  if ('baseUrl' in values && !baseUrl) {
    throw new TypeError(`${service}.baseUrl is not set. Is the environment variable set?`)
  }
  // The text is not in the error: it may be a secret in the wrong place.
  if (baseUrl !== undefined && !/^https?:/i.test(String(baseUrl))) {
    throw new TypeError(`${service}.baseUrl does not begin with http:// or https://`)
  }
  const missing = ['baseUrl', 'credentials'].filter((name) => values[name] === undefined)
  const found = missing.length === 0 ? {} : readMissing(service, baseUrl, missing)
  // Both are in the one or the other, except credentials of the facilitator, which are optional.
  const completed: object = { ...values, ...found }
  return completed as OptionsOf[S]
}

function readMissing(service: Service, baseUrl: unknown, missing: readonly string[]): object {
  const variables = readVariables()
  const given = baseUrl === undefined ? undefined : String(baseUrl)
  const url = variables[URLS[service]] || given
  const isOther = given !== undefined && url !== undefined && !isSameServer(url, given)
  try {
    const { credentials, ...rest } = READERS[service](isOther ? {} : { ...variables, [URLS[service]]: url })
    return {
      ...(missing.includes('baseUrl') && rest),
      ...(missing.includes('credentials') && { credentials }),
    }
  } catch (error) {
    if (!(error instanceof MissingCredentialsError)) throw error
    // Some operations of the facilitator need no token.
    if (service === 'facilitator' && given !== undefined) return {}
    const names = missing.join(' and no ')
    const advice = isOther ? '' : `, or set ${error.variables.join(', ')}`
    throw new MissingCredentialsError(
      `${service} has no ${names}. Pass ${OPTIONS_OF[service]}${advice}`,
      error.variables,
    )
  }
}

function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
