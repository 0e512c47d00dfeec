import type { CommandEnvironment } from '../environment.ts'

/** Shows how many rows are finished, on a terminal. */
export interface Progress {
  add(count: number): void
  stop(isComplete: boolean): void
}

/** @param before The rows that earlier runs have finished. */
export async function createProgress(
  total: number,
  before: number,
  { errors, signal }: CommandEnvironment,
): Promise<Progress> {
  if (errors.isTTY !== true) return { add() {}, stop() {} }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ output: errors, signal, max: Math.max(1, total) })
  let finished = before
  bar.start(`${before} of ${total} rows`)
  bar.advance(before)
  return {
    add(count) {
      finished += count
      bar.advance(count, `${finished} of ${total} rows`)
    },
    stop: (isComplete) => (isComplete ? bar.stop(`${finished} of ${total} rows`) : bar.error('Stopped')),
  }
}
