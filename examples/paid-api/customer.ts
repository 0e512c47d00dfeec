// Pays for a call of the API, as an agent would.
// Run: npx node examples/paid-api/customer.ts http://localhost:3001/weather/Berlin
import { readFileSync } from 'node:fs'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const { accounts } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
// The wallets of development chains are public: never send them anything of value.
const account = privateKeyToAccount(accounts.payer.privateKey)

const client = new x402Client().register('eip155:*', new ExactEvmScheme(account))
const response = await wrapFetchWithPayment(
  fetch,
  client,
)(process.argv[2] ?? 'http://localhost:3001/weather/Berlin')
console.log(response.status, await response.text())
