import type { Check, Outcome } from './finding.ts'
import type { CheckedSettings } from './read-settings.ts'

/** Settings that are valid alone and wrong together. */
export interface Contradiction {
  /** The settings that it concerns. It is not reported if one of them is invalid itself. */
  readonly settings: readonly string[]
  readonly applies: boolean
  readonly outcome: Outcome
}

/** Creates the check that reports invalid and misspelled settings, and those that contradict each other. */
export function createSettingsCheck(
  { outcomes, invalid }: CheckedSettings<unknown>,
  contradictions: readonly Contradiction[],
): Check {
  const found = contradictions.filter(
    ({ settings, applies }) => applies && !settings.some((name) => invalid.has(name)),
  )
  return {
    area: 'settings',
    name: 'The settings',
    run: async () => [...outcomes, ...found.map(({ outcome }) => outcome)],
  }
}
