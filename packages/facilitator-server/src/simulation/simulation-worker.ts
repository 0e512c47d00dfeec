// Runs seeds in a process of its own, because it replaces clocks, timers and `fetch` before the facilitator
// is loaded.

import { applyMutation } from '@mintmark/devkit/simulation/mutations'
import { serveSeeds } from '@mintmark/devkit/simulation/serve-seeds'
import { simulatePlatform } from '@mintmark/devkit/simulation/simulated-platform'
import { MUTATIONS } from './mutations.ts'

simulatePlatform()
applyMutation(MUTATIONS)
const { createFacilitatorRunner } = await import('./run-seed.ts')
serveSeeds(createFacilitatorRunner)
