import type { Client, OperationShape, Service } from '@mintmark/operation'
import { type ClientOptions, createFacilitator, createGateway } from '@mintmark/transport'
import {
  readFacilitator,
  readGateway,
  requireFacilitator,
  requireGateway,
  resolveProfile,
} from './credentials.ts'
import { type CommandEnvironment, write } from './environment.ts'
import { toSafeText } from './output/safe-text.ts'
import type { StoredProfile } from './profile.ts'

/** The options of a command that calls a server. */
export interface CallSettings {
  readonly profile?: string | undefined
  /** Milliseconds for each attempt. */
  readonly timeout?: number | undefined
  /** Whether the gateway executes no call and says what each would do. */
  readonly validates?: boolean | undefined
}

/** The server and the account that a command calls. */
export interface Target {
  readonly baseUrl: string
  /** Identifies the account without a secret. */
  readonly account: string
}

/** Returns the server and the account of a service. */
function getTarget(service: Service, profile: StoredProfile): Target {
  if (service === 'gateway') {
    const { baseUrl, apiKey } = requireGateway(profile)
    return { baseUrl, account: apiKey }
  }
  return { baseUrl: requireFacilitator(profile).baseUrl, account: 'facilitator' }
}

/** Creates the client of a service. A response that a newer server extended is shown with a warning. */
export async function createServiceClient(
  service: Service,
  profile: StoredProfile,
  settings: CallSettings,
  environment: CommandEnvironment,
): Promise<Client<Service>> {
  // Every record of a list deviates in the same way.
  const warned = new Set<string>()
  const options = {
    timeout: settings.timeout,
    fetch: environment.fetch,
    responses: 'report',
    onDeviation({ field, message }) {
      const name = field.replace(/\.\d+\./g, '.')
      if (warned.has(name)) return
      warned.add(name)
      const warning = `Warning: ${toSafeText(field)} of the response: ${toSafeText(message)}\n`
      void write(environment.errors, warning)
    },
  } satisfies Omit<ClientOptions, 'baseUrl'>
  if (service === 'gateway') {
    const { baseUrl, apiKey, secret } = await readGateway(requireGateway(profile), environment)
    const url = settings.validates === true ? `${baseUrl.replace(/\/+$/, '')}/validate` : baseUrl
    return createGateway({ ...options, baseUrl: url, credentials: { apiKey, secret } })
  }
  const { baseUrl, token } = await readFacilitator(requireFacilitator(profile), environment)
  return createFacilitator({ ...options, baseUrl, credentials: token === undefined ? undefined : { token } })
}

/** Creates the client that an operation needs, for the person's profile. */
export async function createClientFor(
  { service }: OperationShape,
  settings: CallSettings,
  environment: CommandEnvironment,
): Promise<{ client: Client<Service>; target: Target }> {
  const profile = await resolveProfile(settings.profile, environment)
  const client = await createServiceClient(service, profile, settings, environment)
  return { client, target: getTarget(service, profile) }
}
