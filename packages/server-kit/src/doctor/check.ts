/** What a check is about. The guide has a section for each. */
export type Area = 'settings' | 'secrets' | 'database' | 'chains' | 'clocks' | 'signers' | 'network'

/** What a check found, in one line, and for a problem what to do about it. */
export interface Outcome {
  /** `warning`: the server works, but not as it should. `error`: it does not start, or does something wrong. */
  readonly level: 'ok' | 'warning' | 'error'
  readonly message: string
  readonly action?: string
  /** Default: the area of the check. */
  readonly area?: Area
}

export type Problems = readonly (Outcome | undefined)[]

/** Checks one part of a server. It changes nothing. */
export interface Check<Source = void> {
  readonly area: Area
  /** Completes "… could not be checked". */
  readonly name: string
  /** Whether the checks after this one need what it checks. */
  readonly isRequired?: boolean
  run(source: Source): Promise<readonly Outcome[]>
}

/** What a check reads of each thing, what is wrong with one, and how to describe one without a problem. */
interface CheckDefinition<Source, Facts> extends Omit<Check<Source>, 'run'> {
  readonly read: (source: Source) => Promise<readonly Facts[]>
  readonly problems: (facts: Facts) => Problems
  readonly ok?: (facts: Facts) => string | undefined
}

export function defineCheck<Source, Facts>(definition: CheckDefinition<Source, Facts>): Check<Source> {
  const { read, problems, ok, ...check } = definition
  const report = (facts: Facts): readonly Outcome[] => {
    const found = problems(facts).filter((problem) => problem !== undefined)
    const message = found.length > 0 ? undefined : ok?.(facts)
    return message === undefined ? found : [{ level: 'ok', message }]
  }
  return { ...check, run: async (source) => (await read(source)).flatMap(report) }
}

/**
 * Creates the function that reports a problem if a condition holds, as a template: its first line says what
 * is wrong, and its second one what to do.
 */
const createReport =
  (level: Outcome['level']) =>
  (applies: boolean, area?: Area) =>
  (texts: TemplateStringsArray, ...values: readonly unknown[]): Outcome | undefined => {
    if (!applies) return undefined
    // Messages of PostgreSQL and of nodes can have several lines.
    const lines = values.map((value) => String(value).replaceAll(/\s+/g, ' '))
    const [message = '', action = ''] = String.raw({ raw: texts }, ...lines)
      .trim()
      .split(/\n\s*/)
    return { level, message, action, ...(area && { area }) }
  }

export const warnIf = createReport('warning')
export const failIf = createReport('error')
