import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { invalidateAfterWrite } from '../../../api/invalidation.ts'
import { callOperation } from '../../../api/operations.ts'
import { useProjectGateway } from '../../../session/project-context.tsx'
import type { Program } from '../programs.ts'
import { CsvError, type CsvProblem } from './csv-parser.ts'
import { type FieldMapping, type ImportField, listImportFields, suggestMapping } from './import-fields.ts'
import { digest, type ImportFile, MAX_FILE_BYTES, MAX_ROWS, readImportFile } from './import-file.ts'
import { openImportStorage, type StoredImport } from './import-journal.ts'
import { type ImportRow, toImportRows } from './import-rows.ts'
import { type RowResult, runImport } from './import-run.ts'

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
  start(): void
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
  const running = useRef<AbortController>(undefined)
  const { create, createBatch } = program.operations
  const rows = useMemo(
    () => (file === undefined ? [] : toImportRows(file.records, file.header.length, fields, mapping, create)),
    [file, fields, mapping, create],
  )
  const getId = (of: ImportFile) => `${projectId} ${program.name} ${of.digest}`

  async function open(chosen: File): Promise<void> {
    setIsReading(true)
    setProblem(undefined)
    setFile(undefined)
    setResults(NO_RESULTS)
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
      const isCsv = caught instanceof CsvError
      setProblem(isCsv ? { kind: caught.problem, line: caught.line } : { kind: 'unreadable' })
    } finally {
      setIsReading(false)
    }
  }

  async function run(of: ImportFile): Promise<void> {
    const controller = new AbortController()
    running.current = controller
    setState('running')
    setError(undefined)
    const round = earlier?.round ?? 0
    try {
      const storage = await openImportStorage()
      await storage.writeImport(getId(of), { mapping, round, finishedAt: 0 })
      await runImport(rows, `${getId(of)} ${round}`, {
        journal: storage,
        send: async (inputs, key) => {
          const { signal } = controller
          // Each row has passed the check of the operation.
          const cards = inputs as Parameters<typeof createBatch>[1]['cards']
          const created = await callOperation(
            gateway,
            createBatch,
            { cards },
            { idempotencyKey: key, signal },
          )
          return created.map(({ id }) => id)
        },
        createKey: digest,
        now: Date.now,
        signal: controller.signal,
        onResults: (added) =>
          setResults(
            (previous) => new Map([...previous, ...added.map((each) => [each.line, each] as const)]),
          ),
      })
      await storage.writeImport(getId(of), { mapping, round, finishedAt: Date.now() })
      setState('finished')
    } catch (caught) {
      setState('stopped')
      if (!controller.signal.aborted) setError(caught)
    } finally {
      await invalidateAfterWrite(client, projectId, createBatch)
    }
  }

  return {
    ...{ fields, file, problem, isReading, mapping, rows, earlier, state, error, results },
    open: (chosen) => void open(chosen),
    assign: setMapping,
    start: () => file !== undefined && void run(file),
    stop: () => running.current?.abort(),
    repeat: () =>
      setEarlier((previous) => previous && { ...previous, round: previous.round + 1, finishedAt: 0 }),
  }
}
