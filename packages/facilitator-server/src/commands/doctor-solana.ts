import { type Check, type Outcome, reportError, reportOk, reportWarning } from '@mintmark/server-kit/doctor'
import { openSvmChain } from '../chains/svm/svm-nodes.ts'
import { LOW_FEE_PAYER_LAMPORTS, readLamports, readSvmNode } from '../chains/svm/svm-status.ts'
import type { Configuration } from '../configuration.ts'

type SvmSettings = Configuration['svm']
type SvmChainConfig = SvmSettings['chains'][number]

const LAMPORTS_PER_SOL = 1e9
const formatSol = (lamports: bigint): string => `${Number(lamports) / LAMPORTS_PER_SOL} SOL`

/** Creates a check of each network of Solana: its nodes, and the balances of the fee payers. */
export const createSolanaChecks = ({ chains, feePayers }: SvmSettings): readonly Check[] =>
  chains.map((config) => ({
    area: 'chains',
    name: config.network,
    run: () =>
      checkNetwork(
        config,
        feePayers.map(({ address }) => address),
      ),
  }))

async function checkNetwork(
  { network, rpcUrls }: SvmChainConfig,
  feePayers: readonly string[],
): Promise<Outcome[]> {
  const chain = openSvmChain(network, rpcUrls)
  const states = await Promise.all(chain.nodes.map((call) => readSvmNode(network, call)))
  const outcomes = states.flatMap(({ problem, isForeign }, index): Outcome[] => {
    const label = `Node ${index + 1} of ${network}`
    if (isForeign) return [reportError(`${label} cannot be used: ${problem}`, 'Correct its entry in CHAINS')]
    if (problem !== '')
      // Without a response of every node, no price of an expired transaction is returned.
      return [
        reportWarning(
          `${label} does not respond: ${problem}`,
          'Check the node, or replace it in CHAINS. Prices of transactions that never landed stay held meanwhile',
        ),
      ]
    return [reportOk(`${label} responds`)]
  })
  const usable = chain.nodes.filter((_, index) => states[index]?.problem === '')
  if (usable.length === 0)
    return [
      ...outcomes,
      reportError(`No node of ${network} can be used, so nothing is settled there`, 'Add a node to CHAINS'),
    ]
  if (rpcUrls.length === 1)
    outcomes.push(
      reportWarning(
        `${network} has one node, so nothing works there while it fails`,
        'Add a second node to CHAINS',
      ),
    )
  const balances = feePayers.map(async (address) =>
    checkFeePayer(
      `Fee payer ${address} on ${network}`,
      await readLamports({ network, nodes: usable }, address),
    ),
  )
  return [...outcomes, ...(await Promise.all(balances))]
}

function checkFeePayer(subject: string, lamports: bigint): Outcome {
  if (lamports === 0n) {
    const outcome = reportError(`${subject} has no SOL, so it cannot settle`, 'Send SOL to it')
    return { ...outcome, area: 'signers' }
  }
  if (lamports < LOW_FEE_PAYER_LAMPORTS) {
    const message = `${subject} has ${formatSol(lamports)}, less than ${formatSol(LOW_FEE_PAYER_LAMPORTS)}`
    return { ...reportWarning(message, 'Send SOL to it'), area: 'signers' }
  }
  return { ...reportOk(`${subject} has ${formatSol(lamports)}`), area: 'signers' }
}
