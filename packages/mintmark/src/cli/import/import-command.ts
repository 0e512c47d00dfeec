import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import { inputIssues, type OperationShape } from '@mintmark/operation'
import { stringify } from 'csv-stringify/sync'
import { type CallSettings, createClientFor, type Target } from '../client.ts'
import { type CommandEnvironment, write } from '../environment.ts'
import { CommandStatusError, ExitCode, OutputClosedError, SetupError, UsageError } from '../errors.ts'
import { listFields, listInputFields } from '../fields.ts'
import { checkCommandInput, type Input } from '../input.ts'
import { createProgress } from '../output/progress.ts'
import { toJsonLine, toSafeLine } from '../output/safe-text.ts'
import { chooseFormat, type OutputFormat } from '../output/writer.ts'
import { listIssues } from '../schema-issues.ts'
import { type CsvFile, readCsvFile } from './csv-file.ts'
import { type CsvRow, REASON_COLUMN, toCsvRows } from './csv-rows.ts'
import { importRows, type RowResult } from './import-rows.ts'
import {
  type CallPlan,
  countCreated,
  countFinished,
  getCorrectable,
  hashJson,
  type ImportState,
} from './import-state.ts'
import { type BatchField, findBatchField } from './importable.ts'
import { type JournalHeader, openJournal } from './journal.ts'
import { lockImport } from './lock.ts'

/** The options of a command that imports a file. */
export interface ImportOptions extends CallSettings {
  readonly json?: boolean | undefined
  readonly output?: OutputFormat | undefined
  readonly dryRun?: boolean | undefined
  readonly batchSize?: number | undefined
  readonly concurrency?: number | undefined
  readonly unknown?: 'resend' | 'skip' | undefined
  /** Options of single calls, which an import refuses. */
  readonly fields?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The pause after the first failed call, in milliseconds; for tests. */
  readonly pauseMs?: number | undefined
}

const DEFAULT_BATCH_SIZE = 100
const DEFAULT_CONCURRENCY = 4
const DEFAULT_PAUSE_MS = 500
/** The most rejected rows that are printed. All are in the file of rejected rows. */
const MAX_PRINTED_ROWS = 20

/** Converts the rows of a file to inputs of an operation, or to the items of its batch. */
function toInputRows(
  operation: OperationShape,
  batch: BatchField | undefined,
  file: CsvFile,
  defaults: Input,
): CsvRow[] {
  if (batch === undefined) {
    return toCsvRows(file, listInputFields(operation), defaults, (input) => inputIssues(operation, input))
  }
  return toCsvRows(file, listFields(batch.entries), {}, (input) => listIssues(batch.item, input))
}

/** Why a journal belongs to another import; undefined if it does not. */
function describeDifference(stored: JournalHeader, header: JournalHeader, file: string): string | undefined {
  const journal = `${file}.journal`
  const start = `${journal} belongs to an import that began on ${new Date(stored.startedAt).toISOString()}`
  const advice = `Finish it first. To import something else, use a copy of the file with another name`
  if (stored.operation !== header.operation) return `${start} with ${stored.operation}. ${advice}`
  if (stored.target !== header.target) return `${start} into another server or project. ${advice}`
  if (stored.digest !== header.digest) {
    return `${file} has changed since its import began. Rows that were rejected are in ${toRejectedName(file)}: correct and import that file. To import new rows, put them into a file of their own`
  }
  if (stored.defaults !== header.defaults) return `${start} with other flags. Repeat its flags. ${advice}`
  return undefined
}

/**
 * Returns the path of the rejected rows of a file. Those of a file with rejected rows are in a further one,
 * because that file must not change.
 */
function toRejectedName(path: string): string {
  const stem = path.replace(/\.csv$/i, '')
  const [suffix, number = '1'] = /\.rejected(?:-(\d+))?$/.exec(stem) ?? []
  if (suffix === undefined) return `${stem}.rejected.csv`
  return `${stem.slice(0, -suffix.length)}.rejected-${Number(number) + 1}.csv`
}

