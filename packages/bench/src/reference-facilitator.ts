// The x402 packages' own facilitator in a process of its own, on the chain of the first argument. Sends its
// port, and its processor seconds after any message.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startReferenceFacilitator } from '@mintmark/devkit/chain/upstream'
import { getCpuSeconds } from './serve-parent.ts'

const [, , rpcUrl = ''] = process.argv
const { url } = await startReferenceFacilitator({ rpcUrl, privateKey: devAccount(8).privateKey })
process.on('message', () => process.send?.(getCpuSeconds()))
process.on('disconnect', () => process.exit())
process.send?.(Number(new URL(url).port))
