// A facilitator on a development chain behind a proxy that can lose answers, payers with stock clients, and sellers.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createWalletClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import {
  type AnswerProxy,
  startAnswerProxy,
} from '../../../packages/facilitator-server/src/e2e/testing-failing-path.ts'
import {
  settlePrice,
  type TestAccount,
  testFacilitator,
} from '../../../packages/facilitator-server/src/testing.ts'
import { PRICE, SELLERS_WALLET } from './routes.ts'

export type Environment = Awaited<ReturnType<typeof startEnvironment>>

/** Starts a facilitator that settles on a chain of its own, behind a proxy. */
export async function startEnvironment(stops: AsyncDisposableStack) {
  const chain = await testChain()
  const facilitator = await testFacilitator({
    chain,
    signerKeys: [devAccount(7).privateKey],
    env: { REPEAT_TIMEOUT_MS: '20000' },
  })
  stops.defer(() => facilitator.close())
  const answers: AnswerProxy = await startAnswerProxy(facilitator.url, async () => {})
  stops.defer(() => answers.close())
  const account: TestAccount = await facilitator.account({ settles: 1_000_000 })
  const usdc = { address: chain.token, abi: devUsdcAbi } as const
  const readBalance = (address: `0x${string}`) =>
    chain.client.readContract({ ...usdc, functionName: 'balanceOf', args: [address] })
  const mint = (address: `0x${string}`, amount: bigint) =>
    chain.confirm(
      chain.client.writeContract({
        ...usdc,
        account: devAccount(9).address,
        functionName: 'mint',
        args: [address, amount],
      }),
    )
  const available = async () => (await facilitator.available(account)) / settlePrice
  return { chain, facilitator, answers, account, readBalance, mint, available }
}

/** A payer with a stock client and funds for `purchases` reports. */
export async function openPayer({ chain, mint, readBalance }: Environment, purchases = 100n) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await mint(wallet.address, purchases * PRICE)
  let signed = ''
  const createClient = (identifier?: string) =>
    new x402Client()
      .register('eip155:*', new PayerScheme(wallet))
      .onBeforePaymentCreation(async ({ paymentRequired: { extensions } }) => {
        if (identifier !== undefined && extensions !== undefined)
          appendPaymentIdentifierToExtensions(extensions, identifier)
      })
      .onAfterPaymentCreation(async ({ paymentPayload }) => {
        signed = Buffer.from(JSON.stringify(paymentPayload)).toString('base64')
      })
  return {
    wallet,
    createClient,
    /** Buys with the stock client: asks, signs a new payment, and asks again. */
    buy: (url: string, { identifier, ...init }: RequestInit & { identifier?: string } = {}) =>
      wrapFetchWithPayment(fetch, createClient(identifier))(url, init),
    /** Buys at an address as if it had another host. */
    buyAt: (url: string, path: string, host: string) =>
      wrapFetchWithPayment((input, init) => {
        const request = new Request(input, init)
        return sendTo(`${url}${path}`, { host, ...Object.fromEntries(request.headers) })
      }, createClient())(`${url}${path}`),
    /** Gives all that it has away. */
    async spend() {
      const amount = await readBalance(wallet.address)
      await chain.client.setBalance({ address: wallet.address, value: 10n ** 18n })
      const call = { address: chain.token, abi: devUsdcAbi, functionName: 'transfer' } as const
      const sender = createWalletClient({ account: wallet, transport: http(chain.rpcUrl) })
      await chain.confirm(sender.writeContract({ ...call, chain: null, args: [SELLERS_WALLET, amount] }))
    },
    /** Sends the last signed payment once more. */
    repeat: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': signed } }),
    getSigned: () => signed,
    /** How much was paid, in prices of a report. */
    paid: async () => purchases - (await readBalance(wallet.address)) / PRICE,
  }
}

/** Sends a request with headers that `fetch` does not allow, such as `Host`. */
async function sendTo(url: string, headers: Record<string, string>): Promise<Response> {
  const [incoming] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage]
  const body = Buffer.concat(await incoming.toArray())
  return new Response(body, {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as Record<string, string>,
  })
}
