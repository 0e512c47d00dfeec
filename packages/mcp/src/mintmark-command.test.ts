import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { connectOver } from './testing/connect.ts'

const program = join(import.meta.dirname, '..', '..', 'mintmark', 'dist', 'cli', 'main.js')

it('the built command `mintmark mcp` serves a client of the official SDK with the credentials of a profile', async () => {
  await using stops = new AsyncDisposableStack()
  const keys: (string | undefined)[] = []
  const envelope = { code: 200, data: { id: 7 }, msg: '', success: true }
  const url = await serveLocally(({ headers }, response) => {
    keys.push(headers['x-api-key']?.toString())
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(envelope))
  }, stops)
  const homeFolder = await mkdtemp(join(tmpdir(), 'mintmark-mcp-'))
  stops.defer(() => rm(homeFolder, { recursive: true }))
  const folder = join(homeFolder, 'mintmark')
  await mkdir(folder)
  const gateway = { baseUrl: url, apiKey: 'mk_agent', secret: 'sk_agent' }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ profiles: { agent: { gateway } } }), {
    mode: 0o600,
  })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--profile', 'agent', '--state', join(folder, 'state.sqlite')],
    env: { HOME: homeFolder, XDG_CONFIG_HOME: homeFolder },
    cwd: folder,
    stderr: 'inherit',
  })
  const session = await connectOver(transport)
  const read = await session.call('call_read', { operation: 'promoCodeCards.get', input: { id: 7 } })
  expect(read).toMatchObject({ isError: false, data: { id: 7 } })
  expect(keys).toEqual(['mk_agent'])
  await session.close()
})
