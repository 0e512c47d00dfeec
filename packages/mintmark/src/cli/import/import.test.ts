import { spawnSync } from 'node:child_process'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ImportServerSettings, startImportServer } from '../testing/import-server.ts'
import { createFolder, createRecorder, runCommand } from '../testing/run-command.ts'
import { createKey } from './import-state.ts'

const FAULTS = [undefined, 503, 'hang up', 'in progress'] as const
const HEADER = 'name,nft address,start_time,endTime,totalIssued,applicableStores'
const toRow = (name: string, total = '1', stores = '') =>
  `${name},0xa,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,${total},${stores}`

/** Starts a server and creates a file, and returns functions that import it. */
async function prepare(rows: readonly string[], settings?: ImportServerSettings) {
  const server = await startImportServer(settings)
  const folder = createFolder()
  const file = join(folder, 'cards.csv')
  await writeFile(file, [HEADER, ...rows].join('\n'))
  const variables = {
    MINTMARK_GATEWAY_URL: server.url,
    MINTMARK_API_KEY: 'mk_test',
    MINTMARK_SECRET: 'sk',
  }
  return {
    server,
    folder,
    file,
    variables,
    run: (...words: string[]) =>
      runCommand(['promo-codes', 'create-batch', 'cards.csv', ...words], {
        variables,
        currentFolder: folder,
      }),
    /** Imports on a terminal that displays progress. Returns what the terminal received. */
    async runOnTerminal(...words: string[]) {
      const terminal = createRecorder(true)
      const settings = { variables, currentFolder: folder, errors: terminal.stream }
      await runCommand(['promo-codes', 'create-batch', 'cards.csv', ...words], settings)
      return terminal.read()
    },
    readRejected: () => readFile(join(folder, 'cards.rejected.csv'), 'utf8'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const parseLines = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

it('the import of a CSV file sends the rows in batches, and prints a result for each line', async () => {
  await using prepared = await prepare([
    toRow('A', '1', 'Berlin;Paris'),
    toRow('B', '2', '"[""H, burg""]"'),
    toRow('C'),
  ])
  const { exitCode, output, errors } = await prepared.run('--batch-size', '2')
  expect(exitCode).toBe(0)
  expect(errors).toContain('cards.csv: all 3 rows are imported.\n')
  expect(prepared.server.countRequests()).toBe(2)
  const results = parseLines(output).sort((a, b) => a.line - b.line)
  expect(results).toMatchObject([
    {
      line: 2,
      status: 'created',
      data: { name: 'A', totalIssued: 1, applicableStores: ['Berlin', 'Paris'] },
    },
    { line: 3, status: 'created', data: { name: 'B', totalIssued: 2, applicableStores: ['H, burg'] } },
    { line: 4, status: 'created', data: { name: 'C' } },
  ])
  expect(results[2].data).not.toHaveProperty('applicableStores')
})

it('the import of a CSV file reports bad rows with their lines and reasons, and imports the others', async () => {
  const findIssues: ImportServerSettings['findIssues'] = (cards) =>
    cards.flatMap(({ name }, index) =>
      name === 'refused' ? [{ path: `cards.${index}.name`, message: 'Expected another name' }] : [],
    )
  const rows = [
    toRow('A'),
    toRow('B', 'many'),
    '"two\nlines",0xa',
    toRow('refused'),
    '',
    toRow(''),
    toRow('C'),
  ]
  await using prepared = await prepare(rows, { findIssues })
  const { exitCode, errors } = await prepared.run()
  expect(exitCode).toBe(16)
  expect(prepared.server.created).toEqual(['A', 'C'])
  expect(errors).toContain('2 of 6 rows are imported, 4 were rejected')
  expect(errors).toContain('line 3: totalIssued: Expected a number, received "many"\n')
  expect(errors).toContain('line 4: Expected 6 cells, found 2\n')
  expect(errors).toContain('line 6: name: Expected another name\n')
  expect(errors).toContain('line 8: name: Required\n')
  expect(await prepared.readRejected()).toContain(`line 6: name: Expected another name,${toRow('refused')}\n`)
})

it('the import of a CSV file reports everything that is wrong with a row before it is sent', async () => {
  await using prepared = await prepare([`,0xa,2026-01-01T00:00:00,2027-01-01T00:00:00Z,many,`])
  const { errors } = await prepared.run()
  expect(errors).toContain('cards.csv: 0 of 1 rows are imported, 1 was rejected:\n')
  expect(errors).toContain(
    'line 2: startTime: 2026-01-01T00:00:00 has no time zone. Append Z for UTC, or an offset such as +02:00; totalIssued: Expected a number, received "many"; name: Required\n',
  )
  expect(prepared.server.countRequests()).toBe(0)
})

it('the import of a CSV file numbers the files of rejected rows', async () => {
  await using prepared = await prepare([toRow('A', 'many')])
  const words = { variables: prepared.variables, currentFolder: prepared.folder }
  const names: string[] = []
  for (const name of ['cards.csv', 'cards.rejected.csv', 'cards.rejected-2.csv']) {
    const { errors } = await runCommand(['promo-codes', 'create-batch', name], words)
    names.push(/Correct them in (\S+) and/.exec(errors)?.[1] ?? errors)
  }
  expect(names).toEqual(['cards.rejected.csv', 'cards.rejected-2.csv', 'cards.rejected-3.csv'])
})

it('the import of a CSV file reads a file that is separated by semicolons, as spreadsheets write it in many countries', async () => {
  await using prepared = await prepare([])
  const rows = [
    HEADER.replaceAll(',', ';'),
    'A;0xa;2026-01-01T00:00:00Z;2027-01-01T00:00:00Z;1;"Berlin;Paris"',
  ]
  await writeFile(prepared.file, rows.join('\n'))
  const { output, errors } = await prepared.run()
  expect(errors).toContain('cards.csv: the row is imported.\n')
  expect(parseLines(output)).toMatchObject([{ data: { name: 'A', applicableStores: ['Berlin', 'Paris'] } }])
})

it('the import of a CSV file refuses a file that is not UTF-8, as Excel saves CSV, because its letters would be replaced', async () => {
  await using prepared = await prepare([])
  await writeFile(prepared.file, Buffer.from([HEADER, toRow('Café')].join('\n'), 'latin1'))
  const { exitCode, errors } = await prepared.run()
  expect([exitCode, prepared.server.created]).toEqual([2, []])
  expect(errors).toContain('cards.csv is not UTF-8. Save it as UTF-8')
})

it.each([
  ['\n', '\r\n'],
  ['\r\n', '\n'],
  ['\r\n', '\r\n'],
  ['\r', '\r'],
])(
  'the import of a CSV file reads lines that end in other characters than the header, and their numbers: %j, %j',
  async (first, others) => {
    await using prepared = await prepare([])
    const header = 'nft address,start_time,endTime,totalIssued,name'
    const rows = ['A', '"B"', `"two${others}lines"`, 'C'].map(
      (name) => `0xa,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,1,${name}${others}`,
    )
    await writeFile(prepared.file, [header, first, ...rows].join(''))
    const { output } = await prepared.run()
    const results = parseLines(output).map(({ line, data }) => [line, data.name])
    expect(results).toEqual([
      [2, 'A'],
      [3, 'B'],
      [4, 'two\nlines'],
      [6, 'C'],
    ])
  },
)

it('the import of a CSV file names the column that an unknown column resembles, and a file that does not exist', async () => {
  await using prepared = await prepare([])
  await writeFile(prepared.file, HEADER.replace('nft address', 'nft adress'))
  const unknown = await prepared.run()
  expect(unknown.exitCode).toBe(2)
  expect(unknown.errors).toContain('The file has an unknown column "nft adress". Did you mean nftAddress?\n')
  const words = ['promo-codes', 'create-batch', 'missing.csv']
  const missing = await runCommand(words, { variables: prepared.variables, currentFolder: prepared.folder })
  expect(missing.exitCode).toBe(2)
  expect(missing.errors).toContain('Error: There is no file missing.csv. Check its name and the folder\n')
})

it('the import of a CSV file finds the bad rows of a batch whose rejection names none', async () => {
  const findIssues: ImportServerSettings['findIssues'] = (cards) =>
    cards.some(({ name }) => name.startsWith('bad')) ? [{ path: '', message: 'One card is bad' }] : []
  const names = Array.from({ length: 20 }, (_, index) =>
    index === 3 || index === 11 ? `bad ${index}` : `card ${index}`,
  )
  await using prepared = await prepare(
    names.map((name) => toRow(name)),
    { findIssues },
  )
  const { exitCode, errors } = await prepared.run()
  expect(exitCode).toBe(16)
  expect([...prepared.server.created].sort()).toEqual(names.filter((name) => !name.startsWith('bad')).sort())
  expect(errors).toContain('line 5: One card is bad\n')
  expect(errors).toContain('line 13: One card is bad\n')
})

it('the import of a CSV file does not repeat a rejected batch of which a part was created', async () => {
  let isRejecting = true
  const findIssues: ImportServerSettings['findIssues'] = (cards) =>
    isRejecting && cards.length > 1 ? [{ path: '', message: 'One card is bad' }] : []
  // The key is refused before the second half of the batch is sent.
  const interfere = (count: number) => (isRejecting && count > 2 ? 401 : undefined)
  await using prepared = await prepare([toRow('A'), toRow('B')], { findIssues, interfere })
  expect((await prepared.run()).exitCode).toBe(4)
  expect(prepared.server.created).toEqual(['A'])
  isRejecting = false
  expect((await prepared.run()).exitCode).toBe(0)
  expect(prepared.server.created).toEqual(['A', 'B'])
})

it('the import of a CSV file creates each row once when responses are lost and the server fails', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `card ${index}`)
  const interfere = (count: number) => FAULTS[count % FAULTS.length]
  await using prepared = await prepare(
    names.map((name) => toRow(name)),
    { interfere },
  )
  const { exitCode } = await prepared.run('--batch-size', '5')
  expect(exitCode).toBe(0)
  expect([...prepared.server.created].sort()).toEqual([...names].sort())
})

it('the import of a CSV file creates each row once when a proxy responds to repeated calls while the server restarts', async () => {
  // The response to the first call is lost. The proxy has no server for a while.
  const interfere = (count: number) => (count === 1 ? 'hang up' : count < 4 ? 404 : undefined)
  await using prepared = await prepare([toRow('A'), toRow('B')], { interfere })
  expect((await prepared.run()).exitCode).toBe(0)
  expect(prepared.server.created).toEqual(['A', 'B'])
})

it('the import of a CSV file sends smaller batches when a proxy limits the size of a request', async () => {
  const interfere = (count: number) => (count === 1 ? 413 : undefined)
  await using prepared = await prepare([toRow('A'), toRow('B')], { interfere })
  expect((await prepared.run()).exitCode).toBe(0)
  expect(prepared.server.created).toEqual(['A', 'B'])
})

it('the import of a CSV file displays on a terminal how much is done, and what time remains', async () => {
  await using prepared = await prepare(['A', 'B', 'C', 'D'].map((name) => toRow(name)))
  const received = await prepared.runOnTerminal('--batch-size', '1', '--concurrency', '1')
  expect(received).toContain('0 of 4 rows')
  expect(received).toMatch(/1 of 4 rows, about \d+\w+ left/)
  expect(received).toMatch(/4 of 4 rows\r/)
})

it('the import of a CSV file leaves Ctrl-C to the command while it displays progress', async () => {
  const listeners: number[] = []
  const interfere = () => {
    listeners.push(process.stdin.listenerCount('keypress'))
    return undefined
  }
  await using prepared = await prepare([toRow('A')], { interfere })
  await prepared.runOnTerminal()
  expect(listeners).toEqual([0])
})

it('the import of a CSV file sends nothing again when it is complete', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B', 'many')])
  expect((await prepared.run()).exitCode).toBe(16)
  const count = prepared.server.countRequests()
  const { exitCode, errors } = await prepared.run()
  expect(exitCode).toBe(16)
  expect(errors).toContain('1 of 2 rows are imported')
  expect(prepared.server.countRequests()).toBe(count)
})

