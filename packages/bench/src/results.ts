import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { arch, cpus, platform, totalmem } from 'node:os'
import type { Measurement } from './section.ts'

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

/** The file results.json of a run: everything that the run prints. */
export interface Results {
  readonly environment: Environment
  readonly sections: readonly SectionResult[]
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
