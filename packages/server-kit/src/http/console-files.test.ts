import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addConsoleFiles } from './console-files.ts'

const SCRIPT = `${'// A script of the console.\n'.repeat(100)}`
const folder = mkdtempSync(join(tmpdir(), 'mintmark-console-'))
const app = new Hono()
beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<title>Mintmark</title>')
  writeFileSync(join(folder, 'assets/main-1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/main-1.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(folder, 'assets/page-1.js'), SCRIPT)
  addConsoleFiles(app, folder)
})
afterAll(() => rmSync(folder, { recursive: true }))

async function read(path: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
  const response = await app.request(`/console/${path}`, { headers })
  const body = Buffer.from(await response.arrayBuffer())
  return { response, body, encoding: response.headers.get('content-encoding') }
}

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['BR', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['gzip ; q=0.5', 'gzip'],
  ['br;q=0.000,gzip;q=0', null],
  ['brotli, x-gzip', null],
  [undefined, null],
])(
  'a file of the console is sent to a browser that accepts %j with the encoding %j',
  async (accepted, encoding) => {
    const sent = await read('assets/main-1.js', accepted)
    expect(sent.encoding).toBe(encoding)
    expect(sent.response.headers.get('vary')).toBe('Accept-Encoding')
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[sent.encoding ?? '']
    expect((decode?.(sent.body) ?? sent.body).toString()).toBe(SCRIPT)
  },
)

it('a file of the console that the build has not compressed is sent with gzip', async () => {
  const { encoding, body } = await read('assets/page-1.js', 'gzip, br')
  expect(encoding).toBe('gzip')
  expect(gunzipSync(body).toString()).toBe(SCRIPT)
})

it('a file of the console is kept by browsers if its name changes with its contents, and is otherwise requested again', async () => {
  const readCaching = async (path: string) => (await read(path)).response.headers.get('cache-control')
  expect(await readCaching('assets/main-1.js')).toBe('public, max-age=31536000, immutable')
  expect(await readCaching('p/1/orders')).toBe('no-cache')
})

it('a file of the console that does not exist is not found, and other addresses return the page', async () => {
  expect((await read('assets/main-0.js')).response.status).toBe(404)
  const { response, body } = await read('p/1/unknown')
  expect(response.status).toBe(200)
  expect(body.toString()).toBe('<title>Mintmark</title>')
})
