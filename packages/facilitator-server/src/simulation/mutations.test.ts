import { findMutation } from '@mintmark/devkit/simulation/run-simulations'
import { expect, test } from 'vitest'
import { MUTATIONS } from './mutations.ts'

/** As many as the nightly tests run without a mutation. */
const SEEDS = 400

const worker = new URL('simulation-worker.ts', import.meta.url)

test.each(MUTATIONS)(
  'finds a facilitator that $name',
  async ({ name }) => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1)
    expect(await findMutation(worker, name, seeds)).toBeDefined()
  },
  1_800_000,
)
