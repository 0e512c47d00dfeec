import type { Given } from './program.ts'
import type { Runtime } from './runtimes.ts'
import type { OpenStage } from './stage.ts'
import { differences } from './verdict.ts'

/**
 * Runs the program in a runtime and says what it saw otherwise than it should have; nothing where all is right. What it is given can be
 * changed.
 */
export async function tryIn(
  { name, run, ...traits }: Runtime,
  stage: OpenStage,
  change: (given: Given) => Given = (given) => given,
): Promise<readonly string[]> {
  const place = await stage.world.place(name)
  const seen = await run(stage, change(place.given))
  return differences(seen, await place.expected(traits))
}
