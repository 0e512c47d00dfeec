import { inspect } from 'node:util'
import { startProgress } from '../../packages/devkit/src/progress.ts'

interface Rehearsal {
  /** What is running, as a title. */
  readonly title: string
  /** The kills of a command without an argument. */
  readonly kills: number
  readonly killsPerPart: number
  /** Kills servers, logs what it found, and returns the number of problems. */
  runPart(part: { readonly seed: number; readonly kills: number; log(line: string): void }): Promise<number>
}

/**
 * Runs a rehearsal in parts, as a command: the first argument is the number of kills. MINTMARK_SEED repeats a run's choices. Each part has the
 * next seed.
 */
export async function runParts({
  title,
  kills: usualKills,
  killsPerPart,
  runPart,
}: Rehearsal): Promise<never> {
  const kills = Number(process.argv[2] ?? usualKills)
  const firstSeed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
  if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(firstSeed)) {
    console.error('Expected a number of kills, and a whole number as MINTMARK_SEED.')
    process.exit(2)
  }
  const progress = startProgress(process.stdout, title)
  let done = 0
  let problems = 0
  for (let seed = firstSeed; done < kills; seed += 1) {
    const part = Math.min(killsPerPart, kills - done)
    progress.line(`Seed ${seed}: ${part} kills.`)
    // A rehearsal does not report each kill. Parts are alike, so the estimate comes from those that have ended.
    progress.update({
      text: `part ${seed - firstSeed + 1} of ${Math.ceil(kills / killsPerPart)}, seed ${seed}`,
      done: done / kills,
    })
    done += part
    try {
      problems += await runPart({ seed, kills: part, log: (line) => progress.line(line) })
    } catch (error) {
      // What never ends is a problem. The other parts run as well.
      progress.line(inspect(error))
      problems += 1
    }
  }
  progress.end()
  console.log(`${done} kills, ${problems} problems.`)
  process.exit(problems === 0 ? 0 : 1)
}
