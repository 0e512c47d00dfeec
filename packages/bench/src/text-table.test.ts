import { expect, it } from 'vitest'
import { serverSection, sizeSection } from './testing.ts'
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
