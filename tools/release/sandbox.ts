import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promoCodeCards } from '@mintmark/cards'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { readCredentials } from '@mintmark/sandbox'
import { createGateway } from '@mintmark/transport'

/** What a run of the sandbox's command printed. */
export interface SandboxRun<Result> {
  readonly output: string
  readonly status: number | null
  /** What it printed as errors. */
  readonly errors: string
  /** What the work returned. */
  readonly result: Result
}

/** A command that starts the sandbox, with variables of the environment. */
export interface SandboxCommand {
  readonly file: string
  readonly parameters: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
}

/** The command of a sandbox that is installed in a project. */
export function getInstalledCommand(project: string): SandboxCommand {
  return { file: process.execPath, parameters: [join(project, 'node_modules/.bin/mintmark-sandbox')] }
}

/**
 * Runs the sandbox in a folder until it is ready, does some work with the folder of its data, and ends it by
 * SIGINT.
 */
export async function runSandbox<Result>(
  folder: string,
  { file, parameters, variables }: SandboxCommand,
  work: (dataDir: string) => Promise<Result>,
): Promise<SandboxRun<Result>> {
  const dataDir = join(folder, '.mintmark')
  const { DATABASE_URL: _url, SECRET_KEYS: _keys, ...inherited } = process.env
  const child = spawn(file, parameters, {
    cwd: folder,
    env: { ...inherited, ...(await findFreePorts()), ...variables, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of processes of its own, which gets signals as by Ctrl-C: npx does not pass them on.
    detached: true,
  })
  const errors = text(child.stderr)
  const closed = once(child, 'close')
  let output = ''
  try {
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      output += chunk
      if (output.includes('Ready after')) break
    }
    if (!output.includes('Ready after'))
      throw new Error(`The sandbox did not start:\n${output}${await errors}`)
    child.stdout.resume()
    const result = await work(dataDir)
    killGroup(child, 'SIGINT')
    const [status]: (number | null)[] = await closed
    return { output, status: status ?? null, errors: await errors, result }
  } finally {
    killGroup(child, 'SIGKILL')
  }
}

/** Sends a signal to the processes of a command, unless all of them have ended. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Creates a card and reads it again. Returns its name. */
export async function createCard(dataDir: string): Promise<string> {
  const credentials = await readCredentials(dataDir)
  if (credentials === undefined) throw new Error(`${dataDir} has no credentials`)
  const { baseUrl, apiKey, secret } = credentials.gateway
  const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
  const { id } = await promoCodeCards.create(gateway, {
    name: 'Opening night',
    nftAddress: credentials.demo?.nftAddress ?? '',
    startTime: '2026-01-01T00:00:00Z',
    endTime: '2099-12-31T23:59:59Z',
    totalIssued: 1,
  })
  return (await promoCodeCards.get(gateway, { id })).name
}

/** Returns ports that were free a moment ago. */
async function findFreePorts() {
  await using stops = new AsyncDisposableStack()
  const urls = await Promise.all([1, 2, 3].map(() => serveLocally(() => {}, stops)))
  const [GATEWAY_PORT, FACILITATOR_PORT, CHAIN_PORT] = urls.map((url) => new URL(url).port)
  return { GATEWAY_PORT, FACILITATOR_PORT, CHAIN_PORT }
}