it('the import of a CSV file imports the corrected file of rejected rows', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B', 'many')])
  await prepared.run()
  const corrected = (await prepared.readRejected()).replace(',many,', ',7,')
  await writeFile(join(prepared.folder, 'cards.rejected.csv'), corrected)
  const words = ['promo-codes', 'create-batch', 'cards.rejected.csv']
  const settings = { variables: prepared.variables, currentFolder: prepared.folder }
  expect((await runCommand(words, settings)).exitCode).toBe(0)
  expect(prepared.server.created).toEqual(['A', 'B'])
})

it('the import of a CSV file keeps every cell of a rejected row, so that a row with a cell too many is not imported without it', async () => {
  const rows = [toRow('A', '1', 'Berlin,Paris'), 'B,0xa,2026-01-01T00:00:00Z,2027-01-01T00:00:00Z,1']
  await using prepared = await prepare(rows)
  await prepared.run()
  const rejected = await prepared.readRejected()
  expect(rejected).toContain(`"line 2: Expected 6 cells, found 7",${rows[0]}\n`)
  expect(rejected).toContain(`"line 3: Expected 6 cells, found 5",${rows[1]}\n`)
  const words = ['promo-codes', 'create-batch', 'cards.rejected.csv']
  const settings = { variables: prepared.variables, currentFolder: prepared.folder }
  expect((await runCommand(words, settings)).exitCode).toBe(16)
  expect(prepared.server.created).toEqual([])
})

