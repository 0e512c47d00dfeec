import { setTimeout as pause } from 'node:timers/promises'
import { CommandFailedError, ConfigurationError } from '@mintmark/server-kit'
import type pg from 'pg'
import { checkMove } from './check-move.ts'
import { copyProject } from './copy-project.ts'
import { releaseProject } from './hold-project.ts'
import { readProject } from './project-state.ts'
import { removeProject } from './remove-project.ts'

/** A move of a project from the cell of this server to another one. */
export interface Move {
  readonly project: number
  /** The name of the other cell, which callers of a project that has moved receive. */
  readonly cell: string
  /** Connections of the owners of the schemas. */
  readonly source: pg.Pool
  readonly target: pg.Pool
  readonly log: (line: string) => void
}

/** How long servers use what they have read of a key, with a margin. */
const KEY_LIFETIME_MS = 2000

/**
 * Moves a project. The other cell gets all of it in one transaction, so its jobs and callers see the whole
 * project or nothing. Wherever this process ends, the project is in one of the cells, and another call
 * continues: from the beginning until the other cell has the project.
 */
export async function moveProject(move: Move): Promise<void> {
  const { project, cell, source, log } = move
  await withTarget(move, async (target) => {
    const { state } = await readSource(move)
    if (state === 'MOVED' || (state === 'FROZEN' && (await hasArrived(target, project)))) return
    if (state === 'FROZEN') await releaseProject(source, project)
    await withClient(source, (client) => checkMove(client, target, project))
    await copyProject({ project, cell, source, target, log })
  })
  await source.query(`update gateway.projects set state = 'MOVED' where id = $1`, [project])
  log(`The cell ${cell} has the project. Let the proxy send its calls there.`)
  await pause(KEY_LIFETIME_MS)
  await withClient(source, (client) => removeProject(client, project))
  // It may have moved away from there before.
  await releaseProject(move.target, project)
  log('Its rows are removed here.')
}

/** Undoes a move that ended before the other cell had the project. */
export async function undoMove(move: Move): Promise<void> {
  const { project, cell, source, log } = move
  await withTarget(move, async (target) => {
    const { state } = await readSource(move)
    if (state === 'MOVED' || (state === 'FROZEN' && (await hasArrived(target, project))))
      throw new CommandFailedError(`The cell ${cell} has the project. Repeat the move without --undo`)
    await releaseProject(source, project)
  })
  log('The project accepts writes.')
}

async function readSource({ source, project, cell }: Move) {
  const found = await readProject(source, project)
  if (found === undefined) throw new ConfigurationError(`--project: there is no project ${project}`)
  if (found.state !== 'ACTIVE' && found.cell !== cell)
    throw new ConfigurationError(`--cell: the project moves to ${found.cell}, or has moved there`)
  return found
}

/** Whether the other cell has a project that is held here. Nobody else can have created it there. */
async function hasArrived(target: pg.ClientBase, project: number): Promise<boolean> {
  const found = await readProject(target, project)
  return found !== undefined && found.state !== 'MOVED'
}

/**
 * Runs work with a transaction in the other cell, one at a time for all moves into it: a move that was thought
 * to have ended cannot commit after another call has seen that the project is not there.
 */
async function withTarget({ target }: Move, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  await withClient(target, async (client) => {
    await client.query(`begin; select pg_advisory_xact_lock(hashtextextended('gateway.projects/move', 0))`)
    await work(client)
    await client.query('commit')
  })
}

async function withClient(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await work(client)
  } finally {
    // The pool ends a connection whose transaction is still open.
    client.release()
  }
}
