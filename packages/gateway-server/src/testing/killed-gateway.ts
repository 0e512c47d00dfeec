// A gateway in a process of its own that ends, as by the machine's end, at the point FAULT names. Told by the environment.
import { createLog, environment } from '@mintmark/server-kit'
import { startGateway } from '../server.ts'

const { FAULT } = process.env
const gateway = await startGateway(environment(), createLog('gateway', 'error'), {
  faultPoint(at) {
    if (at === FAULT) process.kill(process.pid, 'SIGKILL')
  },
})
process.stdout.write(`ready ${gateway.url}\n`)
process.on('SIGTERM', () => void gateway.close().then(() => process.exit(0)))
