// An upstream facilitator that makes each payment on the dev chain of its first argument, and responds after
// the milliseconds of its second.
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { anvilClient } from '@mintmark/devkit/chain/chain'
import { executePayment, type PaymentBody } from '../../facilitator-server/src/engine/testing-execution.ts'
import { serveParent } from './serve-parent.ts'

const [, , rpcUrl = '', delay = '0'] = process.argv
const client = anvilClient(rpcUrl)
const sender = devAccount(9).address
// The node would give two concurrent transactions the same nonce, and estimate the gas of each.
let nonce = await client.getTransactionCount({ address: sender, blockTag: 'pending' })

serveParent(async (request, response) => {
  const body = (await json(request)) as PaymentBody
  const executed = executePayment(client, sender, body, { gas: 200_000n, nonce })
  nonce += 1
  const [transaction] = await Promise.all([executed, pause(Number(delay))])
  const { network } = body.paymentRequirements
  const payer = body.paymentPayload.payload.authorization.from
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, transaction, network, payer }))
})
