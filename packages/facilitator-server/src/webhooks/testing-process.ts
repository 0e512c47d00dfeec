// A separate process that makes due deliveries, for tests that kill it. Reads DATABASE_URL and SECRET_KEYS
// from the environment.
import { createLog, createSealer, openDatabase, readEnvironment } from '@mintmark/server-kit'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { createWebhooks } from './index.ts'
import { patient, quick } from './testing-times.ts'

const env = readEnvironment()
const url = env.text('DATABASE_URL') ?? ''
const sealer = createSealer(env.text('SECRET_KEYS') ?? '')
const database = openDatabase<Tables>({ url, role: facilitatorSchema.role })
await createWebhooks({
  database,
  sealer,
  log: createLog('sending', 'error'),
  ...quick,
  ...patient,
}).start()
process.stdout.write('sending\n')
