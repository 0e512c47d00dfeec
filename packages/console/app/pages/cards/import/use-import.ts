import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { invalidateAfterWrite } from '../../../api/invalidation.ts'
import { callOperation } from '../../../api/operations.ts'
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
  const { gateway, projectId } = useProjectGateway()
  const client = useQueryClient()
  const fields = useMemo(() => listImportFields(program.name), [program])
  const [file, setFile] = useState<ImportFile>()
  const [problem, setProblem] = useState<FileProblem>()
  const [isReading, setIsReading] = useState(false)
  const [mapping, setMapping] = useState<FieldMapping>({})
  const [earlier, setEarlier] = useState<StoredImport>()
  const [state, setState] = useState<ImportState>('ready')
  const [error, setError] = useState<unknown>()
  const [results, setResults] = useState(NO_RESULTS)
  const [sentBefore, setSentBefore] = useState<readonly number[]>()
  const running = useRef<AbortController>(undefined)
  const { create, createBatch } = program.operations
  const rows = useMemo(
    () => (file === undefined ? [] : toImportRows(file.records, file.header.length, fields, mapping, create)),
    [file, fields, mapping, create],
  )
  const getScope = () => `${projectId} ${program.name}`
  const getId = (of: ImportFile) => `${getScope()} ${of.digest}`

  async function open(chosen: File): Promise<void> {
    setIsReading(true)
    setProblem(undefined)
    setFile(undefined)
    setResults(NO_RESULTS)
    setSentBefore(undefined)
    setState('ready')
    setError(undefined)
    try {
      const read = chosen.size > MAX_FILE_BYTES ? undefined : await readImportFile(chosen)
      if (read === undefined || read.records.length > MAX_ROWS) return setProblem({ kind: 'tooLarge' })
      if (read.records.length === 0) return setProblem({ kind: 'empty' })
      const storage = await openImportStorage()
      const stored = await storage.readImport(getId(read))
      setEarlier(stored)
      setMapping(stored?.mapping ?? suggestMapping(fields, read.header))
      setFile(read)
    } catch (caught) {
      const isCsv = caught instanceof CsvFormatError
      setProblem(isCsv ? { kind: caught.problem, line: caught.line } : { kind: 'unreadable' })
    } finally {
      setIsReading(false)
    }
  }

  /** Starts, unless rows equal those of other files: then the person decides about them first. */
  async function start(of: ImportFile): Promise<void> {
    if (earlier?.skipped !== undefined) return await run(of, earlier.skipped)
    try {
      const { history } = await openImportStorage()
      if (await history.isEmpty()) return await run(of, [])
      const digests = await digestRows(rows, getScope(), digest)
      const found = findSentRows(digests, await history.listPlaces([...digests.values()]), of.digest)
      if (found.length === 0) return await run(of, [])
      setSentBefore(found)
    } catch (caught) {
      setState('stopped')
      setError(caught)
    }
  }

  async function run(of: ImportFile, skipped: readonly number[]): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setSentBefore(undefined)
    setState('running')
    setError(undefined)
    const round = earlier?.round ?? 0
    const show = (added: readonly RowResult[]) =>
      setResults((previous) => new Map([...previous, ...added.map((each) => [each.line, each] as const)]))
    try {
      const storage = await openImportStorage()
      const { history } = storage
      const stored = { mapping, round, skipped, finishedAt: 0 }
      await storage.writeImport(getId(of), stored)
      setEarlier(stored)
      const digests = await digestRows(rows, getScope(), digest)
      const toSent = (lines: readonly number[]) =>
        lines.map((line) => ({ digest: digests.get(line) ?? '', place: toPlace(of.digest, round, line) }))
      show(skipped.map((line) => ({ line, status: 'skipped', problems: [] })))
      const left = new Set(skipped)
      await runImport(
        rows.filter(({ line }) => !left.has(line)),
        `${getId(of)} ${round}`,
        {
          journal: storage,
          rememberSent: (lines) => history.add(toSent(lines)),
          forgetSent: (lines) => history.remove(toSent(lines)),
          send: (inputs, key) => sendRows(inputs, key, controller.signal),
          createKey: digest,
          now: Date.now,
          signal: controller.signal,
          onResults: show,
        },
      )
      await storage.writeImport(getId(of), { ...stored, finishedAt: Date.now() })
      setState('finished')
    } catch (caught) {
      setState('stopped')
      if (!controller.signal.aborted) setError(caught)
    } finally {
      await invalidateAfterWrite(client, projectId, createBatch)
    }
  }

  async function sendRows(
    inputs: readonly ImportRow['input'][],
    idempotencyKey: string,
    signal: AbortSignal,
  ) {
    // Each row has passed the check of the operation.
    const cards = inputs as Parameters<typeof createBatch>[1]['cards']
    const created = await callOperation(gateway, createBatch, { cards }, { idempotencyKey, signal })
    return created.map(({ id }) => id)
  }

  return {
    fields,
    file,
    problem,
    isReading,
    mapping,
    rows,
    earlier,
    state,
    error,
    results,
    sentBefore,
    open: (chosen) => void open(chosen),
    assign: setMapping,
    start: () => file !== undefined && void start(file),
    decide: (choice) => file !== undefined && void run(file, choice === 'skip' ? (sentBefore ?? []) : []),
    cancelStart: () => setSentBefore(undefined),
    stop: () => running.current?.abort(),
    repeat: () =>
      setEarlier(
        (previous) =>
          previous && { ...previous, round: previous.round + 1, skipped: undefined, finishedAt: 0 },
      ),
  }
}
