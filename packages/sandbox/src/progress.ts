/** Where progress is printed. */
interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Prints what has started, and in a terminal also that the start goes on. */
export interface Progress {
  /** Prints a line that stays. */
  line(text: string): void
  /** Ends the display. Returns the seconds since it began. */
  end(): string
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const FRAME_MS = 100
/** Moves to the start of the line and erases it. */
const ERASE = '\r\u001b[K'

/** Displays progress: in a terminal with a last line that shows the time, elsewhere plain lines only. */
export function startProgress(output: Output, title: string): Progress {
  const startedAt = performance.now()
  const getSeconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
  let frame = 0
  const draw = () => {
    frame = (frame + 1) % FRAMES.length
    output.write(`${ERASE}${FRAMES[frame]} ${title} ${getSeconds()} s`)
  }
  const timer = output.isTTY ? setInterval(draw, FRAME_MS) : undefined
  timer?.unref()
  if (timer === undefined) output.write(`${title} …\n`)
  return {
    line: (text) => void output.write(timer === undefined ? `${text}\n` : `${ERASE}${text}\n`),
    end() {
      clearInterval(timer)
      if (timer !== undefined) output.write(ERASE)
      return getSeconds()
    },
  }
}
