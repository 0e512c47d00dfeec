import type { CommandEnvironment } from '../environment.ts'

/** Shows how many rows are finished, on a terminal. */
export interface Progress {
  add(count: number): void
  stop(isComplete: boolean): void
}

export async function createProgress(
  total: number,
  { errors, signal }: CommandEnvironment,
): Promise<Progress> {
  if (errors.isTTY !== true) return { add() {}, stop() {} }
  const { progress } = await import('@clack/prompts')
  const bar = progress({ output: errors, signal, max: Math.max(1, total) })
  let finished = 0
  bar.start(`0 of ${total} rows`)
  return {
    add(count) {
      finished += count
      bar.advance(count, `${finished} of ${total} rows`)
    },
    stop: (isComplete) => (isComplete ? bar.stop(`${finished} rows in this run`) : bar.error('Stopped')),
  }
}
