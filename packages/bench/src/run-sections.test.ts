import { expect, it } from 'vitest'
import type { SectionResult } from './results.ts'
import { runSections } from './run-sections.ts'
import { createSchedule } from './schedule.ts'
import type { Section } from './section.ts'
import { serverSection, sizeSection } from './testing.ts'

it('knows nothing of the rest before the first step', () => {
  const schedule = createSchedule([undefined, undefined])
  schedule.start()
  expect(schedule.getDone()).toBeUndefined()
})

it('counts sections the same while no duration is known', () => {
  const schedule = createSchedule([undefined, undefined])
  schedule.start()
  schedule.step(0.5)
  expect(schedule.getDone()).toBe(0.25)
})

it('weighs sections by their durations in an earlier run', () => {
  const schedule = createSchedule([10, 30])
  schedule.start()
  schedule.finish(10)
  schedule.start()
  schedule.step(1 / 3)
  expect(schedule.getDone()).toBe(0.5)
})

it('replaces the expected duration of a section by the real one', () => {
  const schedule = createSchedule([10, 30])
  schedule.start()
  schedule.finish(30)
  expect(schedule.getDone()).toBe(0.5)
})

it('assumes the mean of the known durations for a section that has none', () => {
  const schedule = createSchedule([20, undefined, 40])
  schedule.start()
  schedule.finish(20)
  // 20 of 20, about 80 / 3 and 40 seconds.
  expect(schedule.getDone()).toBeCloseTo(20 / (20 + 80 / 3 + 40))
})

it('is done after the last section', () => {
  const schedule = createSchedule([5])
  schedule.start()
  schedule.finish(7)
  expect(schedule.getDone()).toBe(1)
})

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
    expectedSeconds: new Map(),
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
