// Runs seeds in a process of its own, because it replaces clocks, timers and `fetch` before the gateway is
// loaded.
import { simulatePlatform } from '@mintmark/devkit/simulation/simulated-platform'
import { applyMutation } from '@mintmark/server-kit/simulation/mutations'
import { serveSeeds } from '@mintmark/server-kit/simulation/serve-seeds'
import { MUTATIONS } from './mutations.ts'

simulatePlatform()
applyMutation(MUTATIONS)
const { createGatewayRunner } = await import('./run-seed.ts')
serveSeeds(createGatewayRunner)
