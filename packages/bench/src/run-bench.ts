import { existsSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { type Progress, startProgress } from '@mintmark/devkit/progress'
import { compareResults } from './comparison.ts'
import type { BenchOptions } from './options.ts'
import {
  createResults,
  describeEnvironment,
  type Environment,
  formatResults,
  type Results,
  ResultsError,
  readResults,
  type SectionResult,
} from './results.ts'
import { runSections } from './run-sections.ts'
import type { Section } from './section.ts'
import { selectSections } from './select-sections.ts'
import { formatSection } from './text-table.ts'

/** Git ignores this folder. */
const RUNS = join(import.meta.dirname, '../../../.mintmark/bench')
const SAVED_BASELINE = join(RUNS, 'baseline.json')
/** The folder in which the command was called: npm runs scripts in the root. */
const CALLER = process.env.INIT_CWD ?? process.cwd()

/** Formats a path for the person who called the command. */
function formatPath(path: string): string {
  const near = relative(CALLER, path)
  return near.startsWith('..') ? path : near
}

/**
 * Reads the baseline that is named, or the saved one. A saved one that cannot be read is reported and not
 * used, so that it can be replaced.
 */
async function readBaseline({ baseline }: BenchOptions, progress: Progress): Promise<Results | undefined> {
  if (baseline !== undefined) return await readResults(resolve(CALLER, baseline))
  if (!existsSync(SAVED_BASELINE)) return undefined
  try {
    return await readResults(SAVED_BASELINE)
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error
    progress.line(`Warning: ${error.message}`)
    return undefined
  }
}

/** Prints where the run and its baseline are measured. */
function printEnvironment(progress: Progress, environment: Environment, baseline: Results | undefined): void {
  const { node, cores, cpu, quick } = environment
  progress.line(`Node ${node}, ${cores} × ${cpu}${quick ? ', quick' : ''}`)
  if (baseline === undefined) return
  const { date, commit } = baseline.environment
  progress.line(`Compared with the baseline of ${date}${commit === undefined ? '' : ` (${commit})`}`)
  const { warnings } = compareResults(createResults(environment, []), baseline)
  for (const warning of warnings) progress.line(`Warning: ${warning}`)
}

/** Finds how long each section took in the baseline. A baseline of the other mode says nothing about that. */
function getExpectedSeconds(baseline: Results | undefined, quick: boolean): ReadonlyMap<string, number> {
  if (baseline === undefined || baseline.environment.quick !== quick) return new Map()
  return new Map(baseline.sections.map(({ name, seconds }) => [name, seconds]))
}

async function measureAndReport(
  sections: readonly Section[],
  options: BenchOptions,
  progress: Progress,
): Promise<string> {
  const environment = describeEnvironment(options.quick)
  const baseline = await readBaseline(options, progress)
  const folder =
    options.out === undefined
      ? join(RUNS, environment.date.replaceAll(':', '-'))
      : resolve(CALLER, options.out)
  const file = join(folder, 'results.json')
  await mkdir(folder, { recursive: true })
  printEnvironment(progress, environment, baseline)
  const measured: SectionResult[] = []
  await runSections(sections, {
    quick: options.quick,
    progress,
    expectedSeconds: getExpectedSeconds(baseline, options.quick),
    async onResult(result) {
      measured.push(result)
      const results = createResults(environment, measured)
      const comparison = baseline && compareResults(results, baseline)
      // Written after each section: what is measured survives a later section that fails.
      await writeFile(file, formatResults(results))
      progress.line(formatSection(result, comparison))
    },
  })
  return file
}

/**
 * Measures sections, prints their tables and writes results.json.
 *
 * @throws OptionsError for a named section that this machine cannot measure.
 */
export async function runBench(sections: readonly Section[], options: BenchOptions): Promise<void> {
  const { selected, leftOut } = selectSections(sections, options)
  const progress = startProgress(process.stdout, 'Measuring')
  for (const reason of leftOut) progress.line(`Left out: ${reason}`)
  let file: string
  try {
    file = await measureAndReport(selected, options, progress)
  } finally {
    progress.end()
  }
  console.log(`\nResults: ${formatPath(file)}`)
  if (!options.saveBaseline) return
  await mkdir(dirname(SAVED_BASELINE), { recursive: true })
  await copyFile(file, SAVED_BASELINE)
  console.log(`Saved as the baseline: ${formatPath(SAVED_BASELINE)}`)
}
