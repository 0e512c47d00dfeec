// Wallets without native tokens, which receive the gas of their approval of Permit2. Some want to receive it
// twice.
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import type { Random } from '@mintmark/devkit/random'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { signedPermit2Body } from '../engine/testing.ts'
import {
  approvalExtension,
  MAX_FEE,
  signApproval,
} from '../schemes/evm/shared/permit2/approvals/testing-approvals.ts'
import { findGrantProblems } from './approval-problems.ts'
import { VALID_BEFORE } from './fixture.ts'
import type { Load } from './load.ts'
import { findTransferProblems, getTransfersOnChain } from './transfer-problems.ts'

const WALLET_FUNDS = 1_000_000n
/** The share of the payments of which the wallet has not paid before. */
const NEW_WALLET_RATE = 0.5
/** Payments of a wallet that has paid are chosen among the latest ones, whose grants may be in progress. */
const RECENT_WALLETS = 6

interface ApprovalLoadOptions {
  readonly chain: ConnectedChain
  readonly random: Random
  /** The number of wallets that can pay. */
  readonly wallets: number
  /** The most wei for the payers of an account in a day. */
  readonly perDay: bigint
}

/** Creates the wallets, and the load of their first and later payments. */
export async function createApprovalLoad(options: ApprovalLoadOptions): Promise<Load> {
  const { chain, random, perDay } = options
  const wallets = await createWallets(options)
  const unused = [...wallets]
  const used: PrivateKeyAccount[] = []
  const pickWallet = (): PrivateKeyAccount => {
    const first = used.length === 0 || random.chance(NEW_WALLET_RATE) ? unused.pop() : undefined
    if (first === undefined) return random.pick(used.slice(-RECENT_WALLETS))
    used.push(first)
    return first
  }
  return {
    async sign({ seller, accounts, signers }) {
      const wallet = pickWallet()
      const [nonce, amount] = [`0x${random.hex(32)}`, BigInt(1 + random.integer(1000))]
      const terms = { account: wallet, to: seller, value: amount, nonce, validBefore: VALID_BEFORE }
      // Two approvals of a wallet may differ, and have the same nonce.
      const maxFeePerGas = MAX_FEE + BigInt(random.integer(3))
      const raw = await signApproval(wallet, chain.token, { maxFeePerGas })
      const extensions = approvalExtension(wallet.address, chain.token, raw)
      const upto = random.chance(0.3) && { facilitator: random.pick(signers), maximum: amount + 100n }
      const body = await signedPermit2Body({ ...terms, extensions, ...upto })
      return { nonce, amount, bodies: [body], account: random.pick(accounts) }
    },
    getPaid: ({ seller }) => getTransfersOnChain(chain.client, seller),
    async findProblems(fixture, facts) {
      const wei = await findGrantProblems(fixture, chain.client, { perDay, wallets })
      return [...(await findTransferProblems(fixture, chain.client, facts)), ...wei]
    },
  }
}

async function createWallets({ chain, random, wallets }: ApprovalLoadOptions): Promise<PrivateKeyAccount[]> {
  const created = Array.from({ length: wallets }, () => privateKeyToAccount(`0x${random.hex(32)}`))
  for (const { address } of created) {
    const transfer = { address: chain.token, abi: devUsdcAbi, functionName: 'transfer' } as const
    await chain.as(1).writeContract({ ...transfer, args: [address, WALLET_FUNDS] })
  }
  return created
}
