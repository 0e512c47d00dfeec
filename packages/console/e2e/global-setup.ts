import { buildConsole } from '../../../tools/build/console.ts'
import { setup } from '../../../tools/vitest/postgres.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'

/** Builds the console, and serves one PostgreSQL to all workers. Returns the function that stops it. */
export default function prepareRun(): Promise<() => Promise<void>> {
  buildConsole(repositoryRoot)
  return setup()
}
