import { migrate } from '@mintmark/server-kit'
import { createTestDatabase, type TestDatabase } from '@mintmark/server-kit/testing'
import { facilitatorSchema } from './migrations/index.ts'
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
