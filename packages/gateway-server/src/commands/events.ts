import { type Command, ConfigurationError } from '@mintmark/server-kit'
import { listProblems, retryProblems } from '../domains/events/problems.ts'
import { print, withDatabase } from './command-database.ts'

/** The most problems that are listed. They usually have the same cause. */
const LISTED_PROBLEMS = 100

/** Commands for changes that the server cannot report as events. */
export const eventCommands: Record<string, Command> = {
  'events problems': {
    summary: `Lists the oldest ${LISTED_PROBLEMS} changes that could not be reported as events, each with its problem.`,
    async run() {
      await withDatabase('events', async (db) => print(await listProblems(db, LISTED_PROBLEMS)))
    },
  },
  'events retry': {
    summary:
      'Lets the servers report changes again that "events problems" lists: all of them, those of --project, or --change. Run it when the cause is removed.',
    options: { project: 'id?', change: 'id?' },
    async run({ options }) {
      const filter = {
        project: parseId('project', options.project),
        change: parseId('change', options.change),
      }
      await withDatabase('events', async (db) => print({ retried: await retryProblems(db, filter) }))
    },
  },
}

function parseId(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new ConfigurationError(`--${option}: expected an id`)
  return Number(text)
}
