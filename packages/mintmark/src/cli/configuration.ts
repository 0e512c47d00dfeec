import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { decodeText } from './decode-text.ts'
import type { CommandEnvironment } from './environment.ts'
import { SetupError } from './errors.ts'
import { ACCOUNT } from './keychain/keychain.ts'
import type { StoredProfile } from './profile.ts'

/** The file with the profiles, and its content. */
export interface Configuration {
  readonly file: string
  readonly profiles: Readonly<Record<string, StoredProfile>>
}

const keychain = v.pipe(v.string(), v.regex(ACCOUNT))

const Stored = v.looseObject({
  profiles: v.record(
    v.string(),
    v.object({
      gateway: v.optional(
        v.union([
          v.object({ baseUrl: v.string(), apiKey: v.string(), keychain }),
          v.strictObject({ baseUrl: v.string(), apiKey: v.string(), secret: v.string() }),
        ]),
      ),
      facilitator: v.optional(
        v.union([
          v.object({ baseUrl: v.string(), keychain }),
          v.strictObject({ baseUrl: v.string(), token: v.optional(v.string()) }),
        ]),
      ),
      wallet: v.optional(v.strictObject({ address: v.string(), privateKey: v.string() })),
    }),
  ),
})

function getConfigurationFile({ variables, homeFolder }: CommandEnvironment): string {
  const folder = variables.XDG_CONFIG_HOME || join(homeFolder, '.config')
  return join(folder, 'mintmark', 'config.json')
}

/** Throws if other users of the machine can read the file. Windows has no such permissions. */
async function checkPermissions(file: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(file)
  if ((mode & 0o077) === 0) return
  const permissions = (mode & 0o777).toString(8).padStart(4, '0')
  throw new SetupError(
    `${file} has the permissions ${permissions}, so that other users can read or change your secrets. Run: chmod 600 ${file}`,
  )
}

/** Reads the profiles. Without a file there are none. */
export async function readConfiguration(environment: CommandEnvironment): Promise<Configuration> {
  const file = getConfigurationFile(environment)
  let content: Buffer
  try {
    content = await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { file, profiles: {} }
    throw error
  }
  await checkPermissions(file)
  let value: unknown
  try {
    value = JSON.parse(decodeText(content, file))
  } catch {
    throw new SetupError(`${file} is not JSON. Correct it, or remove it and run \`mintmark login\``)
  }
  const { success, output } = v.safeParse(Stored, value)
  if (!success)
    throw new SetupError(`${file} has no valid profiles. Correct it, or remove it and run \`mintmark login\``)
  return { file, profiles: output.profiles }
}

type Profiles = Configuration['profiles']

/**
 * Replaces the profiles by what `change` makes of them. Only the owner can read the file. Returns its path.
 *
 * @param change Is called while no other command can change the profiles.
 */
export async function changeProfiles(
  environment: CommandEnvironment,
  change: (profiles: Profiles) => Profiles,
): Promise<string> {
  const file = getConfigurationFile(environment)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.new`
  const handle = await openNext(next)
  try {
    try {
      const { profiles } = await readConfiguration(environment)
      const changed = change(profiles)
      await handle.writeFile(`${JSON.stringify({ profiles: changed }, null, 2)}\n`)
      await handle.sync()
    } finally {
      // Windows renames no open file.
      await handle.close()
    }
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw error
  }
  return file
}

/** Writing the file takes milliseconds: after this time, the login that began it has crashed. */
const ABANDONED_MS = 10_000
const RETRY_MS = 20

/** Creates the next version of the file. Waits while another login writes it. */
async function openNext(path: string): Promise<FileHandle> {
  for (;;) {
    try {
      return await open(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now())
    if (age > ABANDONED_MS) await rm(path, { force: true })
    else await setTimeout(RETRY_MS)
  }
}
