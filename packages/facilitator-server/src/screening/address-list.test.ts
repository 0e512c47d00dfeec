import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAddressList } from './address-list.ts'

const LISTED = `0x${'aB'.repeat(20)}`
const OTHER = `0x${'c1'.repeat(20)}`
const SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'screening-'))
  path = join(folder, 'list')
})
afterAll(() => rm(folder, { recursive: true }))

it('finds EVM addresses in any case, Solana addresses as they are written, and the reasons after a space', async () => {
  await writeFile(path, `\uFEFF# sanctions\r\n${LISTED}  order 17 of 2026\r\n\r\n\t${SOLANA}\r\n`)
  const list = await openAddressList(path)
  for (const address of [LISTED, LISTED.toLowerCase(), LISTED.toUpperCase()])
    expect(list.find(address)).toBe('order 17 of 2026')
  expect(list.find(SOLANA)).toBe('')
  expect(list.find(SOLANA.toLowerCase())).toBeUndefined()
  expect(list.find(OTHER)).toBeUndefined()
})

it.each([
  ['a line without an address', `${LISTED}\nnobody\n`, 'line 2'],
  ['an address that was cut off', `${LISTED}\n${OTHER.slice(0, 30)}`, 'line 2'],
  ['addresses separated by commas', `${LISTED},${OTHER}`, 'line 1'],
  ['no line', ' \n', 'the file is empty'],
])('keeps the last list while the file has %s, and says so', async (_, text, problem) => {
  await writeFile(path, LISTED)
  const list = await openAddressList(path)
  await writeFile(path, text)
  await expect(list.reload()).rejects.toThrow(problem)
  await expect(list.reload()).rejects.toThrow(problem)
  expect(list.problem).toContain(problem)
  expect(list.find(LISTED)).toBe('')
  expect(list.find(OTHER)).toBeUndefined()
  await writeFile(path, OTHER)
  await list.reload()
  expect(list.problem).toBe('')
  expect(list.find(LISTED)).toBeUndefined()
  expect(list.find(OTHER)).toBe('')
})

it('keeps the last list while the file is missing, and uses one that replaces it', async () => {
  await writeFile(path, LISTED)
  const list = await openAddressList(path)
  await rename(path, `${path}.old`)
  await expect(list.reload()).rejects.toThrow('SCREENING_FILE: the file cannot be read (ENOENT)')
  expect(list.find(LISTED)).toBe('')
  await rename(`${path}.old`, path)
  await list.reload()
  expect(list.problem).toBe('')
  await writeFile(`${path}.new`, '# nobody')
  await rename(`${path}.new`, path)
  await list.reload()
  expect(list.find(LISTED)).toBeUndefined()
})

it('does not open a file that does not exist', async () => {
  await expect(openAddressList(join(folder, 'missing'))).rejects.toThrow(
    'SCREENING_FILE: the file cannot be read (ENOENT)',
  )
})
