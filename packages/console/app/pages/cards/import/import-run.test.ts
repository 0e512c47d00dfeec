import { InvalidInputError, NetworkError } from '@mintmark/envelope'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ImportRow } from './import-rows.ts'
import { type ImportJournal, type JournalEntry, type RowResult, runImport } from './import-run.ts'

const HOUR_MS = 3_600_000
const OPERATION = 'promoCodeCards.createBatch'

function createJournal(): ImportJournal & { readonly entries: Map<string, JournalEntry> } {
  const entries = new Map<string, JournalEntry>()
  return {
    entries,
    read: async (key) => entries.get(key),
    write: async (entry) => void entries.set(entry.key, entry),
  }
}

const row = (line: number, name: string): ImportRow => ({
  line,
  cells: [name],
  input: { name },
  problems: name === 'empty' ? [{ field: 'name', message: 'Enter a value' }] : [],
})

/** A server that stores the outcome of each key, and refuses names that begin with `bad`. */
function createServer() {
  const byKey = new Map<string, readonly number[]>()
  const created: string[] = []
  return {
    created,
    createBatch(inputs: readonly ImportRow['input'][], key: string): readonly number[] {
      const earlier = byKey.get(key)
      if (earlier !== undefined) return earlier
      const names = inputs.map(({ name }) => String(name))
      const issues = names.flatMap((name, index) =>
        name.startsWith('bad') ? [{ path: `cards.${index}.name`, message: 'Too bad' }] : [],
      )
      if (issues.length > 0)
        throw new InvalidInputError('invalid', { operation: OPERATION, status: 400, issues })
      if (names.some((name) => name.startsWith('odd')))
        throw new InvalidInputError('The server names no row', {
          operation: OPERATION,
          status: 400,
          issues: [],
        })
      const ids = names.map((name) => created.push(name))
      byKey.set(key, ids)
      return ids
    },
  }
}

interface RunOptions {
  readonly journal?: ImportJournal
  readonly server?: ReturnType<typeof createServer>
  readonly scope?: string
  readonly now?: number
  /** The lines that were sent and not refused. */
  readonly sent?: Set<number>
  /** Called before and after the server; it may throw. */
  onStep?(step: 'sending' | 'received'): void
}

async function run(rows: readonly ImportRow[], options: RunOptions = {}): Promise<Map<number, RowResult>> {
  const { journal = createJournal(), server = createServer(), scope = 'file', now = 0, onStep } = options
  const { sent = new Set<number>() } = options
  const results = new Map<number, RowResult>()
  await runImport(rows, scope, {
    journal,
    rememberSent: async (lines) => {
      for (const line of lines) sent.add(line)
    },
    forgetSent: async (lines) => {
      for (const line of lines) sent.delete(line)
    },
    send: async (inputs, key) => {
      onStep?.('sending')
      const ids = server.createBatch(inputs, key)
      onStep?.('received')
      return ids
    },
    createKey: async (text) => text,
    now: () => now,
    signal: new AbortController().signal,
    onResults: (added) => {
      for (const result of added) results.set(result.line, result)
    },
  })
  return results
}

const lost = () => new NetworkError('lost', { operation: OPERATION })

it('an import creates every valid row once, and reports the others by line and field', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `card ${index}`)
  names[10] = 'bad 10'
  names[111] = 'odd 111'
  names[400] = 'empty'
  const server = createServer()
  const results = await run(
    names.map((name, index) => row(index + 2, name)),
    { server },
  )
  expect(results.size).toBe(500)
  const failed = [...results.values()].filter(({ status }) => status === 'failed')
  expect(failed.sort((one, other) => one.line - other.line)).toEqual([
    { line: 12, status: 'failed', problems: [{ field: 'name', message: 'Too bad' }] },
    { line: 113, status: 'failed', problems: [{ field: '', message: 'The server names no row' }] },
    { line: 402, status: 'failed', problems: [{ field: 'name', message: 'Enter a value' }] },
  ])
  expect(server.created.toSorted()).toEqual(names.filter((name) => name.startsWith('card')).toSorted())
})

it('an import remembers the rows that the server did not refuse, also those without an answer', async () => {
  const sent = new Set<number>()
  const rows = ['card', 'bad', 'empty', 'card'].map((name, index) => row(index + 2, name))
  await run(rows, { sent })
  expect([...sent].toSorted()).toEqual([2, 5])

  const onStep = (step: string) => {
    if (step === 'received') throw lost()
  }
  const unanswered = new Set<number>()
  await expect(run([row(2, 'card')], { sent: unanswered, onStep })).rejects.toThrow(NetworkError)
  expect([...unanswered]).toEqual([2])
})

it('an import continues after any lost request, lost answer or reload without creating a row twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('card', 'bad', 'odd', 'empty'), { minLength: 1, maxLength: 260 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      async (kinds, chances) => {
        const rows = kinds.map((kind, index) => row(index + 2, kind === 'empty' ? kind : `${kind} ${index}`))
        const journal = createJournal()
        const server = createServer()
        const onStep = () => {
          if (chances.next().value === 0) throw lost()
        }
        let results: Map<number, RowResult> | undefined
        // Each attempt is a run of its own, as after a reload.
        for (let attempt = 0; results === undefined; attempt += 1) {
          const step = attempt < 200 ? { onStep } : {}
          results = await run(rows, { journal, server, ...step }).catch(() => undefined)
        }
        const expected = kinds.flatMap((kind, index) => (kind === 'card' ? [`card ${index}`] : []))
        expect(server.created.toSorted()).toEqual(expected.toSorted())
        const isCreated = (line: number) => results?.get(line)?.status === 'created'
        expect(kinds.map((_, index) => isCreated(index + 2))).toEqual(kinds.map((kind) => kind === 'card'))
      },
    ),
    { seed: 20_261_123, numRuns: 60 },
  )
})

it('an import sends nothing again when it is repeated, unless the scope differs', async () => {
  const rows = [row(2, 'card 1'), row(3, 'bad 2')]
  const journal = createJournal()
  const server = createServer()
  await run(rows, { journal, server })
  const sent: string[] = []
  const onStep = (step: string) => void sent.push(step)
  const results = await run(rows, { journal, server, onStep })
  expect(sent).toEqual([])
  expect([...results.values()].map(({ status }) => status).sort()).toEqual(['created', 'failed'])
  await run(rows, { journal, server, scope: 'file again' })
  expect(server.created).toEqual(['card 1', 'card 1'])
})

it('an import does not repeat a call whose key the server may have deleted', async () => {
  const rows = [row(2, 'card 1')]
  const journal = createJournal()
  const server = createServer()
  const onStep = (step: string) => {
    if (step === 'received') throw lost()
  }
  await expect(run(rows, { journal, server, onStep })).rejects.toThrow('lost')
  const results = await run(rows, { journal, server: createServer(), now: 23 * HOUR_MS + 1 })
  expect(results.get(2)?.status).toBe('unknown')
  const earlier = await run(rows, { journal, server, now: 23 * HOUR_MS })
  expect(earlier.get(2)?.status).toBe('created')
  expect(server.created).toEqual(['card 1'])
})
