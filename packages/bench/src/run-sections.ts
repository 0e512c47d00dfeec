import type { Progress } from '@mintmark/devkit/progress'
import type { SectionResult } from './results.ts'
import { createSchedule } from './schedule.ts'
import type { Section } from './section.ts'

interface RunOptions {
  readonly quick: boolean
  readonly progress: Progress
  /** How long a section took in an earlier run, by its name. */
  readonly expectedSeconds: ReadonlyMap<string, number>
  /** Receives each result as soon as it is measured. */
  onResult(result: SectionResult): Promise<void>
}

/** Measures sections one after the other, and displays how much is done. */
export async function runSections(sections: readonly Section[], options: RunOptions): Promise<void> {
  const { quick, progress, expectedSeconds, onResult } = options
  const schedule = createSchedule(sections.map(({ name }) => expectedSeconds.get(name)))
  for (const [index, section] of sections.entries()) {
    const { name, title } = section
    const text = `${name} (${index + 1} of ${sections.length})`
    const startedAt = performance.now()
    schedule.start()
    progress.update({ text, done: schedule.getDone() })
    const measurement = await section.measure({
      quick,
      onStep(done, total) {
        schedule.step(done / total)
        progress.update({ text: `${text}, step ${done} of ${total}`, done: schedule.getDone() })
      },
    })
    const seconds = (performance.now() - startedAt) / 1000
    schedule.finish(seconds)
    await onResult({ name, title, seconds: Math.round(seconds * 10) / 10, ...measurement })
  }
}
