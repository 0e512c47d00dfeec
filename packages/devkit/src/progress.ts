import prettyMilliseconds from 'pretty-ms'

/** Where progress is printed. */
interface Output {
  readonly isTTY?: boolean
  /** The width of a terminal. */
  readonly columns?: number
  write(text: string): unknown
}

/** What a long command is doing, and how much of it is done. */
export interface ProgressUpdate {
  /** What is running or done, such as `12 of 100 seeds`. */
  readonly text: string
  /**
   * The share that is done, from 0 to 1. The remaining time is estimated from it. Omit it while nothing can
   * be estimated.
   */
  readonly done?: number | undefined
}

/** Prints what has started, and in a terminal also that it goes on. */
export interface Progress {
  /** Prints lines that stay. */
  line(text: string): void
  /** Replaces what the display says. */
  update(update: ProgressUpdate): void
  /** Ends the display. Returns the seconds since it began. */
  end(): string
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = 100
/** Updates are printed this often where the output is no terminal. */
const PLAIN_INTERVAL_MS = 30_000
const DEFAULT_COLUMNS = 80
const MINUTE_MS = 60_000
/** Moves to the start of the line and erases it. */
const ERASE = '\r\u001b[K'

/** Formats a span of time roughly: `40s`, `3m`, `1h 20m`. */
function formatDuration(milliseconds: number): string {
  const rounded = Math.ceil(milliseconds / 1000) * 1000
  return prettyMilliseconds(rounded, { hideSeconds: rounded >= MINUTE_MS })
}

/** Cuts a text to a terminal's width, because only one line can be erased. */
function cutToWidth(text: string, columns: number): string {
  const characters = [...text]
  if (characters.length < columns) return text
  return `${characters.slice(0, Math.max(0, columns - 2)).join('')}…`
}

/**
 * Displays progress: in a terminal with a last line that shows the time and an estimate of the rest,
 * elsewhere with plain lines, of which updates are printed at most every 30 seconds.
 */
export function startProgress(output: Output, title: string): Progress {
  const startedAt = performance.now()
  const getSeconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
  let current: ProgressUpdate | undefined
  let remainingMs: number | undefined
  let updatedAt = startedAt
  let printedAt = startedAt
  let frame = 0

  /** What is left of the estimate of the latest update. */
  function describeRest(): string {
    if (remainingMs === undefined) return ''
    const rest = remainingMs - (performance.now() - updatedAt)
    return rest > 0 ? `, about ${formatDuration(rest)} left` : ''
  }

  function draw(): void {
    frame = (frame + 1) % FRAMES.length
    const state =
      current === undefined
        ? `${title} ${getSeconds()} s`
        : `${title}: ${current.text}, ${formatDuration(performance.now() - startedAt)}${describeRest()}`
    output.write(ERASE + cutToWidth(`${FRAMES[frame]} ${state}`, output.columns ?? DEFAULT_COLUMNS))
  }

  const timer = output.isTTY ? setInterval(draw, FRAME_MS) : undefined
  timer?.unref()
  if (timer === undefined) output.write(`${title} …\n`)
  return {
    line: (text) => void output.write(timer === undefined ? `${text}\n` : `${ERASE}${text}\n`),
    update(update) {
      current = update
      updatedAt = performance.now()
      const { done } = update
      const canEstimate = done !== undefined && done > 0
      remainingMs = canEstimate ? ((updatedAt - startedAt) * Math.max(0, 1 - done)) / done : undefined
      if (timer !== undefined || updatedAt - printedAt < PLAIN_INTERVAL_MS) return
      printedAt = updatedAt
      output.write(`${title}: ${update.text}${describeRest()}\n`)
    },
    end() {
      clearInterval(timer)
      if (timer !== undefined) output.write(ERASE)
      return getSeconds()
    },
  }
}
