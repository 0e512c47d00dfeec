// An upstream facilitator that does one thing: it has the dev chain execute each payment, and responds after the milliseconds that
// its second argument says. What it settles is there to be found by whoever looks.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const [, , rpcUrl = '', delay = '0'] = process.argv
const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

interface SettleBody {
  paymentRequirements: { asset: Hex; network: string }
  paymentPayload: {
    payload: {
      signature: Hex
      authorization: {
        from: Hex
        to: Hex
        value: string
        validAfter: string
        validBefore: string
        nonce: Hex
      }
    }
  }
}

const sender = devAccount(9).address

async function rpc(method: string, params: unknown[]): Promise<Hex> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result?: Hex; error?: unknown }
  if (result === undefined) throw new Error(`the chain refused ${method}: ${JSON.stringify(error)}`)
  return result
}

// The node gives two concurrent transactions the same nonce.
let nonce = Number(await rpc('eth_getTransactionCount', [sender, 'pending']))

/** Sends the payment to the chain, which signs for its own accounts. Returns the transaction's hash. */
async function execute({ paymentRequirements, paymentPayload }: SettleBody): Promise<Hex> {
  const { signature, authorization: terms } = paymentPayload.payload
  const data = encodeFunctionData({
    abi,
    functionName: 'transferWithAuthorization',
    args: [
      ...([terms.from, terms.to] as const),
      ...([BigInt(terms.value), BigInt(terms.validAfter), BigInt(terms.validBefore)] as const),
      ...([terms.nonce, signature] as const),
    ],
  })
  const transaction = {
    from: sender,
    to: paymentRequirements.asset,
    data,
    gas: '0x30d40',
    nonce: `0x${nonce.toString(16)}`,
  }
  nonce += 1
  return await rpc('eth_sendTransaction', [transaction])
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const payment = JSON.parse(Buffer.concat(chunks).toString()) as SettleBody
  const [transaction] = await Promise.all([execute(payment), pause(Number(delay))])
  const { network } = payment.paymentRequirements
  const { from } = payment.paymentPayload.payload.authorization
  const body = JSON.stringify({ success: true, transaction, network, payer: from })
  response.writeHead(200, { 'content-type': 'application/json' }).end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(address?.port)
})
process.on('disconnect', () => process.exit())
