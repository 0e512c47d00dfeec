// A gateway in a process of its own, which kills itself at the point that its orders name.
import { runOrders } from '@mintmark/devkit/served-process'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { readConfiguration } from '../main/configuration.ts'
import { startGateway } from '../main/server.ts'
import type { Orders } from './gateway-pool.ts'

runOrders(({ env, end }: Orders) => {
  let passed = 0
  const reach = (point: string) => {
    if (point !== end?.at) return
    if (passed === end.passes) process.kill(process.pid, 'SIGKILL')
    passed += 1
  }
  const log = createLog('gateway', process.env.MINTMARK_FAULTS_LOG || 'error')
  const settings = readEnvironment(env)
  return startGateway(settings, log, {
    configuration: {
      // Another process takes over soon after a kill.
      orders: { ...readConfiguration(settings).orders, checkEveryMs: 50, leaseSeconds: 1 },
      indexer: { everyMs: 50, rangeBlocks: 16, keptBlocks: 64, leaseSeconds: 1 },
    },
    faultPoint: reach,
    indexerFaultPoint: (point) => reach(`indexer ${point}`),
  })
})