it('the import of a CSV file keeps the corrections of rejected rows when the command is repeated', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B', 'many')])
  await prepared.run()
  const corrected = (await prepared.readRejected()).replace(',many,', ',7,')
  await writeFile(join(prepared.folder, 'cards.rejected.csv'), corrected)
  expect((await prepared.run()).exitCode).toBe(16)
  expect(await prepared.readRejected()).toBe(corrected)
})

it('the import of a CSV file continues after the last complete line of a journal', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B')])
  await prepared.run('--batch-size', '1')
  const journal = await readFile(`${prepared.file}.journal`, 'utf8')
  const lines = journal.split('\n').slice(0, -1)
  // The process was killed while it wrote the result of the second row.
  const cut = `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 20)}`
  await writeFile(`${prepared.file}.journal`, cut)
  expect((await prepared.run()).exitCode).toBe(0)
  expect([...prepared.server.created].sort()).toEqual(['A', 'B'])
})

it('the import of a CSV file is refused when this version accepts other rows than the one that began it, which sent other calls', async () => {
  await using prepared = await prepare([toRow('A', 'many'), toRow('B'), toRow('C'), toRow('D')])
  await prepared.run('--batch-size', '2')
  const journal = `${prepared.file}.journal`
  const [header = ''] = (await readFile(journal, 'utf8')).split('\n')
  // The earlier version sent the first row too, so that its calls have other rows.
  const entries = [
    [2, 3],
    [4, 5],
  ].flatMap((lines) => {
    const key = createKey(JSON.parse(header), lines)
    return [
      { type: 'sent', key, lines, at: Date.now() },
      { type: 'created', key, lines, ids: lines },
    ]
  })
  const count = prepared.server.countRequests()
  await writeFile(journal, `${[header, ...entries.map((each) => JSON.stringify(each))].join('\n')}\n`)
  const { exitCode, errors } = await prepared.run()
  expect([exitCode, prepared.server.countRequests()]).toEqual([2, count])
  expect(errors).toContain('accepts other rows than the version that began the import')
})

