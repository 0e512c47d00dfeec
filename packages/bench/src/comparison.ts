// Compares the figures of a run with those of an earlier one.
import { type Column, type Figure, getDirection } from './figures.ts'
import type { Environment, Results, SectionResult } from './results.ts'

/**
 * What a change means. `noise`: both spreads overlap. `changed`: neither direction is better. `unit`: the
 * baseline's figure has another unit, so that they cannot be compared. `new`: the baseline has no such
 * figure.
 */
export type Outcome = 'better' | 'worse' | 'noise' | 'same' | 'changed' | 'unit' | 'new'

/** A figure beside that of the baseline. */
export interface Change {
  readonly outcome: Outcome
  readonly before?: Figure
  /** In percent of the value before. Omitted when that was zero. */
  readonly percent?: number
  /** Neither figure has a spread, so that nothing says whether the change is noise. */
  readonly isUncertain: boolean
}

/** The changes of a section, by the indexes of rows and columns. Null where this run has no figure. */
export type SectionChanges = readonly (readonly (Change | null)[])[]

export interface Comparison {
  readonly baseline: Environment
  /** Reasons why both runs can hardly be compared, as sentences. */
  readonly warnings: readonly string[]
  /** By the names of sections. A section that the baseline lacks is not included. */
  readonly sections: ReadonlyMap<string, SectionChanges>
}

const NEW: Change = { outcome: 'new', isUncertain: false }

/** The range of a figure: its spread, or only its value. */
function getRange({ value, spread = [value, value] }: Figure): readonly [low: number, high: number] {
  return [Math.min(value, spread[0]), Math.max(value, spread[1])]
}

function overlap(left: Figure, right: Figure): boolean {
  const [leftLow, leftHigh] = getRange(left)
  const [rightLow, rightHigh] = getRange(right)
  return leftLow <= rightHigh && rightLow <= leftHigh
}

function findOutcome(before: Figure, now: Figure, column: Column): Outcome {
  if (before.value === now.value) return 'same'
  if (overlap(before, now)) return 'noise'
  const direction = getDirection(column)
  if (direction === 'none') return 'changed'
  return now.value < before.value === (direction === 'lower') ? 'better' : 'worse'
}

/** Compares two figures of one unit. */
export function compareFigures(before: Figure, now: Figure, column: Column): Change {
  const change: Change = {
    outcome: findOutcome(before, now, column),
    before,
    isUncertain: before.spread === undefined && now.spread === undefined,
  }
  if (before.value === 0) return change
  return { ...change, percent: ((now.value - before.value) / Math.abs(before.value)) * 100 }
}

/** Finds a figure of the baseline by the names of its row and column. */
function findChange(now: Figure, row: string, column: Column, baseline: SectionResult): Change {
  const index = baseline.columns.findIndex(({ name }) => name === column.name)
  const before = baseline.rows.find(({ name }) => name === row)?.figures[index]
  const earlierColumn = baseline.columns[index]
  if (before === undefined || before === null || earlierColumn === undefined) return NEW
  if (earlierColumn.unit !== column.unit) return { outcome: 'unit', isUncertain: false }
  return compareFigures(before, now, column)
}

function compareSection({ rows, columns }: SectionResult, baseline: SectionResult): SectionChanges {
  return rows.map(({ name, figures }) =>
    columns.map((column, index) => {
      const now = figures[index]
      return now === undefined || now === null ? null : findChange(now, name, column, baseline)
    }),
  )
}

function listWarnings(now: Environment, before: Environment): string[] {
  const warnings: string[] = []
  const warn = (what: string, earlier: string, later: string) => {
    if (earlier !== later) warnings.push(`The baseline was measured ${what} ${earlier}, this run ${later}.`)
  }
  const describeMachine = ({ cores, cpu, memoryGb, platform }: Environment) =>
    `${cores} × ${cpu}, ${memoryGb} GB, ${platform}`
  warn('on', describeMachine(before), describeMachine(now))
  warn('with Node', before.node, now.node)
  warn('in', before.quick ? 'quick mode' : 'full mode', now.quick ? 'quick mode' : 'full mode')
  return warnings
}

/** Compares a run with a baseline. Whatever the baseline lacks is new. */
export function compareResults(now: Results, baseline: Results): Comparison {
  const sections = new Map<string, SectionChanges>()
  for (const section of now.sections) {
    const earlier = baseline.sections.find(({ name }) => name === section.name)
    if (earlier !== undefined) sections.set(section.name, compareSection(section, earlier))
  }
  const warnings = listWarnings(now.environment, baseline.environment)
  return { baseline: baseline.environment, warnings, sections }
}

/** Whether a figure became better or worse, and the spreads show that it is no noise. */
export function isCertain({ outcome, isUncertain }: Change): boolean {
  return (outcome === 'better' || outcome === 'worse') && !isUncertain
}

/**
 * Counts the changes of sections by their outcomes. Better and worse ones of unknown noise are counted as
 * uncertain.
 */
export function countOutcomes(
  sections: Iterable<SectionChanges>,
): Readonly<Record<Outcome | 'uncertain', number>> {
  const counts = { better: 0, worse: 0, noise: 0, same: 0, changed: 0, unit: 0, new: 0, uncertain: 0 }
  for (const changes of sections) {
    for (const change of changes.flat()) {
      if (change === null) continue
      const { outcome } = change
      const isJudged = outcome === 'better' || outcome === 'worse'
      counts[isJudged && !isCertain(change) ? 'uncertain' : outcome] += 1
    }
  }
  return counts
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  better: 'better',
  worse: 'worse',
  noise: 'within noise',
  same: 'unchanged',
  changed: 'changed',
  unit: 'baseline has another unit',
  new: 'not in the baseline',
}

/** Formats a change in percent: `+12.3 %`, `−5.0 %`. */
function formatPercent(percent: number): string {
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`
}

/** Describes a change: `+12.3 %, worse`, or `from zero, worse` where there is no percentage. */
export function describeChange({ outcome, isUncertain, before, percent }: Change): string {
  const words = OUTCOMES[outcome]
  if (before === undefined || outcome === 'same') return words
  const size = percent === undefined ? 'from zero' : formatPercent(percent)
  const isJudged = outcome === 'better' || outcome === 'worse'
  return `${size}, ${words}${isJudged && isUncertain ? ', noise unknown' : ''}`
}
