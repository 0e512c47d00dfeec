import { findMutation } from '@mintmark/devkit/simulation/run-simulations'
import { expect, test } from 'vitest'
import { MUTATIONS } from './mutations.ts'

/** The rarest of them shows in one of several hundred seeds. The search ends at the first one. */
const SEEDS = 2000

const worker = new URL('simulation-worker.ts', import.meta.url)

test.each(MUTATIONS)(
  'finds a gateway that $name',
  async ({ name }) => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1)
    expect(await findMutation(worker, name, seeds)).toBeDefined()
  },
  1_800_000,
)
