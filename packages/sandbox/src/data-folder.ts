import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findDevChainStarter } from '@mintmark/devkit'
import { explainFolderProblem } from './postgres/index.ts'
import { SandboxStartError } from './start-error.ts'
import { lockStart } from './start-lock.ts'
import type { Stops } from './stops.ts'

async function refuseSecondSandbox(dataDir: string): Promise<void> {
  const starter = await findDevChainStarter(dataDir)
  if (starter === undefined) return
  throw new SandboxStartError(
    `A sandbox already runs in ${dataDir} (process ${starter}). Use it with ${join(dataDir, 'credentials.json')}, or stop it first`,
  )
}

/** The folder of a sandbox that is being started. */
export interface OpenDataDir {
  readonly dataDir: string
  /** Ends the lock of the start. Call it when the chain runs, which occupies the folder from then on. */
  unlock(): Promise<void>
}

/**
 * Opens the folder that keeps the data, or a temporary one that `stops` removes.
 *
 * @throws SandboxStartError while another sandbox runs in it or is being started in it.
 */
export async function openDataDir(dataDir: string | undefined, stops: Stops): Promise<OpenDataDir> {
  if (dataDir !== undefined) {
    const created = await mkdir(dataDir, { recursive: true })
    // It contains secrets.
    if (created !== undefined) await writeFile(join(dataDir, '.gitignore'), '*\n')
    const unlock = await lockStart(dataDir)
    stops.defer(unlock)
    await refuseSecondSandbox(dataDir)
    return { dataDir, unlock }
  }
  const temporary = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
  stops.defer(() => rm(temporary, { recursive: true, force: true }))
  return { dataDir: temporary, unlock: async () => {} }
}

/**
 * Opens the log of the servers and the chain.
 *
 * @throws SandboxStartError if the log cannot be opened.
 */
export async function openLog(dataDir: string, stops: Stops): Promise<(line: string) => void> {
  const path = join(dataDir, 'servers.log')
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 })
  try {
    await once(file, 'open')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const advice = (await explainFolderProblem(dataDir, error)) ?? `Check its permissions, or remove it`
    throw new SandboxStartError(`The log ${path} cannot be written: ${reason}. ${advice}`, { cause: error })
  }
  // Without a listener the error of a full disk would end the process.
  file.on('error', () => {})
  stops.defer(() => new Promise<void>((resolve) => file.end(resolve)))
  return (line) => void file.write(line.endsWith('\n') ? line : `${line}\n`)
}
