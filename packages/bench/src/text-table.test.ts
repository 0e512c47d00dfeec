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
  const lines = formatSection(now, comparison).split('\n').slice(-3)
  expect(lines).toEqual([
    '  better  fast, responses, per second: 12,000 → 15,000 (+25.0 %, better)',
    '  worse   fast, latency, ms: 1.5 → 3.0 (+100.0 %, worse, noise unknown)',
    '  Compared with the baseline: 1 better, 1 worse, 1 within noise.',
  ])
})