/** Writes the rejected rows with their lines and reasons, so that they can be corrected and imported. */
async function writeRejectedRows(
  path: string,
  { header, records }: CsvFile,
  rejected: ReadonlyMap<number, string>,
): Promise<void> {
  // A row with too many or too few cells keeps them, so that it is rejected until it is corrected.
  const removeReason = (cells: readonly string[]) =>
    cells.filter((_, index) => header[index] !== REASON_COLUMN)
  const lines = records.flatMap(({ line, cells }) => {
    const reason = rejected.get(line)
    return reason === undefined ? [] : [[`line ${line}: ${reason}`, ...removeReason(cells)]]
  })
  const content = stringify([[REASON_COLUMN, ...removeReason(header)], ...lines])
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, content, { mode: 0o600 })
  await rename(temporary, path)
}

function formatResult(result: RowResult): string {
  return `${toJsonLine(result)}\n`
}

function formatCount(count: number, outcome: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? 'was' : 'were'} ${outcome}`
}

/** Describes how an import ended, for people. */
function formatSummary(
  state: ImportState,
  total: number,
  file: string,
  rejectedFile: string | undefined,
): string {
  const created = countCreated(state)
  const name = toSafeLine(basename(file))
  if (state.rejected.size === 0)
    return `${name}: ${total === 1 ? 'the row is' : `all ${total} rows are`} imported.\n`
  const others = [...state.rejected].sort(([a], [b]) => a - b)
  const lines = others
    .slice(0, MAX_PRINTED_ROWS)
    .map(([line, reason]) => `  line ${line}: ${toSafeLine(reason)}\n`)
  const more = others.length - lines.length
  const rest = more > 0 ? `  and ${more} more\n` : ''
  const rejected = getCorrectable(state).size
  const outcomes = [
    formatCount(others.length - rejected, 'skipped'),
    formatCount(rejected, 'rejected'),
  ].flatMap((text) => text ?? [])
  const advice =
    rejectedFile === undefined ? '' : `Correct them in ${toSafeLine(rejectedFile)} and import that file.\n`
  return `${name}: ${created} of ${total} rows are imported, ${outcomes.join(', ')}:\n${lines.join('')}${rest}${advice}`
}

/** Checks the rows of a file and sends nothing. */
async function checkRows(rows: readonly CsvRow[], file: string, environment: CommandEnvironment) {
  const invalid = rows.filter(({ problem }) => problem !== undefined)
  const lines = invalid.map(({ line, problem = '' }) => `  line ${line}: ${toSafeLine(problem)}\n`)
  const summary = `${toSafeLine(file)}: ${rows.length - invalid.length} of ${rows.length} rows have correct fields. Nothing was sent.\n`
  const unchecked =
    'Not checked: what only the server knows, such as contracts, stores, balances and duplicates. It may reject rows.\n'
  await write(environment.output, summary + lines.join('') + unchecked)
  if (invalid.length > 0) throw new CommandStatusError('', ExitCode.RejectedRows)
}

function createHeader(plan: CallPlan, target: Target): JournalHeader {
  // The account is a public part of the key. Both are hashed, because the journal lies beside the data.
  return { version: 1, ...plan, target: hashJson([target.baseUrl, target.account]), startedAt: Date.now() }
}

/** A file whose rows are to be imported, and how. */
interface ImportRequest {
  readonly operation: OperationShape
  readonly batch: BatchField | undefined
  /** As the person wrote it. */
  readonly file: string
  /** Absolute. */
  readonly path: string
  readonly csv: CsvFile
  readonly rows: readonly CsvRow[]
  readonly defaults: Input
}

/** How an import ended. */
interface ImportOutcome {
  readonly state: ImportState
  /** Whether an earlier run has finished every row. */
  readonly isRepeated: boolean
}

/** Opens the journal, sends the rows that are not finished, and shows the progress. */
async function runImport(
  { operation, batch, file, path, csv, rows, defaults }: ImportRequest,
  options: ImportOptions,
  environment: CommandEnvironment,
): Promise<ImportOutcome> {
  const { client, target } = await createClientFor(operation, options, environment)
  const batchSize = batch === undefined ? 1 : (options.batchSize ?? DEFAULT_BATCH_SIZE)
  const requested = { operation: operation.id, digest: csv.digest, defaults: hashJson(defaults), batchSize }
  const header = createHeader(requested, target)
  const journal = await openJournal(`${path}.journal`, header, (stored) =>
    describeDifference(stored, header, file),
  )
  const format = chooseFormat(options, environment)
  let finished = countFinished(journal.entries)
  const isRepeated = finished === rows.length
  const progress = createProgress('rows', finished, format, environment)
  try {
    await progress.show(finished, rows.length)
    const state = await importRows({
      client,
      operation,
      signal: environment.signal,
      pauseMs: options.pauseMs ?? DEFAULT_PAUSE_MS,
      // The calls of an import that is continued have the rows of its first run.
      plan: { ...requested, batchSize: journal.header.batchSize },
      rows,
      journal,
      batchField: batch?.name,
      defaults,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      unknown: options.unknown,
      now: Date.now,
      async onResults(results) {
        finished += results.length
        await progress.show(finished, rows.length)
        if (format !== 'table') await write(environment.output, results.map(formatResult).join(''))
      },
    })
    await progress.clear()
    return { state, isRepeated }
  } catch (error) {
    await progress.clear()
    if (!(error instanceof SetupError)) {
      await write(environment.errors, 'The import stopped. Repeat the command to continue it.\n')
    }
    if (error instanceof OutputClosedError) throw new CommandStatusError(error.message, ExitCode.Failure)
    throw error
  } finally {
    await journal.close()
  }
}

/** Reports how an import ended. Throws if rows were rejected, so that the command has another exit code. */
async function finishImport(
  { file, path, csv, rows }: ImportRequest,
  { state, isRepeated }: ImportOutcome,
  environment: CommandEnvironment,
): Promise<void> {
  const correctable = getCorrectable(state)
  const hasRejected = correctable.size > 0
  const rejectedFile = hasRejected ? toRejectedName(path) : undefined
  // The file of the run that finished the import may have been corrected since.
  if (rejectedFile !== undefined && !(isRepeated && existsSync(rejectedFile))) {
    await writeRejectedRows(rejectedFile, csv, correctable)
  }
  const shown = rejectedFile && relative(environment.currentFolder, rejectedFile)
  await write(environment.errors, formatSummary(state, rows.length, file, shown))
  if (hasRejected) throw new CommandStatusError('', ExitCode.RejectedRows)
}

/** Throws a UsageError for an option of a single call, which would be ignored. */
function checkOptions({ output, fields, idempotencyKey }: ImportOptions): void {
  if (output === 'csv' || output === 'raw') {
    throw new UsageError('--output: An import prints a result for each row as JSON. Use --output json')
  }
  if (fields !== undefined) throw new UsageError('--fields: An import prints all fields. Leave it out')
  if (idempotencyKey !== undefined) {
    throw new UsageError(
      '--idempotency-key: An import creates the keys of its calls, so that it can be repeated. Leave it out',
    )
  }
}

/** Imports a CSV file: a call for each row, or for several rows where the operation takes a batch. */
export async function importFile(
  operation: OperationShape,
  file: string,
  defaults: Input,
  options: ImportOptions,
  environment: CommandEnvironment,
): Promise<void> {
  checkOptions(options)
  const batch = findBatchField(operation)
  if (batch !== undefined && defaults[batch.name] !== undefined) {
    throw new UsageError(`The rows are given twice: in ${file} and in the field ${batch.name}`)
  }
  // The rows have the other fields. A mistake in a field of all rows would reject every one of them.
  checkCommandInput(operation, defaults, (field) =>
    batch === undefined ? defaults[field] !== undefined : field !== batch.name,
  )
  const path = resolve(environment.currentFolder, file)
  const csv = await readCsvFile(path, file)
  const rows = toInputRows(operation, batch, csv, defaults)
  if (options.dryRun) return await checkRows(rows, file, environment)
  const request = { operation, batch, file, path, csv, rows, defaults }
  const release = await lockImport(`${path}.journal.lock`)
  try {
    const outcome = await runImport(request, options, environment)
    await finishImport(request, outcome, environment)
  } finally {
    await release()
  }
}
