import { expect, it } from 'vitest'
import type { SectionResult } from './results.ts'
import { runSections } from './run-sections.ts'
import type { Section } from './section.ts'
import { serverSection, sizeSection } from './testing.ts'

/** A section with the measurement of a result, in two steps. */
function createSection({ seconds: _, name, title, ...measurement }: SectionResult): Section {
  return {
    name,
    title,
    async measure({ onStep }) {
      onStep(1, 2)
      onStep(2, 2)
      return measurement
    },
  }
}

it('measures sections one after the other and displays each step', async () => {
  const texts: string[] = []
  const results: SectionResult[] = []
  await runSections([serverSection, sizeSection].map(createSection), {
    quick: true,
    progress: { line() {}, update: ({ text }) => texts.push(text), end: () => '' },
    async onResult(result) {
      results.push(result)
    },
  })
  expect(texts).toEqual([
    'servers (1 of 2)',
    'servers (1 of 2), step 1 of 2',
    'servers (1 of 2), step 2 of 2',
    'sizes (2 of 2)',
    'sizes (2 of 2), step 1 of 2',
    'sizes (2 of 2), step 2 of 2',
  ])
  expect(results).toEqual([
    { ...serverSection, seconds: expect.any(Number) },
    { ...sizeSection, seconds: expect.any(Number) },
  ])
})
