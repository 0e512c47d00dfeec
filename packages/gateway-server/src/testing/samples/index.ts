import { marketSamples } from './market.ts'
import type { Sample } from './sample.ts'

/** One sample for each operation of the gateway. */
export const samples: readonly Sample[] = [...marketSamples]
