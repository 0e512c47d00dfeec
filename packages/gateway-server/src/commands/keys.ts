import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { ensureMinter } from '../keys/minters.ts'
import { print, withDatabase } from './command-database.ts'

/** What operators ask of the keys that sign mints. */
export const minterCommands: Record<string, Command> = {
  'minter show': {
    summary:
      "Prints the address that signs a project's mints, which its contracts have to let; makes the key where there is none.",
    options: { project: 'name' },
    async run({ options }) {
      await withDatabase('minter', async (db, sealer) => {
        const projects = await db
          .selectFrom('gateway.projects')
          .select('id')
          .where('name', '=', options.project ?? '')
          .execute()
        const [project] = projects
        if (project === undefined) throw new ConfigurationError(`there is no project ${options.project}`)
        print({ projectId: project.id, minter: await ensureMinter(db, sealer, project.id) })
      })
    },
  },
}
