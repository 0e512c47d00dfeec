import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { startProgress } from '@mintmark/devkit/progress'
import type { BenchOptions } from './options.ts'
import { describeEnvironment, type Results, type SectionResult } from './results.ts'
import { runSections } from './run-sections.ts'
import type { Section } from './section.ts'
import { selectSections } from './select-sections.ts'
import { formatSection } from './text-table.ts'

/** Git ignores this folder. */
const RUNS = join(import.meta.dirname, '../../../.mintmark/bench')
/** The folder in which the command was called: npm runs scripts in the root. */
const CALLER = process.env.INIT_CWD ?? process.cwd()

/** Formats a path for the person who called the command. */
function formatPath(path: string): string {
  const near = relative(CALLER, path)
  return near.startsWith('..') ? path : near
}

/**
 * Measures sections, prints their tables and writes results.json.
 *
 * @throws OptionsError for a named section that this machine cannot measure.
 */
export async function runBench(sections: readonly Section[], options: BenchOptions): Promise<void> {
  const { quick, out } = options
  const { selected, leftOut } = selectSections(sections, options)
  const environment = describeEnvironment(quick)
  const folder = out === undefined ? join(RUNS, environment.date.replaceAll(':', '-')) : resolve(CALLER, out)
  const file = join(folder, 'results.json')
  await mkdir(folder, { recursive: true })
  const measured: SectionResult[] = []
  const progress = startProgress(process.stdout, 'Measuring')
  try {
    for (const reason of leftOut) progress.line(`Left out: ${reason}`)
    const { node, cores, cpu } = environment
    progress.line(`Node ${node}, ${cores} × ${cpu}${quick ? ', quick' : ''}`)
    await runSections(selected, {
      quick,
      progress,
      async onResult(result) {
        measured.push(result)
        // Written after each section: what is measured survives a later section that fails.
        const results: Results = { environment, sections: measured }
        await writeFile(file, `${JSON.stringify(results, null, 2)}\n`)
        progress.line(formatSection(result))
      },
    })
  } finally {
    progress.end()
  }
  console.log(`\nResults: ${formatPath(file)}`)
}
