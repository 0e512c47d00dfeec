import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import type { ConnectedChain } from '@mintmark/devkit/chain/connect'
import type { Random } from '@mintmark/devkit/random'
import { maxUint256 } from 'viem'
import { hex } from '../engine/testing.ts'
import { createApprovalLoad } from './approval-load.ts'
import { createCaptureLoad } from './capture-load.ts'
import { createChannelLoad } from './channel-load.ts'
import type { Load } from './load.ts'
import { createSolanaLoad } from './solana-load.ts'
import { createTransferLoad, type TransferKind } from './transfer-load.ts'

/** What a run can be restricted to. `transfers`: EIP-3009, Permit2 and upto beside each other. */
export const SCHEMES = [
  'transfers',
  'exact',
  'permit2',
  'upto',
  'rotation',
  'batches',
  'channels',
  'captures',
  'approvals',
  'solana',
] as const
export type Scheme = (typeof SCHEMES)[number]

/** What a fixture settles, and how. */
export interface Plan {
  readonly name: string
  /**
   * A place among the dev chain's accounts. The account pays for the gas of the fixture, or makes the
   * payments of its upstream.
   */
  readonly sender: number
  /** How many further keys the facilitators settle with. Default: none. */
  readonly moreSigners?: number
  /**
   * Whether the sender is being retired: some processes have its key only, others have it as that of a
   * retired signer. Default false.
   */
  readonly rotates?: boolean
  /** Whether the facilitators settle through an upstream. */
  readonly remote: boolean
  readonly chargeOn: 'upstream-2xx' | 'settled'
  /** Which of the two accounts settle in batches. */
  readonly batching: readonly [boolean, boolean]
  createLoad(parts: LoadParts): Promise<LoadOfPlan>
}

/** What a load is created with. */
export interface LoadParts {
  readonly chain: ConnectedChain
  /** The only node that the facilitators know. */
  readonly nodeUrl: string
  readonly random: Random
  readonly seller: string
  /** The kills of the fixture. */
  readonly kills: number
  readonly stops: AsyncDisposableStack
}

/** A load, and the settings that differ from those of other loads. */
export interface LoadOfPlan {
  readonly load: Load
  readonly env?: Readonly<Record<string, string>>
}

const NO_BATCHES = [false, false] as const

const builtIn = { sender: 7, remote: false, chargeOn: 'upstream-2xx', batching: NO_BATCHES } as const

/** Creates the plan of payments whose transactions our keys sign. */
const transfersBy = (name: string, kinds: readonly TransferKind[], changes: Partial<Plan> = {}): Plan => ({
  ...builtIn,
  name,
  createLoad: (parts) => createTransfers(parts, 1, kinds),
  ...changes,
})

/** Payments that an upstream makes. */
const REMOTE: readonly Plan[] = [
  transfersBy('remote', ['eip3009'], {
    sender: 8,
    remote: true,
    createLoad: (parts) => createTransfers(parts, 2, ['eip3009']),
  }),
  transfersBy('remote, charging what settled', ['eip3009'], {
    sender: 9,
    remote: true,
    chargeOn: 'settled',
    createLoad: (parts) => createTransfers(parts, 3, ['eip3009']),
  }),
]

const CHANNELS: Plan = {
  ...builtIn,
  name: 'channels',
  sender: 4,
  createLoad: async ({ chain, random, seller }) => ({
    load: await createChannelLoad(chain, random, hex(seller)),
  }),
}

/** The account that authorizes and captures. */
const OPERATOR = 3

const CAPTURES: Plan = {
  ...builtIn,
  name: 'captures',
  sender: OPERATOR,
  createLoad: async ({ chain, random, seller }) => ({
    load: await createCaptureLoad(chain, random, {
      address: hex(seller),
      operator: devAccount(OPERATOR).address,
    }),
  }),
}

/** Wei, more than an approval costs by the fee of the load. */
const GRANT_WEI = 10n ** 15n
const LEAST_GRANTS_PER_DAY = 20

const APPROVALS: Plan = {
  ...builtIn,
  name: 'approvals',
  sender: 5,
  async createLoad({ chain, random, kills }) {
    // A long run reaches the limit.
    const perDay = GRANT_WEI * BigInt(Math.max(LEAST_GRANTS_PER_DAY, kills))
    const load = await createApprovalLoad({ chain, random, wallets: 3 * kills + 20, perDay })
    return {
      load,
      env: { APPROVAL_GRANT_WEI: `84532=${GRANT_WEI}`, APPROVAL_GRANTS_PER_DAY_WEI: `84532=${perDay}` },
    }
  },
}

const SOLANA: Plan = {
  ...builtIn,
  name: 'solana',
  sender: 6,
  async createLoad({ nodeUrl, random, stops }) {
    const load = await createSolanaLoad(random, nodeUrl, stops)
    return { load, env: load.env }
  },
}

const MIXED = transfersBy('built-in', ['eip3009', 'eip3009', 'permit2', 'upto'], {
  batching: [false, true],
  moreSigners: 1,
  rotates: true,
})

const PLANS: Readonly<Record<Scheme, readonly Plan[]>> = {
  transfers: [MIXED, ...REMOTE],
  exact: [transfersBy('exact', ['eip3009']), ...REMOTE],
  permit2: [transfersBy('permit2', ['permit2'])],
  upto: [transfersBy('upto', ['upto'], { moreSigners: 1 })],
  rotation: [transfersBy('rotation', ['eip3009', 'permit2', 'upto'], { moreSigners: 1, rotates: true })],
  batches: [transfersBy('batches', ['eip3009'], { batching: [true, true] })],
  channels: [CHANNELS],
  captures: [CAPTURES],
  approvals: [APPROVALS],
  solana: [SOLANA],
}

/** Lists the plans of a scheme, or those of a run with all schemes. */
export const listPlans = (scheme: Scheme | undefined): readonly Plan[] =>
  scheme === undefined ? [MIXED, ...REMOTE, CHANNELS, CAPTURES, APPROVALS, SOLANA] : PLANS[scheme]

async function createTransfers(
  { chain }: LoadParts,
  payerIndex: number,
  kinds: readonly TransferKind[],
): Promise<LoadOfPlan> {
  const payer = devAccount(payerIndex)
  if (kinds.some((kind) => kind !== 'eip3009')) await approvePermit2(chain, payerIndex)
  return { load: createTransferLoad({ client: chain.client, payer, kinds }) }
}

/** Approves Permit2 for the token, before blocks are replaced. */
async function approvePermit2(chain: ConnectedChain, account: number): Promise<void> {
  const args = [permit2Address, maxUint256] as const
  await chain.confirm(
    chain.as(account).writeContract({
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'approve',
      args,
    }),
  )
}
