import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from '@mintmark/operation'
import * as v from 'valibot'
import { readConfiguration } from './configuration.ts'
import type { CommandEnvironment } from './environment.ts'
import { SetupError, UsageError } from './errors.ts'
import { readFromKeychain } from './keychain/keychain.ts'
import type {
  FacilitatorProfile,
  GatewayProfile,
  StoredFacilitator,
  StoredGateway,
  StoredProfile,
} from './profile.ts'

/** The name of the profile that is used if there is no other choice. */
export const DEFAULT_PROFILE = 'default'
/** The name of the credentials that the sandbox wrote to the current folder. */
const SANDBOX_PROFILE = 'sandbox'

/** Refuses to store a profile by the name of the sandbox. */
export function refuseSandboxProfile(name: string): void {
  if (name === SANDBOX_PROFILE)
    throw new UsageError(
      `--profile: ${SANDBOX_PROFILE} is the sandbox of the current folder. Choose another name`,
    )
}

const GATEWAY_VARIABLES = ['MINTMARK_GATEWAY_URL', 'MINTMARK_API_KEY', 'MINTMARK_SECRET'] as const

/**
 * Reads the gateway's credentials of the environment. Credentials are never combined with the URL of another
 * source.
 */
function readGatewayVariables({ variables }: CommandEnvironment): GatewayProfile | undefined {
  const [baseUrl, apiKey, secret] = GATEWAY_VARIABLES.map((name) => variables[name] || undefined)
  if (baseUrl === undefined && apiKey === undefined && secret === undefined) return undefined
  if (baseUrl === undefined || apiKey === undefined || secret === undefined) {
    const missing = GATEWAY_VARIABLES.filter((name) => !variables[name])
    throw new SetupError(
      `The environment has only some of the gateway's credentials. Set ${missing.join(' and ')}`,
    )
  }
  return { baseUrl, apiKey, secret }
}

function readFacilitatorVariables({ variables }: CommandEnvironment): FacilitatorProfile | undefined {
  const baseUrl = variables.MINTMARK_FACILITATOR_URL || undefined
  const token = variables.MINTMARK_FACILITATOR_TOKEN || undefined
  if (baseUrl !== undefined) return { baseUrl, token }
  if (token === undefined) return undefined
  throw new SetupError('The environment has a token without its server. Set MINTMARK_FACILITATOR_URL')
}

/** What the command line reads of a sandbox's file. An entry of the keychain is never part of it. */
const SandboxCredentials = v.object({
  gateway: v.optional(v.object({ baseUrl: v.string(), apiKey: v.string(), secret: v.string() })),
  facilitator: v.optional(v.object({ baseUrl: v.string(), token: v.optional(v.string()) })),
  chain: v.optional(v.object({ rpcUrl: v.string(), chainId: v.number() })),
  accounts: v.optional(v.object({ buyer: v.object({ address: v.string(), privateKey: v.string() }) })),
})
/** The servers of a sandbox, its chain, and a wallet with funds. */
export interface SandboxProfile extends v.InferOutput<typeof SandboxCredentials> {}

/**
 * Reads the credentials that the sandbox writes to the current folder. Returns undefined without a sandbox.
 * The folder may belong to somebody else, so that nothing in the file is trusted.
 */
export async function readSandboxProfile({
  currentFolder,
}: CommandEnvironment): Promise<SandboxProfile | undefined> {
  const file = join(currentFolder, '.mintmark', 'credentials.json')
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SetupError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { success, output } = v.safeParse(SandboxCredentials, value)
  if (success) return output
  throw new SetupError(`${file} has no credentials of a sandbox. Start the sandbox again, or remove the file`)
}

/** A profile, and where it is from. */
interface FoundProfile extends StoredProfile {
  /** For people, such as `the environment`. */
  readonly source: string
}