it.each([
  ['the file has changed', 'has changed since its import began'],
  ['the server is another one', 'into another server or project'],
  ['the operation is another one', 'with promoCodeCards.createBatch'],
  ['the journal is damaged', 'is damaged'],
])('the import of a CSV file is refused when %s', async (difference, message) => {
  await using prepared = await prepare([toRow('A')])
  const { file, folder: currentFolder, variables } = prepared
  const words = ['create-batch', 'cards.csv']
  await prepared.run()
  if (difference === 'the file has changed') await appendFile(file, `\n${toRow('B')}`)
  if (difference === 'the journal is damaged') await writeFile(`${file}.journal`, '{"version"\n{}\n')
  const isOtherServer = difference === 'the server is another one'
  const changed = isOtherServer ? { ...variables, MINTMARK_API_KEY: 'mk_other' } : variables
  const group = difference === 'the operation is another one' ? 'event-cards' : 'promo-codes'
  const settings = { variables: changed, currentFolder }
  const { exitCode, errors } = await runCommand([group, ...words], settings)
  expect(errors).toContain(message)
  expect(exitCode).toBe(2)
  expect(prepared.server.created).toEqual(['A'])
})

it('the import of a CSV file is refused when the flags are others', async () => {
  await using prepared = await prepare([toRow('A')])
  const words = ['promo-codes', 'create', '--csv', 'cards.csv']
  const settings = { variables: prepared.variables, currentFolder: prepared.folder }
  expect((await runCommand(words, settings)).exitCode).toBe(0)
  const { exitCode, errors } = await runCommand([...words, '--applicable-stores', 'Berlin'], settings)
  expect([exitCode, prepared.server.created]).toEqual([2, ['A']])
  expect(errors).toContain('with other flags')
})

