import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promoCodeCards } from '@mintmark/cards'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { readCredentials } from '@mintmark/sandbox'
import { createGateway } from '@mintmark/transport'

/** What a run of the sandbox's command printed. */
export interface SandboxRun {
  readonly output: string
  readonly status: number | null
  /** What it printed as errors. */
  readonly errors: string
  /** The name of a card that was created and read again. */
  readonly cardName: string
}

/** Runs the command of an installed sandbox until it is ready, creates a card, and ends it by SIGINT. */
export async function runSandboxCommand(project: string): Promise<SandboxRun> {
  const dataDir = join(project, '.mintmark')
  const { DATABASE_URL: _url, SECRET_KEYS: _keys, ...inherited } = process.env
  const child = spawn(process.execPath, [join(project, 'node_modules/.bin/mintmark-sandbox')], {
    cwd: project,
    env: { ...inherited, ...(await findFreePorts()), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
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
    const cardName = await createCard(dataDir)
    child.kill('SIGINT')
    const [status]: (number | null)[] = await closed
    return { output, status: status ?? null, errors: await errors, cardName }
  } finally {
    child.kill('SIGKILL')
  }
}

async function createCard(dataDir: string): Promise<string> {
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
