import { isDeepStrictEqual } from 'node:util'
import type { Command } from 'commander'
import { changeProfiles, readConfiguration } from './configuration.ts'
import { DEFAULT_PROFILE, refuseSandboxProfile } from './credentials.ts'
import { type CommandEnvironment, write } from './environment.ts'
import { UsageError } from './errors.ts'
import { ACCOUNT } from './keychain/keychain.ts'
import { moveSecretsToKeychain, removeReplacedSecrets } from './keychain/profile-secrets.ts'
import { toSafeLine } from './output/safe-text.ts'
import type { GatewayProfile, Profile, StoredFacilitator, StoredGateway, StoredProfile } from './profile.ts'

interface LoginOptions {
  readonly profile?: string
  readonly gatewayUrl?: string
  readonly apiKey?: string
  readonly facilitatorUrl?: string
  readonly keychain?: boolean
  /** False with `--no-check`. */
  readonly check: boolean
}

function findUrlProblem(text: string): string | undefined {
  const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text)
  return isUrl ? undefined : 'Expected a URL such as https://gateway.example.com'
}

function checkUrl(flag: string, url: string): string {
  const problem = findUrlProblem(url)
  if (problem !== undefined) throw new UsageError(`${flag}: ${problem}`)
  return url
}

/**
 * Reads the profile from flags and the environment. Secrets have no flags, because other users can see the
 * flags of a process.
 */
function readGivenProfile(options: LoginOptions, { variables }: CommandEnvironment): Profile {
  const baseUrl = options.gatewayUrl ?? variables.MINTMARK_GATEWAY_URL
  const apiKey = options.apiKey ?? variables.MINTMARK_API_KEY
  const secret = variables.MINTMARK_SECRET
  const facilitatorUrl = options.facilitatorUrl ?? variables.MINTMARK_FACILITATOR_URL
  let gateway: GatewayProfile | undefined
  if (baseUrl || apiKey) {
    if (!baseUrl || !apiKey || !secret) {
      throw new UsageError('Set --gateway-url and --api-key, and MINTMARK_SECRET in the environment')
    }
    gateway = { baseUrl: checkUrl('--gateway-url', baseUrl), apiKey, secret }
  }
  const token = variables.MINTMARK_FACILITATOR_TOKEN || undefined
  const facilitator = facilitatorUrl
    ? { baseUrl: checkUrl('--facilitator-url', facilitatorUrl), token }
    : undefined
  return { gateway, facilitator }
}

async function promptGateway(
  options: LoginOptions,
  earlier: StoredGateway | undefined,
  environment: CommandEnvironment,
): Promise<GatewayProfile> {
  const { promptSecret, promptText } = await import('./prompts.ts')
  const initialUrl = options.gatewayUrl ?? earlier?.baseUrl ?? ''
  const baseUrl = await promptText(
    'URL of the gateway',
    { initial: initialUrl, validate: findUrlProblem },
    environment,
  )
  const validate = (text: string) => (text === '' ? 'Expected a key' : undefined)
  const initialKey = options.apiKey ?? earlier?.apiKey ?? ''
  const apiKey = await promptText('API key', { initial: initialKey, validate }, environment)
  const secret = await promptSecret('Secret of the key', environment)
  return { baseUrl, apiKey, secret }
}

async function promptFacilitator(
  options: LoginOptions,
  earlier: StoredFacilitator | undefined,
  environment: CommandEnvironment,
): Promise<StoredFacilitator | undefined> {
  const { promptConfirmation, promptSecret, promptText } = await import('./prompts.ts')
  if (!(await promptConfirmation('Do you also use a facilitator?', environment))) return earlier
  const initial = options.facilitatorUrl ?? earlier?.baseUrl ?? ''
  const baseUrl = await promptText(
    'URL of the facilitator',
    { initial, validate: findUrlProblem },
    environment,
  )
  return { baseUrl, token: await promptSecret('Token', environment) }
}

async function promptProfile(
  options: LoginOptions,
  earlier: StoredProfile,
  environment: CommandEnvironment,
): Promise<StoredProfile> {
  const gateway = await promptGateway(options, earlier.gateway, environment)
  const facilitator = await promptFacilitator(options, earlier.facilitator, environment)
  return { gateway, facilitator }
}

/** Returns the services of a profile that are set, so that the others keep what is stored. */
function removeUnset({ gateway, facilitator }: StoredProfile): StoredProfile {
  return { ...(gateway && { gateway }), ...(facilitator && { facilitator }) }
}

