import type { Command } from 'commander'
import { changeProfiles, readConfiguration } from './configuration.ts'
import { DEFAULT_PROFILE, resolveProfile } from './credentials.ts'
import { type CommandEnvironment, write } from './environment.ts'
import { SetupError } from './errors.ts'
import { removeReplacedSecrets } from './keychain/profile-secrets.ts'
import { addOutputOptions } from './operation-command.ts'
import { toJsonLine, toSafeLine } from './output/safe-text.ts'
import { chooseFormat, type OutputFormat } from './output/writer.ts'
import type { StoredProfile } from './profile.ts'

interface ProfileOptions {
  readonly profile?: string
  readonly json?: boolean
  readonly output?: OutputFormat
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
  let removed: StoredProfile | undefined
  const file = await changeProfiles(environment, (profiles) => {
    const { [name]: earlier, ...others } = profiles
    removed = earlier
    return others
  })
  if (removed === undefined) throw new SetupError(`${file} has no profile ${name}. Nothing was removed`)
  await removeReplacedSecrets(removed, {}, environment)
  await write(environment.errors, `Removed the profile ${toSafeLine(name)} from ${file}\n`)
}

async function listProfiles(options: ProfileOptions, environment: CommandEnvironment): Promise<void> {
  const { profiles, file } = await readConfiguration(environment)
  const rows = Object.entries(profiles).map(([profile, { gateway, facilitator }]) => ({
    profile,
    gateway: gateway?.baseUrl ?? '',
    apiKey: gateway?.apiKey ?? '',
    facilitator: facilitator?.baseUrl ?? '',
    secrets: [gateway, facilitator].some((each) => each && 'keychain' in each) ? 'keychain' : 'file',
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
      'Removes a profile, and its secrets from the keychain. The key stays valid: revoke it if it is lost.',
    )
    .option(...profileOption)
  logoutCommand.action(() => logout(logoutCommand.opts<ProfileOptions>(), environment))
  const profilesCommand = addOutputOptions(program.command('profiles'))
    .summary('list the stored profiles')
    .description('Lists the profiles that `mintmark login` has stored, without their secrets.')
  profilesCommand.action(() => listProfiles(profilesCommand.opts<ProfileOptions>(), environment))
}