async function findProfile(name: string, environment: CommandEnvironment): Promise<FoundProfile> {
  const { profiles, file } = await readConfiguration(environment)
  const profile =
    profiles[name] ?? (name === SANDBOX_PROFILE ? await readSandboxProfile(environment) : undefined)
  if (profile !== undefined) return { ...profile, source: `the profile ${name}` }
  const names = Object.keys(profiles)
  const known = names.length === 0 ? 'It has no profiles' : `It has ${names.join(', ')}`
  throw new SetupError(`${file} has no profile ${name}. ${known}. \`mintmark login\` adds one`)
}

/** Finds the profile of a person who named none: the default one, or that of a sandbox. */
async function findUnnamedProfile(environment: CommandEnvironment): Promise<FoundProfile> {
  const { profiles } = await readConfiguration(environment)
  const stored = profiles[DEFAULT_PROFILE]
  const sandbox = await readSandboxProfile(environment)
  if (stored !== undefined && sandbox !== undefined) {
    throw new SetupError(
      `This folder has a sandbox, and there is a profile ${DEFAULT_PROFILE}. Choose one: --profile ${SANDBOX_PROFILE} or --profile ${DEFAULT_PROFILE}, or set MINTMARK_PROFILE`,
    )
  }
  const source = stored === undefined ? 'the sandbox of this folder' : `the profile ${DEFAULT_PROFILE}`
  return { ...(stored ?? sandbox), source }
}

function createMissingError(service: Service): SetupError {
  const variables =
    service === 'gateway'
      ? GATEWAY_VARIABLES.join(', ')
      : 'MINTMARK_FACILITATOR_URL and MINTMARK_FACILITATOR_TOKEN'
  return new SetupError(
    `There are no credentials for the ${service}. Run \`mintmark login\`, set ${variables}, or run the command in the folder of a sandbox`,
  )
}

/**
 * Finds the servers that a command calls, in this order: `--profile`, the credentials in the environment,
 * MINTMARK_PROFILE, the profile `default`, the sandbox of the current folder.
 */
export async function resolveProfile(
  profileName: string | undefined,
  environment: CommandEnvironment,
): Promise<FoundProfile> {
  if (profileName !== undefined) return await findProfile(profileName, environment)
  const gateway = readGatewayVariables(environment)
  const facilitator = readFacilitatorVariables(environment)
  if (gateway !== undefined || facilitator !== undefined)
    return { gateway, facilitator, source: 'the environment' }
  const { MINTMARK_PROFILE } = environment.variables
  if (MINTMARK_PROFILE) return await findProfile(MINTMARK_PROFILE, environment)
  return await findUnnamedProfile(environment)
}

/** Checks that a URL is that of a server. Browsers would open files and other programs. */
function checkUrl(baseUrl: string): void {
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new SetupError(`The URL of the server is not http: ${baseUrl}`)
  }
}

/** Returns the gateway of a profile. Its secret may be in the keychain. */
export function requireGateway({ gateway }: StoredProfile): StoredGateway {
  if (gateway === undefined) throw createMissingError('gateway')
  checkUrl(gateway.baseUrl)
  return gateway
}

/** Returns the facilitator of a profile. Its token may be in the keychain. */
export function requireFacilitator({ facilitator }: StoredProfile): StoredFacilitator {
  if (facilitator === undefined) throw createMissingError('facilitator')
  checkUrl(facilitator.baseUrl)
  return facilitator
}

/** Returns the gateway with its secret. */
export async function readGateway(
  gateway: StoredGateway,
  environment: CommandEnvironment,
): Promise<GatewayProfile> {
  if (!('keychain' in gateway)) return gateway
  const { baseUrl, apiKey, keychain } = gateway
  return { baseUrl, apiKey, secret: await readFromKeychain(keychain, { baseUrl, apiKey }, environment) }
}

/** Returns the facilitator with its token. */
export async function readFacilitator(
  facilitator: StoredFacilitator,
  environment: CommandEnvironment,
): Promise<FacilitatorProfile> {
  if (!('keychain' in facilitator)) return facilitator
  const { baseUrl, keychain } = facilitator
  return { baseUrl, token: await readFromKeychain(keychain, { baseUrl }, environment) }
}
