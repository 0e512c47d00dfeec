import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveLocally } from '@mintmark/devkit'
import { expect, it, onTestFinished } from 'vitest'
import { startImportServer } from './testing/import-server.ts'
import { createFolder, VARIABLES } from './testing/run-command.ts'

const main = join(import.meta.dirname, 'main.ts')
const HEADER = 'name,nftAddress,startTime,endTime,totalIssued'
const toRow = (name: string) => `${name},0xa,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,1`

/** Starts the command line in a process of its own. */
function start(words: readonly string[], folder: string, url: string, output: 'pipe' | number = 'pipe') {
  return spawn(process.execPath, ['--conditions=@mintmark/source', main, ...words], {
    cwd: folder,
    env: { ...VARIABLES, PATH: process.env.PATH, HOME: folder, MINTMARK_GATEWAY_URL: url },
    stdio: ['ignore', output, 'pipe'],
  })
}

/** Waits for the end of a process, and returns its exit code and its errors. */
async function waitForEnd(child: ChildProcess) {
  let errors = ''
  child.stderr?.on('data', (part) => {
    errors += part
  })
  const [exitCode] = await once(child, 'close')
  return { exitCode, errors }
}

it('an output whose reader ends, such as `head`, stops an import, which reports it and is continued by the next run', async () => {
  await using server = await startImportServer()
  const folder = createFolder()
  const names = Array.from({ length: 40 }, (_, index) => `card ${index}`)
  await writeFile(join(folder, 'cards.csv'), [HEADER, ...names.map(toRow)].join('\n'))
  const words = ['promo-codes', 'create-batch', 'cards.csv', '--batch-size', '1', '--concurrency', '1']
  const child = start(words, folder, server.url)
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { exitCode, errors } = await waitForEnd(child)
  expect(server.created.length).toBeLessThan(names.length)
  expect(exitCode).toBe(1)
  expect(errors).toContain('The import stopped. Repeat the command to continue it.\n')
  expect(errors).toContain('Error: The output was closed before all results were written\n')
  const repeated = start(words, folder, server.url, 'pipe')
  repeated.stdout?.resume()
  expect(await once(repeated, 'close')).toEqual([0, null])
  expect(server.created).toEqual(names)
})

it('an output whose reader ends, such as `head`, ends a list of all pages without an error', async () => {
  await using stops = new AsyncDisposableStack()
  let pages = 0
  const url = await serveLocally((_, response) => {
    pages += 1
    const list = Array.from({ length: 100 }, (_, id) => ({ id: pages * 100 + id, name: 'x'.repeat(1000) }))
    const page = { list, pageNumber: pages, pageSize: 100, totalPage: 1000, totalRow: 100_000 }
    const data = { ...page, firstPage: pages === 1, lastPage: false, orderBy: '', paras: {} }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 200, data, msg: '', success: true }))
  }, stops)
  const child = start(['promo-codes', 'list', '--all', '--fields', 'id,name'], createFolder(), url)
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { exitCode, errors } = await waitForEnd(child)
  expect([exitCode, errors]).toEqual([0, expect.not.stringContaining('Error')])
  expect(pages).toBeLessThan(1000)
})

it.skipIf(!existsSync('/dev/full'))('says why an output cannot be written, such as a full disk', async () => {
  const output = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(output))
  const child = start(['trigger', 'list'], createFolder(), 'http://127.0.0.1:1', output)
  const { exitCode, errors } = await waitForEnd(child)
  expect(exitCode).toBe(1)
  expect(errors).toContain('Error: The output cannot be written: ENOSPC')
})
