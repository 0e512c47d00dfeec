import { type BenchOptions, OptionsError } from './options.ts'
import type { Section } from './section.ts'

/** The sections of a run. */
export interface SelectedSections {
  readonly selected: readonly Section[]
  /** Why others are left out, as sentences. */
  readonly leftOut: readonly string[]
}

/**
 * Selects the sections of a run. Without names, those are left out that this machine cannot measure, so that
 * a run of an hour does not end without the others.
 *
 * @throws OptionsError for a named section that this machine cannot measure.
 */
export function selectSections(
  sections: readonly Section[],
  { sections: names, isNamed }: Pick<BenchOptions, 'sections' | 'isNamed'>,
): SelectedSections {
  const chosen = sections.filter(({ name }) => names.includes(name))
  const problems = chosen.map((section) => ({ section, problem: section.findProblem?.() }))
  const leftOut = problems.flatMap(({ section: { name }, problem }) =>
    problem === undefined ? [] : [`The section ${name} ${problem}`],
  )
  if (isNamed && leftOut.length > 0) throw new OptionsError(leftOut.join('\n'))
  return {
    selected: problems.filter(({ problem }) => problem === undefined).map(({ section }) => section),
    leftOut,
  }
}
