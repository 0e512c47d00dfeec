import prettyMilliseconds from 'pretty-ms'
import { type CommandEnvironment, write } from '../environment.ts'
import type { OutputFormat } from './writer.ts'

/** Shows on a terminal how much of a command is done. */
export interface Progress {
  show(done: number, total: number): Promise<void>
  /** Removes what is shown. */
  clear(): Promise<void>
}

/** Moves to the start of the line and erases it. */
const ERASE = '\r\u001b[K'
const MINUTE_MS = 60_000

function formatDuration(milliseconds: number): string {
  const rounded = Math.ceil(milliseconds / 1000) * 1000
  return prettyMilliseconds(rounded, { hideSeconds: rounded >= MINUTE_MS })
}

/**
 * Creates the display of a command that takes long. It is one line, without a library that reads the
 * terminal's input, because Ctrl-C must reach the command.
 *
 * @param unit What is counted, such as `rows`.
 * @param before What was done before the command began. The remaining time is estimated from the rest.
 */
export function createProgress(
  unit: string,
  before: number,
  format: OutputFormat,
  { output, errors }: CommandEnvironment,
): Progress {
  // Formats other than the table print results meanwhile. The line would be among them.
  const isHidden = errors.isTTY !== true || (format !== 'table' && output.isTTY === true)
  if (isHidden) return { async show() {}, async clear() {} }
  const startedAt = performance.now()

  function describeRest(done: number, total: number): string {
    if (done <= before || done >= total) return ''
    const elapsed = performance.now() - startedAt
    return `, about ${formatDuration((elapsed * (total - done)) / (done - before))} left`
  }

  return {
    show: (done, total) => write(errors, `${ERASE}${done} of ${total} ${unit}${describeRest(done, total)}`),
    clear: () => write(errors, ERASE),
  }
}
