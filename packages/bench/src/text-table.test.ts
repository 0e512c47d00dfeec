import { expect, it } from 'vitest'
import { compareResults } from './comparison.ts'
import { createTestResults, replaceFigure, serverSection, sizeSection } from './testing.ts'
import { formatSection } from './text-table.ts'

it('formats a section as a table with its units, spreads and aims', () => {
  expect(formatSection(serverSection)).toBe(`
Two servers under load
            responses, per second  latency, ms
  fast  12,000 (11,000 to 13,000)          1.5
  slow     3,000 (2,900 to 3,100)
  reached  fast is at least 3 × slow: 4.00 ×`)
})

it('prints notes and missed aims', () => {
  const text = formatSection(sizeSection)
  expect(text).toContain('\n  Nothing was analyzed.')
  expect(text).toContain('\n  MISSED   no page takes longer than 100 ms: 300.0 ms')
})

it('lists what became better or worse than the baseline', () => {
  const now = replaceFigure(
    replaceFigure(serverSection, [0, 0], { value: 15_000, spread: [14_000, 16_000] }),
    [0, 1],
    { value: 3 },
  )
  const comparison = compareResults(createTestResults([now]), createTestResults([serverSection]))
  const lines = formatSection(now, comparison).split('\n').slice(-2)
  expect(lines).toEqual([
    '  fast, responses, per second: 12,000 → 15,000 (+25.0 %, better)',
    '  Compared with the baseline: 1 better, 0 worse, 1 within noise, 1 of unknown noise.',
  ])
})

it('prints the largest of many changes, and counts the others', () => {
  const row = (index: number, value: number) => ({
    name: `list ${index}`,
    figures: [{ value, spread: [value, value] as const }],
  })
  const create = (factor: number) => ({
    ...serverSection,
    columns: [{ name: 'time', unit: 'ms' as const }],
    rows: Array.from({ length: 15 }, (_, index) => row(index, 10 + factor * index)),
  })
  const now = create(2)
  const comparison = compareResults(createTestResults([now]), createTestResults([create(1)]))
  const lines = formatSection(now, comparison).split('\n').slice(-12)
  expect(lines[0]).toBe('  list 14, time, ms: 24.0 → 38.0 (+58.3 %, worse)')
  expect(lines.slice(-2)).toEqual([
    '  and 4 more',
    '  Compared with the baseline: 0 better, 14 worse, 1 within noise, 0 of unknown noise.',
  ])
})
