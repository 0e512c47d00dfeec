// The x402 packages' own facilitator in a process of its own, on the chain of the first argument. Says its port, and,
// when it is sent anything, the processor seconds that it has used.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startReferenceFacilitator } from '@mintmark/devkit/chain/upstream'

const [, , rpcUrl = ''] = process.argv
const { url } = await startReferenceFacilitator({ rpcUrl, privateKey: devAccount(8).privateKey })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.((user + system) / 1e6)
})
process.on('disconnect', () => process.exit())
process.send?.(Number(new URL(url).port))
