import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { invalidateAfterWrite } from '../../../api/invalidation.ts'
import { callOperation } from '../../../api/operations.ts'
import { checkSession } from '../../../api/query-client.ts'
import { useProjectGateway } from '../../../session/project-context.tsx'
import type { Program } from '../programs.ts'
import { CsvFormatError, type CsvProblem } from './csv-record.ts'
import { type FieldMapping, type ImportField, listImportFields, suggestMapping } from './import-fields.ts'
import { digest, type ImportFile, MAX_FILE_BYTES, MAX_ROWS, readImportFile } from './import-file.ts'
import { openImportStorage, type StoredImport } from './import-journal.ts'
import { type ImportRow, toImportRows } from './import-rows.ts'
import { type RowResult, runImport } from './import-run.ts'
import { digestRows, findSentRows, toPlace } from './row-history.ts'

/** Why a file cannot be imported. */
export type FileProblem =
  | { readonly kind: 'empty' | 'tooLarge' | 'unreadable' }
  | { readonly kind: CsvProblem; readonly line: number }

/** `ready`: not started. `stopped`: by the person, or by an error. */
export type ImportState = 'ready' | 'running' | 'stopped' | 'finished'

/** An import with its file. */
export interface CurrentImport {
  readonly fields: readonly ImportField[]
  readonly file: ImportFile | undefined
  readonly problem: FileProblem | undefined
  readonly isReading: boolean
  readonly mapping: FieldMapping
  readonly rows: readonly ImportRow[]
  /** What an earlier import of the same file has left. */
  readonly earlier: StoredImport | undefined
  readonly state: ImportState
  /** Why it stopped. */
  readonly error: unknown
  readonly results: ReadonlyMap<number, RowResult>
  open(file: File): void
  assign(mapping: FieldMapping): void
  /**
   * The lines of rows that equal rows which other files had. The person says what to do with them. Undefined
   * if nothing is to be decided.
   */
  readonly sentBefore: readonly number[] | undefined
  start(): void
  /** Starts without the rows that were sent before, or with them. */
  decide(choice: 'skip' | 'repeat'): void
  /** Returns to the check without starting. */
  cancelStart(): void
  stop(): void
  /** Allows another import of a file that is imported. */
  repeat(): void
}

const NO_RESULTS: ReadonlyMap<number, RowResult> = new Map()

/** Reads a file, and creates its cards. */
export function useImport(program: Program): CurrentImport {
  const { projectId } = useProjectGateway()
  const scope = `${projectId} ${program.name}`
  const fields = useMemo(() => listImportFields(program.name), [program])
  const { file, read, assign, setEarlier, ...source } = useImportFile(scope, fields)
  const { mapping, earlier } = source
  const { create } = program.operations
  const rows = useMemo(
    () => (file === undefined ? [] : toImportRows(file.records, file.header.length, fields, mapping, create)),
    [file, fields, mapping, create],
  )
  const { start, run, reset, ...current } = useImportRun({
    program,
    scope,
    rows,
    mapping,
    earlier,
    setEarlier,
  })
  return {
    ...source,
    ...current,
    file,
    fields,
    rows,
    assign,
    open: (chosen) => {
      reset()
      void read(chosen)
    },
    start: () => file !== undefined && void start(file),
    decide: (choice) =>
      file !== undefined && void run(file, choice === 'skip' ? (current.sentBefore ?? []) : []),
    repeat: () =>
      setEarlier(
        (previous) =>
          previous && { ...previous, round: previous.round + 1, skipped: undefined, finishedAt: 0 },
      ),
  }
}

/** Identifies the import of a file. */
const toImportId = (scope: string, file: ImportFile): string => `${scope} ${file.digest}`

/** Reads a file with what an earlier import of it has left. */
function useImportFile(scope: string, fields: readonly ImportField[]) {
  const [file, setFile] = useState<ImportFile>()
  const [problem, setProblem] = useState<FileProblem>()
  const [isReading, setIsReading] = useState(false)
  const [mapping, assign] = useState<FieldMapping>({})
  const [earlier, setEarlier] = useState<StoredImport>()

  async function read(chosen: File): Promise<void> {
    setIsReading(true)
    setProblem(undefined)
    setFile(undefined)
    try {
      const found = chosen.size > MAX_FILE_BYTES ? undefined : await readImportFile(chosen)
      if (found === undefined || found.records.length > MAX_ROWS) return setProblem({ kind: 'tooLarge' })
      if (found.records.length === 0) return setProblem({ kind: 'empty' })
      const storage = await openImportStorage()
      const stored = await storage.readImport(toImportId(scope, found))
      setEarlier(stored)
      assign(stored?.mapping ?? suggestMapping(fields, found.header))
      setFile(found)
    } catch (caught) {
      const isCsv = caught instanceof CsvFormatError
      setProblem(isCsv ? { kind: caught.problem, line: caught.line } : { kind: 'unreadable' })
    } finally {
      setIsReading(false)
    }
  }

  return { file, problem, isReading, mapping, earlier, read, assign, setEarlier }
}

