import type { BearerCredentials, SecretCredentials } from '@mintmark/core-auth'

/** Credentials are neither passed nor in the environment. `variables` names what can be set. */
export class MissingCredentialsError extends TypeError {
  /** The name of the class. */
  override name = 'MissingCredentialsError'
  /** The variables that are not set, such as `MINTMARK_SECRET`. */
  readonly variables: readonly string[]
  constructor(message: string, variables: readonly string[]) {
    super(message)
    this.variables = variables
  }
}

/** The variables of a process, by name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** Where a server is, and the credentials for it. */
export interface ServerOptions<Credentials> {
  /** The server's address. */
  baseUrl: string
  /** The key. */
  credentials: Credentials
}

/** Returns the variables of this process. Empty where there is none, such as in pages. */
export function readVariables(): Variables {
  const { process } = globalThis as { process?: { env?: Variables } }
  return process?.env ?? {}
}

function readAll<const Name extends string>(
  variables: Variables,
  names: readonly Name[],
): Record<Name, string> {
  const missing = names.filter((name) => !variables[name])
  if (missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are'
    throw new MissingCredentialsError(`${missing.join(', ')} ${verb} not set in the environment`, missing)
  }
  // None of them is missing.
  return variables as Record<Name, string>
}

/**
 * Reads the options of the gateway's client from the environment: `MINTMARK_GATEWAY_URL`, `MINTMARK_API_KEY` and
 * `MINTMARK_SECRET`.
 *
 * @throws MissingCredentialsError if one of them is not set.
 * @example
 * const gateway = createGateway(readGatewayOptions())
 */
export function readGatewayOptions(variables: Variables = readVariables()): ServerOptions<SecretCredentials> {
  const names = ['MINTMARK_GATEWAY_URL', 'MINTMARK_API_KEY', 'MINTMARK_SECRET'] as const
  const { MINTMARK_GATEWAY_URL, MINTMARK_API_KEY, MINTMARK_SECRET } = readAll(variables, names)
  return { baseUrl: MINTMARK_GATEWAY_URL, credentials: { apiKey: MINTMARK_API_KEY, secret: MINTMARK_SECRET } }
}

/**
 * Reads the options of the facilitator's client from the environment: `MINTMARK_FACILITATOR_URL` and
 * `MINTMARK_FACILITATOR_TOKEN`.
 *
 * @throws MissingCredentialsError if one of them is not set.
 * @example
 * const facilitator = createFacilitator(readFacilitatorOptions())
 */
export function readFacilitatorOptions(
  variables: Variables = readVariables(),
): ServerOptions<BearerCredentials> {
  const names = ['MINTMARK_FACILITATOR_URL', 'MINTMARK_FACILITATOR_TOKEN'] as const
  const { MINTMARK_FACILITATOR_URL, MINTMARK_FACILITATOR_TOKEN } = readAll(variables, names)
  return { baseUrl: MINTMARK_FACILITATOR_URL, credentials: { token: MINTMARK_FACILITATOR_TOKEN } }
}
