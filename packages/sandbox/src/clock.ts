import type { AnvilClient } from '@mintmark/devkit'
import type pg from 'pg'
import { parseDuration } from './duration.ts'

/** The clock of a sandbox: both servers, the database and the chain read it. */
export interface SandboxClock {
  /** Returns the time in milliseconds since the epoch. It passes as usual. */
  now(): number
  /**
   * Moves the clock forward, mines a block at the new time and runs the jobs of both servers. When it
   * returns, sales have ended, cards and quotas have expired and phases have opened. It cannot move back.
   *
   * Signatures of calls and of webhooks keep the system's time, so that programs with their own clock can
   * call the servers.
   *
   * @param duration Milliseconds, or a number with a unit: `ms`, `s`, `m`, `h`, `d` or `w`.
   * @example
   * await sandbox.clock.advance('3d')
   */
  advance(duration: number | string): Promise<void>
}

/** The clock's time before the servers that read it are started. */
export interface ClockReading {
  /** Milliseconds that the clock is ahead of the system's. */
  aheadMs: number
  now(): number
}

export function createClockReading(aheadMs: number): ClockReading {
  return {
    aheadMs,
    now() {
      return Date.now() + this.aheadMs
    },
  }
}

interface ClockParts {
  readonly reading: ClockReading
  readonly admin: pg.Pool
  readonly chain: AnvilClient
  /** Runs the jobs of both servers. */
  runJobs(): Promise<void>
}

export function createClock({ reading, admin, chain, runJobs }: ClockParts): SandboxClock {
  return {
    now: () => reading.now(),
    async advance(duration) {
      reading.aheadMs += parseDuration(duration)
      await writeAhead(admin, reading)
      await catchUpChain(chain, reading)
      await runJobs()
    },
  }
}

async function writeAhead(admin: pg.Pool, { aheadMs }: ClockReading): Promise<void> {
  await admin.query(`update sandbox.clock set ahead = $1 * interval '1 millisecond'`, [aheadMs])
}

/** Mines a block whose time is the clock's, unless the chain is at that time already. */
export async function catchUpChain(chain: AnvilClient, reading: ClockReading): Promise<void> {
  await chain.mine({ blocks: 1 })
  const { timestamp } = await chain.getBlock()
  const behind = Math.floor(reading.now() / 1000) - Number(timestamp)
  if (behind <= 0) return
  await chain.increaseTime({ seconds: behind })
  await chain.mine({ blocks: 1 })
}
