// A separate process that delivers to webhooks, for tests that kill it. Reads DATABASE_URL and SECRET_KEYS
// from the environment.
import { createLog, createSealer, readEnvironment } from '@mintmark/server-kit'
import { openGatewayDatabase } from '../../database/database.ts'
import { createWebhookDelivery } from './delivering.ts'
import { patient, quickWebhooks } from './testing-times.ts'

const env = readEnvironment()
const database = openGatewayDatabase({ url: env.text('DATABASE_URL') ?? '' })
const sealer = createSealer(env.text('SECRET_KEYS') ?? '')
const log = createLog('delivering', 'error')
await createWebhookDelivery({ database, sealer, log, ...quickWebhooks, ...patient }).start()
process.stdout.write('delivering\n')
