import { type Chain, readTrace, type TracedCall } from '@mintmark/evm-reader'
import { asHex, type ContractCall, listCalls } from '../../../chains/evm/reads/transfer.ts'

/**
 * What a call does, if it succeeds: it executes exactly a payment, or something else that could be mistaken
 * for it. Undefined: it has nothing to do with the payment, or calls others.
 */
export type ClassifyCall = (call: Readonly<ContractCall>) => 'payment' | 'other' | undefined

/** What the calls of a transaction were. `hidden`: they are inside another contract's call. */
export type CallsOutcome = 'payment' | 'other' | 'hidden'

export async function inspectCalls(
  { client }: Pick<Chain, 'client'>,
  hash: string,
  classify: ClassifyCall,
): Promise<CallsOutcome> {
  const { to, input } = await client.getTransaction({ hash: asHex(hash) })
  if (to === null) return 'hidden'
  if (listCalls(to, input).some((call) => !call.mayFail && classify(call) === 'payment')) return 'payment'
  return classify({ recipient: to.toLowerCase(), data: input }) === 'other' ? 'other' : 'hidden'
}

/**
 * Whether a transaction of another party executed exactly a payment. Undefined if its calls do not show it and
 * the node has no traces.
 */
export async function hasExecuted(
  chain: Pick<Chain, 'client'>,
  hash: string,
  classify: ClassifyCall,
): Promise<boolean | undefined> {
  const outcome = await inspectCalls(chain, hash, classify)
  if (outcome !== 'hidden') return outcome === 'payment'
  const trace = await readTrace(chain, asHex(hash))
  return trace && hasTraced(trace, classify)
}

/** Whether the payment was executed by a call or one inside it. A call that failed executed none. */
export function hasTraced(
  { type, to, input, error, calls = [] }: TracedCall,
  classify: ClassifyCall,
): boolean {
  if (error !== undefined) return false
  const isPayment =
    type === 'CALL' &&
    to !== undefined &&
    input !== undefined &&
    classify({ recipient: to.toLowerCase(), data: asHex(input) }) === 'payment'
  return isPayment || calls.some((call) => hasTraced(call, classify))
}
