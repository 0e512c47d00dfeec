import { apiKeys, type CurrentApiKey } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import { payments, webhooks } from '@mintmark/facilitator'
import type { FacilitatorClient, GatewayClient } from '@mintmark/operation'
import { createServiceClient } from './client.ts'
import type { CommandEnvironment } from './environment.ts'
import { hasToken, type StoredProfile } from './profile.ts'

/** What the servers of a profile say about its credentials. */
export interface Account {
  readonly gateway?: {
    readonly baseUrl: string
    readonly apiKey: string
    /** Absent if the server does not say: other gateways than Mintmark's have no such operation. */
    readonly key?: CurrentApiKey | undefined
  }
  readonly facilitator?: { readonly baseUrl: string; readonly hasToken: boolean }
}

/** Returns a call's data, or undefined for an error of one of the kinds. */
async function ignore<Data>(call: Promise<Data>, ...kinds: readonly string[]): Promise<Data | undefined> {
  try {
    return await call
  } catch (error) {
    if (isMintmarkError(error) && kinds.includes(error.kind)) return undefined
    throw error
  }
}

/** Reads from the servers of a profile what its credentials are. @throws the error of a server that refuses them. */
export async function readAccount(profile: StoredProfile, environment: CommandEnvironment): Promise<Account> {
  const { gateway, facilitator } = profile
  const options = { signal: environment.signal }
  const account: { -readonly [Name in keyof Account]: Account[Name] } = {}
  if (gateway !== undefined) {
    const client = (await createServiceClient('gateway', profile, {}, environment)) as GatewayClient
    const { baseUrl, apiKey } = gateway
    const key = await ignore(apiKeys.getCurrent(client, {}, options), 'NotFound', 'UnexpectedResponse')
    account.gateway = { baseUrl, apiKey, key }
  }
  if (facilitator !== undefined) {
    const client = (await createServiceClient('facilitator', profile, {}, environment)) as FacilitatorClient
    const isKeyed = hasToken(facilitator)
    // The token is valid if it is only refused what its account may not do.
    await (isKeyed
      ? ignore<unknown>(webhooks.list(client, {}, options), 'Forbidden')
      : payments.health(client, {}, options))
    account.facilitator = { baseUrl: facilitator.baseUrl, hasToken: isKeyed }
  }
  return account
}

/** Returns what the servers say, as fields that are shown one on a line. */
export function describeAccount({ gateway, facilitator }: Account): Record<string, string> {
  const fields: Record<string, string> = {}
  if (gateway !== undefined) {
    const { baseUrl, apiKey, key } = gateway
    fields.gateway = baseUrl
    fields.key = key === undefined ? `${apiKey} (the gateway does not say whose)` : `${apiKey} (${key.name})`
    if (key !== undefined) {
      fields.project = `${key.projectName} (${key.projectId})`
      fields.wallet = key.wallet === '' ? 'none' : key.wallet
      fields.scopes = key.scopes.join(', ')
      if (key.storeId !== 0) fields.store = String(key.storeId)
    }
  }
  if (facilitator !== undefined) {
    fields.facilitator = `${facilitator.baseUrl} (${facilitator.hasToken ? 'the token is valid' : 'without a token'})`
  }
  return fields
}
