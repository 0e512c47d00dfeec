import { expect, it } from 'vitest'
import { compareFigures, compareResults, countOutcomes, describeChange, type Outcome } from './comparison.ts'
import type { Column } from './figures.ts'
import { createTestResults, replaceFigure, serverSection, sizeSection } from './testing.ts'

const time: Column = { name: 'latency', unit: 'ms' }
const rate: Column = { name: 'responses', unit: 'per second' }

it.each<[Column, number, number, Outcome]>([
  [time, 10, 8, 'better'],
  [time, 10, 12, 'worse'],
  [rate, 10, 8, 'worse'],
  [rate, 10, 12, 'better'],
  [{ ...time, better: 'higher' }, 10, 12, 'better'],
  [{ name: 'blocks', unit: 'count' }, 10, 12, 'changed'],
  [time, 10, 10, 'same'],
])('judges a change by the direction of its column: %o, %d to %d is %s', (column, before, now, outcome) => {
  expect(compareFigures({ value: before }, { value: now }, column).outcome).toBe(outcome)
})

it('calls a change noise while the spreads overlap', () => {
  const before = { value: 10, spread: [9, 11] } as const
  expect(compareFigures(before, { value: 12, spread: [11, 13] }, time).outcome).toBe('noise')
  expect(compareFigures(before, { value: 8, spread: [7, 9] }, time).outcome).toBe('noise')
  expect(compareFigures(before, { value: 12, spread: [11.5, 13] }, time).outcome).toBe('worse')
})

it('calls a change noise when the other run has a single value within the spread', () => {
  const before = { value: 10, spread: [9, 11] } as const
  expect(compareFigures(before, { value: 10.5 }, time).outcome).toBe('noise')
  expect(compareFigures(before, { value: 12 }, time)).toMatchObject({ outcome: 'worse', isUncertain: false })
})

it('says that the noise is unknown when neither run has a spread', () => {
  const change = compareFigures({ value: 10 }, { value: 12 }, time)
  expect(change.isUncertain).toBe(true)
  expect(describeChange(change)).toBe('+20.0 %, worse, noise unknown')
})

it('formats the change in percent of the value before', () => {
  const before = { value: 10, spread: [10, 10] } as const
  expect(describeChange(compareFigures(before, { value: 12.5 }, time))).toBe('+25.0 %, worse')
  expect(describeChange(compareFigures(before, { value: 7.5 }, time))).toBe('−25.0 %, better')
})

it('relates the change of a negative difference to its size', () => {
  expect(compareFigures({ value: -2 }, { value: -1 }, time)).toMatchObject({ percent: 50, outcome: 'worse' })
})

it('has no percentage of a baseline that is zero', () => {
  const change = compareFigures({ value: 0 }, { value: 3 }, time)
  expect(change).not.toHaveProperty('percent')
  expect(describeChange(change)).toBe('from zero, worse, noise unknown')
  expect(describeChange(compareFigures({ value: 0 }, { value: 0 }, time))).toBe('unchanged')
})

it('compares the figures of two runs by the names of sections, rows and columns', () => {
  const faster = replaceFigure(serverSection, [0, 0], { value: 15_000, spread: [14_000, 16_000] })
  const swapped = {
    ...serverSection,
    columns: serverSection.columns.toReversed(),
    rows: serverSection.rows
      .toReversed()
      .map(({ name, figures }) => ({ name, figures: figures.toReversed() })),
  }
  const { sections, warnings } = compareResults(createTestResults([faster]), createTestResults([swapped]))
  expect(warnings).toEqual([])
  expect(sections.get('servers')).toMatchObject([
    [{ outcome: 'better', before: { value: 12_000 }, percent: 25 }, { outcome: 'same' }],
    [{ outcome: 'same' }, null],
  ])
})

it('does not compare a section that the baseline lacks', () => {
  const { sections } = compareResults(createTestResults(), createTestResults([serverSection]))
  expect([...sections.keys()]).toEqual(['servers'])
})

it('marks rows and columns that the baseline lacks as new', () => {
  const before = { ...serverSection, rows: serverSection.rows.slice(0, 1) }
  const now = replaceFigure(serverSection, [1, 1], { value: 2 })
  const { sections } = compareResults(createTestResults([now]), createTestResults([before]))
  expect(sections.get('servers')?.[1]).toMatchObject([{ outcome: 'new' }, { outcome: 'new' }])
})

it('marks a figure as new whose cell of the baseline is empty', () => {
  const now = replaceFigure(serverSection, [1, 1], { value: 2 })
  const { sections } = compareResults(createTestResults([now]), createTestResults([serverSection]))
  expect(sections.get('servers')?.[1]?.[1]).toMatchObject({ outcome: 'new' })
})

it('does not compare figures of different units', () => {
  const before = { ...serverSection, columns: [rate, { name: 'latency', unit: 'µs' as const }] }
  const { sections } = compareResults(createTestResults([serverSection]), createTestResults([before]))
  const change = sections.get('servers')?.[0]?.[1]
  expect(change).toEqual({ outcome: 'unit', isUncertain: false })
})

it('warns of a baseline from another machine, Node or mode', () => {
  const before = createTestResults([], { cpu: 'Other CPU', node: 'v22.0.0', quick: true })
  expect(compareResults(createTestResults([]), before).warnings).toEqual([
    'The baseline was measured on 2 × Other CPU, 8 GB, linux x64, this run 2 × Test CPU, 8 GB, linux x64.',
    'The baseline was measured with Node v22.0.0, this run v24.21.0.',
    'The baseline was measured in quick mode, this run full mode.',
  ])
})

it('does not warn of a baseline of another commit or date', () => {
  const before = createTestResults([], { commit: 'def5678', date: '2026-01-01T00:00:00.000Z' })
  expect(compareResults(createTestResults([]), before).warnings).toEqual([])
})

it('counts outcomes, and those of unknown noise by themselves', () => {
  const now = replaceFigure(sizeSection, [1, 1], { value: 250 })
  const { sections } = compareResults(createTestResults([serverSection, now]), createTestResults())
  expect(countOutcomes(sections.values())).toMatchObject({ better: 0, worse: 0, same: 6, uncertain: 1 })
})
