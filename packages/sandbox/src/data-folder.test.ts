import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLog } from './data-folder.ts'
import { SandboxStartError } from './start-error.ts'
import { Stops } from './stops.ts'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('says which log cannot be opened, before anything is started', async () => {
  const folder = await createFolder()
  await mkdir(join(folder, 'servers.log'))
  const error: unknown = await openLog(folder, new Stops()).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(SandboxStartError)
  expect(String(error)).toContain(`The log ${join(folder, 'servers.log')} cannot be written: EISDIR`)
})

it.skipIf(!existsSync('/dev/full'))('continues without its log when the disk is full', async () => {
  const folder = await createFolder()
  await symlink('/dev/full', join(folder, 'servers.log'))
  const stops = new Stops()
  const log = await openLog(folder, stops)
  log('a line')
  await stops.stop()
  log('another line')
})
