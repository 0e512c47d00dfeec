// The page of what happens to purchases when something breaks, made from the observations of tests.

/** What may break during a purchase. */
export const FAILURES = {
  'late-36': 'the block with the payment is 36 s late',
  'late-100': 'the block with the payment is 100 s late',
  'lost-answer': "the facilitator's answer to the settle is lost",
  'lost-answer-identifier':
    'the same, with a payment identifier and a seller that sends `Prefer: repeat-success`',
  'hang-up': 'the seller hangs up before the facilitator answers',
  'dead-node': "the chain's only node accepts requests and never answers",
} as const
export type Failure = keyof typeof FAILURES

/** What is known after a request of a purchase. */
export interface Observation {
  /** The HTTP status that the payer received. */
  readonly status: number
  readonly isDelivered: boolean
  /** How many times the price has left the payer's wallet. */
  readonly paid: number
  /** How many settles the seller's account was charged for. */
  readonly charged: number
  /** How often the seller's handler has run. */
  readonly runs: number
}

/** A purchase by a pair of packages: the stock payer's call, and the same signed request sent once more. */
export interface ObservedPurchase {
  readonly seller: string
  readonly payer: string
  readonly first: Observation
  readonly repeated: Observation
}

const formatAnswer = ({ status, isDelivered }: Observation) => (isDelivered ? 'delivered' : String(status))

function toCells({ first, repeated }: ObservedPurchase): string[] {
  const { paid, charged, runs } = repeated
  return [formatAnswer(first), formatAnswer(repeated), `${paid} ×`, `${charged} ×`, `${runs} ×`]
}

/** Formats the rows of a failure. Packages with the same outcome share a row. */
function formatRows(failure: Failure, purchases: readonly ObservedPurchase[]): string[] {
  const groups = Map.groupBy(purchases, (purchase) => toCells(purchase).join(' | '))
  return [...groups].map(([cells, group]) => {
    const pairs = group.map(({ seller, payer }) => `\`${seller}\` with \`${payer}\``)
    const packages = group.length === purchases.length ? 'all' : pairs.join(', ')
    return `| ${FAILURES[failure]} | ${packages} | ${cells} |`
  })
}

/** Formats the page. */
export function formatPage(observed: ReadonlyMap<Failure, readonly ObservedPurchase[]>): string {
  const failures = Object.keys(FAILURES) as Failure[]
  const rows = failures.flatMap((failure) => formatRows(failure, observed.get(failure) ?? []))
  return `# x402 when something breaks

Tests make each purchase with the npm packages of x402, unchanged: sellers on \`@x402/express\`, \`@x402/hono\` and \`@x402/next\`, payers with \`@x402/fetch\` and
\`@x402/axios\`, by \`exact\` with EIP-3009. One thing breaks during the purchase. Then the payer sends the request that it has signed once more.

| what breaks | packages | the payer receives | the same request again | paid | charged | the handler ran |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

A signed payment is never made twice. Stock payers sign another payment when their program calls them again, so keep the signed request and send it again until
it is answered. An answer that the facilitator has written and the seller has not read is given again only to sellers that
[remember what they delivered](guides/payment-identifiers.md#give-the-response-again), because anybody else would deliver twice. Sellers with
[\`@mintmark/seller\`](guides/sell-by-the-call.md) deliver every purchase of this page that was paid. What works without a failure is in [x402 compatibility](x402-compatibility.md).
`
}
