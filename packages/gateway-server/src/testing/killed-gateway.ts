// A gateway that kills its own process at the point FAULT, after it has passed the point FAULT_AFTER times.
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { startGateway } from '../server.ts'

const { FAULT, FAULT_AFTER = '0' } = process.env
let passed = 0
const die = (at: string) => {
  if (at !== FAULT) return
  if (passed === Number(FAULT_AFTER)) process.kill(process.pid, 'SIGKILL')
  passed += 1
}
const gateway = await startGateway(readEnvironment(), createLog('gateway', 'error'), {
  faultPoint: die,
  indexerFaultPoint: (at) => die(`indexer ${at}`),
})
process.stdout.write(`ready ${gateway.url}\n`)
// With a channel to its parent, the process does not outlive it.
process.once('disconnect', () => process.exit(1))
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