/** Returns the stored facilitator if it is given without a token, which nobody can read from a server again. */
function keepToken(
  given: StoredFacilitator | undefined,
  earlier: StoredFacilitator | undefined,
): StoredFacilitator | undefined {
  if (given === undefined || 'keychain' in given || given.token !== undefined) return given
  return given.baseUrl === earlier?.baseUrl ? earlier : given
}

/** Returns the services that another login has stored since the profile was read, and that this one does not set. */
function keepNewer(
  current: StoredProfile,
  earlier: StoredProfile | undefined,
  given: StoredProfile,
): StoredProfile {
  const isNewer = (service: 'gateway' | 'facilitator') =>
    given[service] === undefined && !isDeepStrictEqual(current[service], earlier?.[service])
  return removeUnset({
    gateway: isNewer('gateway') ? current.gateway : undefined,
    facilitator: isNewer('facilitator') ? current.facilitator : undefined,
  })
}

/** Shows what the credentials are of. @throws the error of a server that refuses them. */
async function check(profile: StoredProfile, environment: CommandEnvironment): Promise<void> {
  const { describeAccount, readAccount } = await import('./account.ts')
  const { formatRecord } = await import('./output/table.ts')
  try {
    await write(environment.errors, formatRecord(describeAccount(await readAccount(profile, environment)), 0))
  } catch (error) {
    const advice = 'Nothing was stored. To store the credentials without a check, add --no-check'
    await write(environment.errors, `${advice}\n`)
    throw error
  }
}

async function login(options: LoginOptions, environment: CommandEnvironment): Promise<void> {
  const name = options.profile ?? DEFAULT_PROFILE
  refuseSandboxProfile(name)
  if (options.keychain && !ACCOUNT.test(`gateway/${name}`)) {
    throw new UsageError('--profile: Expected at most 64 letters, digits and . _ @ - with --keychain')
  }
  const { profiles } = await readConfiguration(environment)
  const earlier = profiles[name]
  const { isInteractive } = await import('./prompts.ts')
  const profile = isInteractive(environment)
    ? await promptProfile(options, earlier ?? {}, environment)
    : readGivenProfile(options, environment)
  if (profile.gateway === undefined && profile.facilitator === undefined) {
    throw new UsageError(
      'There is nothing to store. Run the command on a terminal, or set the variables of the environment that `mintmark login --help` names',
    )
  }
  const given = removeUnset({
    ...profile,
    facilitator: keepToken(profile.facilitator, earlier?.facilitator),
  })
  if (options.check) await check(given, environment)
  // A keychain may wait for a person. No other command can store profiles while the file is changed.
  const moved = options.keychain
    ? await moveSecretsToKeychain(name, { ...earlier, ...given }, environment)
    : given
  let replaced: StoredProfile = {}
  let stored: StoredProfile = {}
  const file = await changeProfiles(environment, (current) => {
    replaced = current[name] ?? {}
    stored = { ...replaced, ...removeUnset(moved), ...keepNewer(replaced, earlier, given) }
    return { ...current, [name]: stored }
  })
  const { wallet } = stored
  const exception = wallet
    ? `, except the private key of the wallet ${wallet.address}, which is in the file`
    : ''
  const keychain = options.keychain ? `, and its secrets in the keychain${toSafeLine(exception)}` : ''
  await write(environment.errors, `Stored the profile ${toSafeLine(name)} in ${file}${keychain}\n`)
  await removeReplacedSecrets(replaced, stored, environment)
}

/** Adds the command that stores credentials. */
export function addLoginCommand(program: Command, environment: CommandEnvironment): void {
  const command = program
    .command('login')
    .description(
      'Checks credentials, shows their project, wallet and scopes, and stores them as a profile in ~/.config/mintmark/config.json, which only you can read, or with --keychain their secrets in the keychain of the operating system. Prompts on a terminal. Otherwise it reads the secrets from MINTMARK_SECRET and MINTMARK_FACILITATOR_TOKEN.',
    )
    .summary('store credentials')
    .option('--profile <name>', `name of the profile; default ${DEFAULT_PROFILE}`)
    .option('--gateway-url <url>', 'or MINTMARK_GATEWAY_URL')
    .option('--api-key <key>', 'or MINTMARK_API_KEY')
    .option('--facilitator-url <url>', 'or MINTMARK_FACILITATOR_URL')
    .option('--no-check', 'store the credentials without checking them')
    .option('--keychain', 'store the secrets in the keychain of the operating system')
  command.action(() => login(command.opts<LoginOptions>(), environment))
}
