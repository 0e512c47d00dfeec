import type { Configuration } from './configuration.ts'

/** What tests change in the configuration: nothing is cached, and the treasury is checked often. */
export const testConfiguration: Partial<Configuration> = {
  metricsCacheMs: 0,
  treasuryCheckSeconds: 1,
  channelStateTtlMs: 0,
}
