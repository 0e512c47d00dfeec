import { open, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { ConfigurationError, SchemaMismatchError } from '@mintmark/server-kit'
import { EmbeddedPostgresError, explainFolderProblem } from './postgres/index.ts'
import { SandboxStartError } from './start-error.ts'

/** The part of `servers.log` that a start writes. */
export interface FailureLog {
  /** Returns the message of a start that failed, the last problem in the log, and what to do. */
  explain(error: unknown): Promise<string>
}

/** Their messages say what to do. */
const EXPLAINED = [ConfigurationError, EmbeddedPostgresError, SandboxStartError, SchemaMismatchError]

/** Remembers where the log of `dataDir` ends before a start. */
export async function openFailureLog(dataDir: string): Promise<FailureLog> {
  const file = join(dataDir, 'servers.log')
  const start = (await stat(file).catch(() => undefined))?.size ?? 0
  return {
    async explain(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (EXPLAINED.some((type) => error instanceof type)) return message
      const advice = await explainFolderProblem(dataDir, error)
      if (advice !== undefined) return `${message}\n${advice}`
      const problem = findLastProblem(await readFrom(file, start))
      return [
        message,
        ...(problem === undefined ? [] : [`The last problem in the log: ${problem}`]),
        `The log is ${relative(process.cwd(), file)}. Start again: what a start has completed is kept. To begin with empty data, remove ${relative(process.cwd(), dataDir)}`,
      ].join('\n')
    },
  }
}

async function readFrom(path: string, start: number): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), {
      position: start,
    })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The level of warnings in the servers' logs. */
const WARNING = 40

/** What this reads of a line of the servers' logs. */
interface LogLine {
  readonly level?: number
  readonly msg?: string
  readonly reason?: string
  readonly err?: { readonly message?: string }
}

function findLastProblem(log: string): string | undefined {
  const problems = log.split('\n').flatMap((line) => {
    const { level = 0, msg, reason, err } = parseLine(line)
    return level < WARNING ? [] : [[msg, reason ?? err?.message].filter(Boolean).join(': ')]
  })
  return problems.at(-1)
}

/**
 * Parses a line of a server. Lines of the chain are plain text, and the last line may be cut: both have no
 * level.
 */
function parseLine(line: string): LogLine {
  if (!line.startsWith('{')) return {}
  try {
    return JSON.parse(line) as LogLine
  } catch {
    return {}
  }
}
