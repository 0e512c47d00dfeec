import type { MigrationPlan } from '@mintmark/server-kit'
import { SimulatedDatabase } from './simulated-database.ts'
import type { Simulation } from './simulation.ts'
import { createSimulationDatabase, createTableReset } from './simulation-database.ts'

/** The result of one seed. */
export interface SeedResult {
  readonly seed: number
  /** A line for each violated invariant. */
  readonly problems: readonly string[]
  /** Equal for equal runs. */
  readonly digest: string
  /** What happened, to see that a run shows something. */
  readonly counts: SeedCounts
}

export type SeedCounts = Readonly<Record<string, number>>

export interface SeedOptions {
  /** Without faults and rare events. */
  readonly isCalm: boolean
  /** Receives the trace. */
  readonly log?: (line: string) => void
}

/** Runs seeds one after another on a database of its own. */
export interface SeedRunner {
  run(seed: number, options: SeedOptions): Promise<SeedResult>
  close(): Promise<void>
}

/** A server that is simulated. */
export interface SimulatedServer<DB, Rows> {
  readonly schema: MigrationPlan
  /** Writes the rows with which every simulation begins. */
  prepare(url: string): Promise<Rows>
  run(seed: number, parts: SeedParts<DB, Rows>): Promise<ServerResult>
}

/** What a simulation of a server needs. */
export interface SeedParts<DB, Rows> extends SeedOptions {
  readonly database: SimulatedDatabase<DB>
  readonly rows: Rows
}

export interface ServerResult {
  readonly problems: readonly string[]
  readonly simulation: Simulation
  readonly counts: SeedCounts
}

/** Creates the database of a server and runs seeds on it. */
export async function createSeedRunner<DB, Rows>(server: SimulatedServer<DB, Rows>): Promise<SeedRunner> {
  const { schema } = server
  const { url, drop } = await createSimulationDatabase(schema)
  const rows = await server.prepare(url)
  const tables = await createTableReset(url, schema)
  const database = await SimulatedDatabase.open<DB>(url, schema.role)
  return {
    async run(seed, options) {
      await database.release()
      await tables.reset()
      const { statementCount, foreignWaits } = database
      const { problems, simulation, counts } = await server.run(seed, { ...options, database, rows })
      const isAlone = database.foreignWaits === foreignWaits
      return {
        seed,
        problems: isAlone ? problems : [...problems, NOT_ALONE],
        digest: simulation.digest,
        counts: { statements: database.statementCount - statementCount, ...counts },
      }
    },
    async close() {
      await database.release()
      await database.close()
      await tables.close()
      await drop()
    },
  }
}

const NOT_ALONE = 'the simulation is alone: a statement waited for a lock of another program'
