import { inspect } from 'node:util'
import { startProgress } from '../../packages/devkit/src/progress.ts'

interface Part {
  readonly seed: number
  readonly kills: number
  onKills(kills: number): void
  log(line: string): void
}

interface Rehearsal {
  /** What is running, as a title. */
  readonly title: string
  /** The number of kills, as text if it is an argument of the command. */
  readonly kills: number | string
  readonly killsPerPart: number
  /** Kills servers, logs what it found, and returns the number of problems. */
  runPart(part: Part): Promise<number>
}

/**
 * Runs a rehearsal in parts, as a command. MINTMARK_SEED repeats a run's choices. Each part has the
 * next seed.
 */
export async function runParts({
  title,
  kills: givenKills,
  killsPerPart,
  runPart,
}: Rehearsal): Promise<never> {
  const kills = Number(givenKills)
  const firstSeed = Number(process.env.MINTMARK_SEED ?? Math.floor(Math.random() * 1_000_000))
  if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(firstSeed)) {
    console.error('Expected a number of kills, and a whole number as MINTMARK_SEED.')
    process.exit(2)
  }
  const progress = startProgress(process.stdout, title)
  let killed = 0
  let problems = 0
  for (let part = 0; part * killsPerPart < kills; part += 1) {
    const seed = firstSeed + part
    const killsOfPart = Math.min(killsPerPart, kills - part * killsPerPart)
    progress.line(`Seed ${seed}: ${killsOfPart} kills.`)
    const before = killed
    const onKills = (count: number) => {
      killed = before + count
      progress.update({ text: `${killed} of ${kills} kills, seed ${seed}`, done: killed / kills })
    }
    try {
      problems += await runPart({ seed, kills: killsOfPart, onKills, log: (line) => progress.line(line) })
    } catch (error) {
      // What never ends is a problem. The other parts run as well.
      progress.line(inspect(error))
      problems += 1
    }
  }
  progress.end()
  console.log(`${killed} kills, ${problems} problems.`)
  process.exit(problems === 0 ? 0 : 1)
}
