import type { Configuration } from './configuration.ts'

/** What tests change in the configuration: nothing is cached and nobody waits. */
export const testConfiguration: Partial<Configuration> = {
  metricsCacheMs: 0,
  treasuryCheckSeconds: 1,
  channelStateTtlMs: 0,
  revertWaitSeconds: 0,
}
