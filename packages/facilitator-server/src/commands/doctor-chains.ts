import { type Chains, orProblem } from '@mintmark/evm-reader'
import {
  type Check,
  type DatabaseCheck,
  defineCheck,
  failIf,
  readRows,
  warnIf,
} from '@mintmark/server-kit/doctor'
import { multicallAddress } from '../chains/evm/reads/multicall-reads.ts'
import { asHex } from '../chains/evm/reads/transfer.ts'
import { LOW_FEE_PAYER_LAMPORTS, type SvmStatus } from '../chains/solana/svm-status.ts'
import type { Configuration } from '../configuration.ts'

type TreasurySettings = Pick<Configuration, 'treasury' | 'treasuryChain' | 'treasuryFromBlock'>

/** Creates the check of the contract that receives deposits. */
export function createTreasuryCheck(settings: TreasurySettings, chains: Chains): Check {
  const { treasury, treasuryChain, treasuryFromBlock: from } = settings
  return defineCheck({
    area: 'chains',
    name: 'The treasury',
    async read() {
      const states = chains.all
        .filter(({ id }) => id === treasuryChain)
        .map(({ client, newestBlock }) =>
          orProblem(async () => ({
            code: await client.getCode({ address: asHex(treasury) }),
            head: await newestBlock(),
          })),
        )
      // The check of the chain reports why no node responds.
      return (await Promise.all(states)).filter(({ problem }) => problem === '')
    },
    problems: ({ code, head = 0n }) => [
      failIf(code === undefined)`
        TREASURY_ADDRESS ${treasury} is not a contract on chain ${treasuryChain}, so deposits to it are lost
        Correct TREASURY_ADDRESS and TREASURY_CHAIN, or deploy the contract`,
      failIf(from > head)`
        TREASURY_FROM_BLOCK ${from} is after the newest block ${head}, so deposits are not credited
        Set TREASURY_FROM_BLOCK to the block of the treasury's deployment`,
      warnIf(from === 0n && head > 1_000_000n)`
        TREASURY_FROM_BLOCK is not set, so the whole chain is searched for deposits first
        Set TREASURY_FROM_BLOCK to the block of the treasury's deployment`,
    ],
    ok: () => `The treasury is a contract on chain ${treasuryChain}`,
  })
}

const readBatchAccounts = readRows<{ count: number }>(
  'select count(*)::int as count from facilitator.accounts where batch_delay_ms > 0 having count(*) > 0',
)

/** Creates the check that settles of accounts with a batch delay can share a transaction. */
export const createBatchCheck = ({ all }: Chains): DatabaseCheck =>
  defineCheck({
    area: 'chains',
    name: 'Multicall3',
    async read(db) {
      const states = (await readBatchAccounts(db)).flatMap(({ count }) =>
        all.map(async ({ id, client }) => ({
          id,
          count,
          ...(await orProblem(async () => ({ code: await client.getCode({ address: multicallAddress }) }))),
        })),
      )
      return (await Promise.all(states)).filter(({ problem }) => problem === '')
    },
    problems: ({ id, count, code }) => [
      warnIf(code === undefined)`
        Chain ${id} has no contract at ${multicallAddress} (Multicall3), so no settles of ${count} accounts with a batch delay share a transaction there
        Deploy Multicall3 on chain ${id} and start the server again, or run accounts batch <account> --delay 0`,
    ],
    ok: ({ id }) => `Chain ${id} has Multicall3, which batches call`,
  })

/** Slots that nodes of one network may differ by: about a minute. */
const SLOT_TOLERANCE = 150

/** Creates the check of the networks of Solana: their nodes, and the balances of the fee payers. */
export const createSolanaCheck = (readStatus: () => Promise<readonly SvmStatus[]>): Check =>
  defineCheck({
    area: 'chains',
    name: 'Solana',
    read: readStatus,
    problems: ({ network, nodes, feePayers, newestSlot = 0 }) => [
      failIf(nodes.every(({ problem }) => problem !== ''))`
        No node of ${network} can be used, so nothing is settled there
        Add a node to CHAINS`,
      warnIf(nodes.length === 1)`${network} has one node, so nothing works there while it fails
        Add a second node to CHAINS`,
      ...nodes.flatMap(({ problem, isForeign, newestSlot: slot = newestSlot }, index) => [
        failIf(isForeign)`Node ${index + 1} of ${network} cannot be used: ${problem}
          Correct its entry in CHAINS`,
        // Without a response of every node, no price of an expired transaction is returned.
        warnIf(problem !== '' && !isForeign)`Node ${index + 1} of ${network} does not respond: ${problem}
          Check the node, or replace it in CHAINS. Prices of transactions that never landed stay held meanwhile`,
        warnIf(newestSlot - slot > SLOT_TOLERANCE)`
          Node ${index + 1} of ${network} is ${newestSlot - slot} slots behind another one
          Wait until it is synchronized, move it to the end of the list in CHAINS, or replace it`,
      ]),
      ...feePayers.flatMap(({ address, lamports = LOW_FEE_PAYER_LAMPORTS }) => [
        failIf(lamports === 0n, 'signers')`Fee payer ${address} on ${network} has no SOL, so it cannot settle
          Send SOL to it`,
        warnIf(lamports > 0n && lamports < LOW_FEE_PAYER_LAMPORTS, 'signers')`
          Fee payer ${address} on ${network} has ${formatSol(lamports)}, less than ${formatSol(LOW_FEE_PAYER_LAMPORTS)}
          Send SOL to it`,
      ]),
    ],
    ok: ({ network, nodes }) => `${network} responds (${nodes.length} nodes), and its fee payers have SOL`,
  })

const formatSol = (lamports: bigint): string => `${Number(lamports) / 1e9} SOL`