it('the import of a CSV file does not repeat calls whose keys the server has deleted, unless the person decides, and rejects no row of them', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B')])
  await prepared.run('--batch-size', '1')
  const lines = (await readFile(`${prepared.file}.journal`, 'utf8')).split('\n').slice(0, -1)
  const dayAgo = Date.now() - 24 * 3_600_000
  const entries = lines
    .map((line) => JSON.parse(line))
    .filter(({ type, lines: sent }) => !(type === 'created' && sent[0] === 3))
  const aged = entries.map((entry) =>
    JSON.stringify(entry.type === 'sent' ? { ...entry, at: dayAgo } : entry),
  )
  const journal = `${aged.join('\n')}\n`
  await writeFile(`${prepared.file}.journal`, journal)
  const count = prepared.server.countRequests()
  const refused = await prepared.run()
  expect(refused.exitCode).toBe(2)
  expect(refused.errors).toContain('The outcome of lines 3 is unknown')
  const skipped = await prepared.run('--unknown', 'skip')
  // Its record may exist, so that importing the row again could create it twice.
  expect([skipped.exitCode, skipped.errors]).toEqual([
    0,
    'cards.csv: 1 of 2 rows are imported, 1 was skipped:\n  line 3: The outcome is unknown; skipped by --unknown skip\n',
  ])
  await expect(prepared.readRejected()).rejects.toThrow('ENOENT')
  expect(prepared.server.countRequests()).toBe(count)
  await writeFile(`${prepared.file}.journal`, journal)
  expect((await prepared.run('--unknown', 'resend')).exitCode).toBe(0)
  expect(prepared.server.countRequests()).toBe(count + 1)
})

it('the import of a CSV file does not repeat a call that a clock ahead of time has recorded, unless the person decides', async () => {
  await using prepared = await prepare([toRow('A')], { interfere: () => 401 })
  await prepared.run()
  const count = prepared.server.countRequests()
  const journal = await readFile(`${prepared.file}.journal`, 'utf8')
  // The clock was two days ahead, and was corrected a day later.
  const ahead = Date.now() + 24 * 3_600_000
  await writeFile(`${prepared.file}.journal`, journal.replace(/"at":\d+/, `"at":${ahead}`))
  const { exitCode, errors } = await prepared.run()
  expect([exitCode, prepared.server.countRequests()]).toEqual([2, count])
  expect(errors).toContain('The outcome of lines 2 is unknown')
})

it('the import of a CSV file is refused while another process imports the file, and replaces the lock of a process that was killed', async () => {
  await using prepared = await prepare([toRow('A')])
  const lock = `${prepared.file}.journal.lock`
  // The process that started this one runs.
  await writeFile(lock, String(process.ppid))
  const { exitCode, errors } = await prepared.run()
  expect(exitCode).toBe(2)
  expect(errors).toContain(`Process ${process.ppid} is importing this file`)
  expect(prepared.server.countRequests()).toBe(0)
  const ended = spawnSync(process.execPath, ['--eval', ''])
  await writeFile(lock, String(ended.pid))
  expect((await prepared.run()).exitCode).toBe(0)
  expect(prepared.server.created).toEqual(['A'])
})

