import { formatChain } from '../../format/chains.ts'
import { healthTexts } from '../../texts/operator.ts'

/** Lists the nodes of a chain that do not respond, by their numbers in CHAINS, while another one does. */
export function listNodeProblems(chainId: string, nodes: readonly { readonly problem: string }[]) {
  return nodes.flatMap(({ problem }, index) => {
    if (problem === '') return []
    const texts = healthTexts.problems.node(String(index + 1), formatChain(chainId), problem)
    return [{ key: `node ${chainId} ${index + 1}`, tone: 'warning' as const, ...texts }]
  })
}
