import { type Command, ConfigurationError, checkSchema } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { type Move, moveProject, undoMove } from '../cells/move-project.ts'
import { openGatewayDatabase } from '../database/database.ts'
import { checkSecretKeys } from '../keys/keys-store.ts'
import { gatewaySchema } from '../main/server.ts'
import { withDatabase } from './command-database.ts'

const CELL = /^[\w.-]{1,100}$/

/** Commands for projects in several cells: servers with databases of their own. */
export const projectCommands: Record<string, Command> = {
  'projects move': {
    summary:
      'Moves a project to the database --to of the cell --cell. Its writes are refused while it is copied. Repeat the command if it was interrupted; --undo ends such a move before the other cell has the project.',
    options: { project: 'id', to: 'url', cell: 'name' },
    flags: ['undo'],
    async run({ options }) {
      const { project = '', to = '', cell = '' } = options
      if (!/^[1-9]\d{0,14}$/.test(project)) throw new ConfigurationError('--project: expected a project id')
      if (!CELL.test(cell)) throw new ConfigurationError('--cell: expected letters, digits, "-", "_" or "."')
      await checkSchema(to, gatewaySchema)
      const other = openGatewayDatabase({ url: to, max: 1, applicationName: 'mintmark-gateway-projects' })
      try {
        await withDatabase('projects', async (_, sealer, source) => {
          await checkSecretKeys(other.system, sealer)
          const move: Move = { project: Number(project), cell, source, target: other.pool, log: console.log }
          await (options.undo === undefined ? moveProject(move) : undoMove(move))
        })
      } finally {
        await other.close()
      }
    },
  },
  'projects directory': {
    summary:
      'Prints the keys and the ids of the projects of this database, each with --cell, as the map of a proxy.',
    options: { cell: 'name' },
    async run({ options: { cell = '' } }) {
      if (!CELL.test(cell)) throw new ConfigurationError('--cell: expected letters, digits, "-", "_" or "."')
      await withDatabase('projects', async (db) => {
        const { rows } = await sql<{ key: string }>`
          with project as (select id from gateway.projects where state <> 'MOVED')
          select id::text as key from project
          union all
          select api_key from gateway.api_keys k where revoked_at is null and project_id in (select id from project)
          union all
          select publishable_key from gateway.publishable_keys k where revoked_at is null and project_id in (select id from project)`.execute(
          db,
        )
        for (const { key } of rows) console.log(`${key} ${cell}`)
      })
    },
  },
}