it('the import of a CSV file stops at once when the key is refused', async () => {
  const rows = Array.from({ length: 50 }, (_, index) => toRow(`card ${index}`))
  await using prepared = await prepare(rows, { interfere: () => 401 })
  const { exitCode, errors } = await prepared.run('--batch-size', '1', '--concurrency', '1')
  expect(exitCode).toBe(4)
  expect(errors).toContain('Repeat the command to continue it')
  expect(prepared.server.countRequests()).toBe(1)
})

it('the import of a CSV file sends a call for each row of an operation without a batch, with the fields of flags', async () => {
  await using prepared = await prepare([])
  await writeFile(prepared.file, 'name,total issued\nA,1\nB,2\n')
  const words = ['promo-codes', 'create', '--csv', 'cards.csv', '--nft-address', '0xa']
  const times = ['--start-time', '2026-01-01T00:00:00Z', '--end-time', '2027-01-01T00:00:00Z']
  const settings = { variables: prepared.variables, currentFolder: prepared.folder }
  expect((await runCommand([...words, ...times], settings)).exitCode).toBe(0)
  expect([...prepared.server.created].sort()).toEqual(['A', 'B'])
})

it.each([
  ['--output', 'csv', '--output: An import prints a result for each row as JSON'],
  ['--output', 'raw', '--output: An import prints a result for each row as JSON'],
  ['--fields', 'id', '--fields: An import prints all fields'],
  ['--idempotency-key', 'k1', '--idempotency-key: An import creates the keys of its calls'],
])('the import of a CSV file is refused with %s %s, which it cannot follow', async (flag, value, message) => {
  await using prepared = await prepare([toRow('A')])
  const { exitCode, errors } = await prepared.run(flag, value)
  expect([exitCode, prepared.server.created]).toEqual([2, []])
  expect(errors).toContain(message)
})

it('the import of a CSV file is refused when two files are given, with --csv and without', async () => {
  await using prepared = await prepare([toRow('A')])
  await writeFile(join(prepared.folder, 'other.csv'), [HEADER, toRow('B')].join('\n'))
  const { exitCode, errors } = await prepared.run('--csv', 'other.csv')
  expect([exitCode, prepared.server.created]).toEqual([2, []])
  expect(errors).toContain('--csv is given twice: with its flag and without')
})

it.each([
  [['create', '--csv', 'cards.csv'], '{"totalIsued":1}', '--total-isued: Unknown field'],
  [['create-batch', 'cards.csv'], '{"note":1}', '--note: Unknown field'],
])(
  'the import of a CSV file is refused for a misspelled field that all rows share, and rejects no row: %j',
  async (words, text, message) => {
    await using prepared = await prepare([toRow('A')])
    const settings = { variables: prepared.variables, currentFolder: prepared.folder }
    const input = { ...settings, text }
    const { exitCode, errors } = await runCommand(['promo-codes', ...words, '--input', '-'], input)
    expect([exitCode, prepared.server.created]).toEqual([2, []])
    expect(errors).toContain(message)
    const corrected = await runCommand(['promo-codes', ...words], settings)
    expect([corrected.exitCode, prepared.server.created]).toEqual([0, ['A']])
  },
)

it('the import of a CSV file checks the rows and sends nothing with --dry-run', async () => {
  await using prepared = await prepare([toRow('A'), toRow('B', 'many')])
  const { exitCode, output } = await prepared.run('--dry-run')
  expect(exitCode).toBe(16)
  expect(output).toContain('1 of 2 rows have correct fields. Nothing was sent.\n  line 3: totalIssued')
  expect(output).toContain('It may reject rows.')
  expect(prepared.server.countRequests()).toBe(0)
})

it.each([
  ['name,color\nA,red\n', 'unknown column "color". Known columns: '],
  ['name,Name\nA,B\n', '2 columns for name'],
  ['name\nA\n', 'no column endTime, startTime, totalIssued'],
  ['', 'is empty'],
  ['name\n"A\n', 'Quote Not Closed'],
])(
  'the import of a CSV file is refused for a file whose columns do not match: %j',
  async (content, message) => {
    await using prepared = await prepare([])
    await writeFile(prepared.file, content)
    const { exitCode, errors } = await prepared.run()
    expect(errors).toContain(message)
    expect(exitCode).toBe(2)
  },
)
