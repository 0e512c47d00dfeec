import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { migrate } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { facilitatorSchema } from './database/schema.ts'
import type { Tables } from './database/tables.ts'
import { migrateJobs } from './webhooks/index.ts'

/**
 * Creates a database with the schemas of the facilitator and of its job queue. They are migrated once and
 * copied for each test.
 */
export async function createFacilitatorDatabase(): Promise<TestDatabase> {
  return await createTestDatabase({
    name: 'facilitator',
    async prepare(url) {
      await migrate(url, facilitatorSchema)
      await migrateJobs(url)
    },
  })
}

/** A database whose statements fail as if it could not be reached, while their text matches `fails`. */
export interface BrittleDatabase {
  readonly db: Kysely<Tables>
  fails: RegExp | undefined
}

export function createBrittleDatabase(db: Kysely<Tables>): BrittleDatabase {
  const brittle: BrittleDatabase = {
    fails: undefined,
    db: db.withPlugin({
      transformQuery({ node }) {
        const text = node.kind === 'RawNode' ? node.sqlFragments.join('') : node.kind
        if (brittle.fails?.test(text))
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
        return node
      },
      transformResult: async ({ result }) => result,
    }),
  }
  return brittle
}
