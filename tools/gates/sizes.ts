import { basename } from 'node:path'
import { installClients } from '../bundle/bundle.ts'
import { overBudget, type Weight, weigh } from '../bundle/weights.ts'
import type { Package } from '../workspace.ts'
import type { Verdict } from './verdict.ts'

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** What the heaviest of some operations weighs, alone and as a further one. */
function heaviest(weights: readonly Weight[]): string {
  if (weights.length === 0) return 'no operations of its own'
  const alone = Math.max(...weights.map(({ alone }) => alone))
  const further = Math.max(...weights.flatMap((weight) => weight.further.map(({ bytes }) => bytes)))
  return `${weights.length} operations: at most ${kilobytes(alone)} with one, ${kilobytes(further)} more for the next`
}

/** Weighs all operations of the client packages. Servers are not bundled. */
export async function checkSizes(packages: readonly Package[]): Promise<readonly Verdict[]> {
  using installation = installClients()
  const weights = await weigh(installation)
  return packages
    .filter(({ manifest }) => manifest.sideEffects === false)
    .map(({ folder, manifest }) => {
      const own = weights.filter((weight) => weight.package === basename(folder))
      return { package: manifest.name, gate: 'size', said: heaviest(own), problems: overBudget(own) }
    })
}
