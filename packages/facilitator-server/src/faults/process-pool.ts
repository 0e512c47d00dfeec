import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { bundleServer, type ServerBundle } from '@mintmark/devkit/bundle-server'
import { createProcessPool, type ProcessPool } from '@mintmark/devkit/process-pool'
import type { Orders } from './facilitator-process.ts'

/** Facilitators in separate processes. */
export interface FacilitatorPool extends ProcessPool<Orders> {
  /** Runs a command of the operator. @throws The error of `execFile` if the command fails. */
  runCommand(parameters: readonly string[], env: Readonly<Record<string, string>>): Promise<void>
}

const execute = promisify(execFile)

/** Enough for a line about each payment of a run. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const SPARE_PROCESSES = 2

const server = resolve(import.meta.dirname, '../..')

/** The programs that a run starts. */
const BUNDLE: ServerBundle = {
  server,
  programs: {
    facilitator: join(import.meta.dirname, 'facilitator-process.ts'),
    commands: join(server, 'src', 'cli.ts'),
  },
  functions: {
    'database/migrations': 'src/bundle/migrations',
    'catalog/functions': 'src/catalog/functions',
    'events/functions': 'src/events/functions',
    'ledger/functions': 'src/ledger/functions',
  },
}

/** Bundles the facilitator and starts its processes. */
export async function createFacilitatorPool(
  warmUp: Orders,
  stops: AsyncDisposableStack,
): Promise<FacilitatorPool> {
  const bundle = await bundleServer(BUNDLE, stops)
  const pool = await createProcessPool(
    { bundle, program: 'facilitator', spare: SPARE_PROCESSES, warmUp },
    stops,
  )
  return {
    ...pool,
    async runCommand(parameters, env) {
      await execute(process.execPath, [bundle.getScript('commands'), ...parameters], {
        env: { ...process.env, ...env },
        maxBuffer: MAX_OUTPUT_BYTES,
      })
    },
  }
}
