// The file results.json of a run. It has everything that the run prints, so that a later run can be compared
// with it.
import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { arch, cpus, platform, totalmem } from 'node:os'
import * as v from 'valibot'
import { DIRECTIONS, UNITS } from './figures.ts'
import type { Measurement } from './section.ts'

/** Changes when older files can no longer be read. */
const SCHEMA_VERSION = 2

/** Where and how a run was measured. */
export interface Environment {
  /** In ISO 8601. */
  readonly date: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly platform: string
  /** The commit of the checkout, with `, changed` when files differ from it. */
  readonly commit?: string
  readonly quick: boolean
}

/** What a section measured, and how long it took. */
export interface SectionResult extends Measurement {
  readonly name: string
  readonly title: string
  readonly seconds: number
}

export interface Results {
  readonly version: typeof SCHEMA_VERSION
  readonly environment: Environment
  readonly sections: readonly SectionResult[]
}

const text = v.string()
const number = v.pipe(v.number(), v.finite())
const list = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.readonly())

const figureSchema = v.object({
  value: number,
  spread: v.exactOptional(v.pipe(v.tuple([number, number]), v.readonly())),
})
const columnSchema = v.object({
  name: text,
  unit: v.picklist(UNITS),
  better: v.exactOptional(v.picklist(DIRECTIONS)),
  isDifference: v.exactOptional(v.boolean()),
})
const environmentSchema = v.object({
  date: v.pipe(text, v.isoTimestamp()),
  node: text,
  cpu: text,
  cores: number,
  memoryGb: number,
  platform: text,
  commit: v.exactOptional(text),
  quick: v.boolean(),
})
const sectionSchema = v.object({
  name: text,
  title: text,
  seconds: number,
  columns: list(columnSchema),
  rows: list(v.object({ name: text, figures: list(v.nullable(figureSchema)) })),
  aims: list(v.object({ text, reached: v.boolean() })),
  notes: v.exactOptional(list(text)),
})
const resultsSchema = v.object({
  version: v.literal(SCHEMA_VERSION),
  environment: environmentSchema,
  sections: list(sectionSchema),
}) satisfies v.GenericSchema<unknown, Results>

/** A file is not the results of a run, or of an incompatible version. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError'
}

export function createResults(environment: Environment, sections: readonly SectionResult[]): Results {
  return { version: SCHEMA_VERSION, environment, sections }
}

export function formatResults(results: Results): string {
  return `${JSON.stringify(results, null, 2)}\n`
}

function parseJson(json: string, file: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new ResultsError(`${file} is not JSON. Name the results.json of an earlier run`, { cause: error })
  }
}

/**
 * Parses the text of a results.json.
 *
 * @throws ResultsError that names the file and what is wrong with it.
 */
export function parseResults(json: string, file: string): Results {
  const value = parseJson(json, file)
  const { success, output } = v.safeParse(v.object({ version: v.number() }), value)
  if (success && output.version !== SCHEMA_VERSION) {
    throw new ResultsError(
      `${file} has version ${output.version}, but this checkout reads version ${SCHEMA_VERSION}. Measure the baseline again`,
    )
  }
  const results = v.safeParse(resultsSchema, value)
  if (results.success) return results.output
  const [issue] = results.issues
  const path = v.getDotPath(issue)
  throw new ResultsError(
    `${file} is not the results of a run: ${path === null ? '' : `${path}: `}${issue.message}`,
  )
}

/** Reads a results.json. */
export async function readResults(file: string): Promise<Results> {
  let json: string
  try {
    json = await readFile(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ResultsError(`The baseline cannot be read: ${reason}`, { cause: error })
  }
  return parseResults(json, file)
}

/** The commit of the checkout; undefined without git or outside of a repository. */
function findCommit(): string | undefined {
  const options = {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  } satisfies ExecFileSyncOptionsWithStringEncoding
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim()
    const changes = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], options)
    return changes === '' ? commit : `${commit}, changed`
  } catch {
    // A copy of the sources without git is measured all the same.
    return undefined
  }
}

/** Describes this machine and checkout. */
export function describeEnvironment(quick: boolean): Environment {
  const [{ model } = { model: 'unknown' }] = cpus()
  const commit = findCommit()
  return {
    date: new Date().toISOString(),
    node: process.version,
    cpu: model.trim(),
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${arch()}`,
    ...(commit !== undefined && { commit }),
    quick,
  }
}
