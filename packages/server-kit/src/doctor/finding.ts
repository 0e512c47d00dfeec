/** `warning`: the server works, but not as it should. `error`: it does not start, or does something wrong. */
export type Level = 'ok' | 'warning' | 'error'

/** What a check is about. The guide has a section for each. */
export type Area = 'settings' | 'secrets' | 'database' | 'chains' | 'clocks' | 'signers' | 'network'

/** What a check found, in one line, and what to do about it. */
export interface Outcome {
  readonly level: Level
  readonly message: string
  /** Only of warnings and errors. */
  readonly action?: string
  /** Default: the area of the check. */
  readonly area?: Area
}

/** An outcome with where it belongs. */
export interface Finding extends Outcome {
  readonly area: Area
  /** The guide's section, for warnings and errors. */
  readonly docs?: string
}

/** Checks one part of a server. It changes nothing. */
export interface Check {
  readonly area: Area
  /** Completes "… could not be checked". */
  readonly name: string
  /** Ends its requests when `signal` is aborted: the time is over. */
  run(signal: AbortSignal): Promise<readonly Outcome[]>
}

export const reportOk = (message: string): Outcome => ({ level: 'ok', message })
export const reportWarning = (message: string, action: string): Outcome => ({
  level: 'warning',
  message,
  action,
})
export const reportError = (message: string, action: string): Outcome => ({ level: 'error', message, action })