/** What is imported. */
interface ImportSource {
  readonly program: Program
  readonly scope: string
  readonly rows: readonly ImportRow[]
  readonly mapping: FieldMapping
  readonly earlier: StoredImport | undefined
  setEarlier(earlier: StoredImport): void
}

/** An import whose start is stored. */
interface StartedImport {
  readonly storage: Awaited<ReturnType<typeof openImportStorage>>
  readonly stored: StoredImport
  readonly signal: AbortSignal
}

/** Creates the cards of rows, unless the person first has to decide about some. */
function useImportRun({ program, scope, rows, mapping, earlier, setEarlier }: ImportSource) {
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>('ready')
  const [error, setError] = useState<unknown>()
  const [results, setResults] = useState(NO_RESULTS)
  const [sentBefore, setSentBefore] = useState<readonly number[]>()
  const running = useRef<AbortController>(undefined)
  const { createBatch } = program.operations
  const show = (added: readonly RowResult[]) =>
    setResults((previous) => new Map([...previous, ...added.map((each) => [each.line, each] as const)]))

  function fail(reason: unknown): void {
    setState('stopped')
    setError(reason)
    void checkSession(client, reason)
  }

  function reset(): void {
    setResults(NO_RESULTS)
    setSentBefore(undefined)
    setState('ready')
    setError(undefined)
  }

  /** Starts, unless rows equal those of other files: then the person decides about them first. */
  async function start(file: ImportFile): Promise<void> {
    if (earlier?.skipped !== undefined) return await run(file, earlier.skipped)
    try {
      const { history } = await openImportStorage()
      if (await history.isEmpty()) return await run(file, [])
      const digests = await digestRows(rows, scope, digest)
      const found = findSentRows(digests, await history.listPlaces([...digests.values()]), file.digest)
      if (found.length === 0) return await run(file, [])
      setSentBefore(found)
    } catch (caught) {
      fail(caught)
    }
  }

  async function run(file: ImportFile, skipped: readonly number[]): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setSentBefore(undefined)
    setState('running')
    setError(undefined)
    try {
      const storage = await openImportStorage()
      const stored = { mapping, round: earlier?.round ?? 0, skipped, finishedAt: 0 }
      await storage.writeImport(toImportId(scope, file), stored)
      setEarlier(stored)
      show(skipped.map((line) => ({ line, status: 'skipped', problems: [] })))
      await sendRows(file, { storage, stored, signal: controller.signal })
      await storage.writeImport(toImportId(scope, file), { ...stored, finishedAt: Date.now() })
      setState('finished')
    } catch (caught) {
      fail(controller.signal.aborted ? undefined : caught)
    } finally {
      await invalidateAfterWrite(client, projectId, createBatch)
    }
  }

  async function sendRows(file: ImportFile, { storage, stored, signal }: StartedImport): Promise<void> {
    const { history } = storage
    const { round } = stored
    const digests = await digestRows(rows, scope, digest)
    const toSent = (lines: readonly number[]) =>
      lines.map((line) => ({ digest: digests.get(line) ?? '', place: toPlace(file.digest, round, line) }))
    const left = new Set(stored.skipped)
    const sent = rows.filter(({ line }) => !left.has(line))
    await runImport(sent, `${toImportId(scope, file)} ${round}`, {
      journal: storage,
      rememberSent: (lines) => history.add(toSent(lines)),
      forgetSent: (lines) => history.remove(toSent(lines)),
      async send(inputs, idempotencyKey) {
        // Each row has passed the check of the operation.
        const cards = inputs as Parameters<typeof createBatch>[1]['cards']
        const created = await callOperation(gateway, createBatch, { cards }, { idempotencyKey, signal })
        return created.map(({ id }) => id)
      },
      createKey: digest,
      now: Date.now,
      signal,
      onResults: show,
    })
  }

  return {
    state,
    error,
    results,
    sentBefore,
    start,
    run,
    reset,
    cancelStart: () => setSentBefore(undefined),
    stop: () => running.current?.abort(),
  }
}
