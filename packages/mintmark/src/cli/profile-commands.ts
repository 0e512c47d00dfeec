import type { Command } from 'commander'
import { changeProfiles, readConfiguration } from './configuration.ts'
import { DEFAULT_PROFILE, resolveProfile } from './credentials.ts'
import { type CommandEnvironment, write } from './environment.ts'
import { SetupError } from './errors.ts'
import { removeReplacedSecrets } from './keychain/profile-secrets.ts'
import { addOutputOptions } from './operation-command.ts'
import { toJsonLine, toSafeLine } from './output/safe-text.ts'
import { chooseFormat, type OutputFormat } from './output/writer.ts'
import { hasToken, type StoredProfile } from './profile.ts'

interface ProfileOptions {
  readonly profile?: string
  readonly json?: boolean
  readonly output?: OutputFormat
  readonly removeWallet?: boolean
}

async function whoami(options: ProfileOptions, environment: CommandEnvironment): Promise<void> {
  const profile = await resolveProfile(options.profile, environment)
  if (profile.gateway === undefined && profile.facilitator === undefined)
    throw new SetupError('There are no credentials. Run `mintmark login`')
  const { describeAccount, readAccount } = await import('./account.ts')
  const account = await readAccount(profile, environment)
  const { source } = profile
  if (chooseFormat(options, environment) !== 'table')
    return await write(environment.output, `${toJsonLine({ source, ...account })}\n`)
  const { formatRecord } = await import('./output/table.ts')
  await write(environment.output, formatRecord({ source, ...describeAccount(account) }, 0))
}

async function logout(options: ProfileOptions, environment: CommandEnvironment): Promise<void> {
  const name = options.profile ?? DEFAULT_PROFILE
  const { file } = await readConfiguration(environment)
  let removed: StoredProfile = {}
  await changeProfiles(environment, (profiles) => {
    const { [name]: earlier, ...others } = profiles
    if (earlier === undefined) throw new SetupError(`${file} has no profile ${name}. Nothing was removed`)
    if (earlier.wallet !== undefined && !options.removeWallet)
      throw new SetupError(
        `The profile ${name} has the private key of the wallet ${earlier.wallet.address}, whose account may have funds. Back it up from ${file}, then add --remove-wallet. Nothing was removed`,
      )
    removed = earlier
    return others
  })
  await removeReplacedSecrets(removed, {}, environment)
  await write(environment.errors, `Removed the profile ${toSafeLine(name)} from ${file}\n`)
}

/** Returns where the secrets of a profile are. */
function describeSecrets({ gateway, facilitator, wallet }: StoredProfile): string {
  const places = new Set<string>()
  for (const service of [gateway, facilitator]) {
    if (service === undefined) continue
    if ('keychain' in service) places.add('keychain')
    else if ('secret' in service || hasToken(service)) places.add('file')
  }
  if (wallet !== undefined) places.add('file')
  return [...places].sort().reverse().join(' and ')
}

async function listProfiles(options: ProfileOptions, environment: CommandEnvironment): Promise<void> {
  const { profiles, file } = await readConfiguration(environment)
  const rows = Object.entries(profiles).map(([profile, stored]) => ({
    profile,
    gateway: stored.gateway?.baseUrl ?? '',
    apiKey: stored.gateway?.apiKey ?? '',
    facilitator: stored.facilitator?.baseUrl ?? '',
    secrets: describeSecrets(stored),
  }))
  if (chooseFormat(options, environment) !== 'table')
    return await write(environment.output, rows.map((row) => `${toJsonLine(row)}\n`).join(''))
  if (rows.length === 0)
    return await write(environment.errors, `${file} has no profiles. Run \`mintmark login\`\n`)
  const { formatTable } = await import('./output/table.ts')
  const fields = Object.keys(rows[0] ?? {})
  await write(environment.output, formatTable(fields, rows, { width: 0, fields, advice: '' }))
}

/** Adds the commands that show and remove credentials. */
export function addProfileCommands(program: Command, environment: CommandEnvironment): void {
  const profileOption = ['--profile <name>', `name of the profile; default ${DEFAULT_PROFILE}`] as const
  const whoamiCommand = addOutputOptions(program.command('whoami'))
    .summary('show the project, the wallet and the scopes of the key')
    .description('Calls the servers with the credentials that commands would use, and shows whose they are.')
    .option('--profile <name>', 'credentials to use; see `mintmark login`')
  whoamiCommand.action(() => whoami(whoamiCommand.opts<ProfileOptions>(), environment))
  const logoutCommand = program
    .command('logout')
    .summary('remove stored credentials')
    .description(
      'Removes a profile, and its secrets from the keychain. The key stays valid: revoke it if it is lost. A profile with a wallet, which `mintmark try` created, is removed only with --remove-wallet.',
    )
    .option(...profileOption)
    .option('--remove-wallet', 'also remove the private key of the wallet: back it up before')
  logoutCommand.action(() => logout(logoutCommand.opts<ProfileOptions>(), environment))
  const profilesCommand = addOutputOptions(program.command('profiles'))
    .summary('list the stored profiles')
    .description('Lists the profiles that `mintmark login` has stored, without their secrets.')
  profilesCommand.action(() => listProfiles(profilesCommand.opts<ProfileOptions>(), environment))
}
