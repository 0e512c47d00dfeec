import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer } from '@mintmark/devkit/bundle-server'
import { createProcessPool, type ProcessPool } from '@mintmark/devkit/process-pool'

/** Points at which a gateway can end itself. Its jobs pass them only when they have work. */
export const FAULT_POINTS = [
  'claimed',
  'observed',
  'applied',
  'indexer claimed',
  'indexer read',
  'indexer writing',
  'indexer written',
] as const

/** How a gateway serves. */
export interface Orders {
  readonly env: Readonly<Record<string, string>>
  /** Where the process ends, and how often it passes that point before. */
  readonly end?: { readonly at: (typeof FAULT_POINTS)[number]; readonly passes: number } | undefined
}

export type GatewayPool = ProcessPool<Orders>

/** Bundles the gateway and starts its processes. */
export async function createGatewayPool(
  options: { readonly spare: number; readonly warmUp?: Orders },
  stops: AsyncDisposableStack,
): Promise<GatewayPool> {
  const bundle = await bundleServer(
    {
      server: resolve(import.meta.dirname, '../..'),
      programs: { gateway: fileURLToPath(new URL('./gateway-process.ts', import.meta.url)) },
      functions: {
        'database/functions': 'src/bundle/functions',
        'database/migrations': 'src/bundle/migrations',
      },
    },
    stops,
  )
  return await createProcessPool({ bundle, program: 'gateway', ...options }, stops)
}
