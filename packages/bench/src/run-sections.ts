import type { Progress } from '@mintmark/devkit/progress'
import type { SectionResult } from './results.ts'
import type { Section } from './section.ts'

interface RunOptions {
  readonly quick: boolean
  readonly progress: Progress
  /** Receives each result as soon as it is measured. */
  onResult(result: SectionResult): Promise<void>
}

/** Measures sections one after the other, and displays how much is done. */
export async function runSections(
  sections: readonly Section[],
  { quick, progress, onResult }: RunOptions,
): Promise<void> {
  for (const [index, { name, title, measure }] of sections.entries()) {
    const text = `${name} (${index + 1} of ${sections.length})`
    const startedAt = performance.now()
    progress.update({ text })
    const measurement = await measure({
      quick,
      onStep: (done, total) => progress.update({ text: `${text}, step ${done} of ${total}` }),
    })
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    await onResult({ name, title, seconds, ...measurement })
  }
}
