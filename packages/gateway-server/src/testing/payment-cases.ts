import { devAccount } from '@mintmark/devkit/chain/accounts'
import { smartWalletAbi } from '@mintmark/devkit/chain/artifacts/abi'
import smartWallet from '@mintmark/devkit/chain/artifacts/SmartWallet.json' with { type: 'json' }
import type { TestChain } from '@mintmark/devkit/chain/testing'
import type { Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { createListing } from './create-listing.ts'
import { newHash, type OrderFixture, type OrderSnapshot } from './order-fixture.ts'
import type { SampleProject } from './samples/sample.ts'

const erc20 = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 value) returns (bool)',
])
const walletAbi = parseAbi(['function execute(address target, uint256 value, bytes data) returns (bytes)'])

/** The environment of the cases on a development chain. */
export interface PaymentEnvironment {
  readonly chain: TestChain
  readonly project: SampleProject
  readonly orderFixture: OrderFixture
  readonly other: { readonly project: SampleProject; readonly orderFixture: OrderFixture }
  /** A token that no order is paid with. Every account owns some. */
  readonly otherToken: Address
  /** A contract wallet. Account 3 owns it. */
  readonly contract: Address
}

export const PRICE = 1_000_000n
const BUYER = 1
const OWNER = 3
const buyer = devAccount(BUYER).address.toLowerCase()

/** A way to pay an order, or to fail, and the resulting state. */
export interface PaymentCase {
  readonly name: string
  /** Places the order, pays it and reports the payment. */
  begin(fixture: PaymentEnvironment): Promise<Order>
  readonly ends: Pick<OrderSnapshot, 'status' | 'reason' | 'listing'>
  /** The seller owes a refund. */
  readonly refundDue?: true
  /** The case runs the verifier while it begins. */
  readonly verifies?: true
}

const sold: OrderSnapshot['listing'] = [9, 0, 1]
const kept: OrderSnapshot['listing'] = [9, 1, 0]
const givenBack: OrderSnapshot['listing'] = [10, 0, 0]

/** Lists ten units, priced in a token or the native one, and orders one. */
export async function createOrder(
  { project, orderFixture, chain }: PaymentEnvironment,
  {
    native = false,
    indexed = false,
    recipient = buyer,
  }: { native?: boolean; indexed?: boolean; recipient?: string } = {},
): Promise<{ listing: Listing; order: Order }> {
  const terms = { payPrice: PRICE.toString(), payTokenAddress: native ? '' : chain.token }
  const listing = await createListing(project, terms, { indexed })
  return { listing, order: await orderFixture.order(listing, { recipient }) }
}

export const transfer = (to: string, value: bigint): Hex =>
  encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [getAddress(to), value] })

/** Sends a transaction, which the chain mines immediately. */
export async function send(
  { chain }: PaymentEnvironment,
  to: string,
  { data = '0x', value = 0n, account = BUYER }: { data?: Hex; value?: bigint; account?: number } = {},
): Promise<Hex> {
  // With an explicit gas limit, a transaction that will revert is sent, too.
  const hash = await chain.as(account).sendTransaction({ to: getAddress(to), data, value, gas: 300_000n })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}

const transferFrom = (payer: string, payee: string, value: bigint): Hex =>
  encodeFunctionData({
    abi: erc20,
    functionName: 'transferFrom',
    args: [getAddress(payer), getAddress(payee), value],
  })

export const payToken = (fixture: PaymentEnvironment, order: Order, amount = PRICE) =>
  send(fixture, fixture.chain.token, { data: transfer(order.sender, amount) })

export const execute = (target: string, value: bigint, data: Hex): Hex =>
  encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [getAddress(target), value, data] })

function simple(
  name: string,
  ends: PaymentCase['ends'],
  pay: (fixture: PaymentEnvironment, order: Order) => Promise<string>,
  options:
    | Parameters<typeof createOrder>[1]
    | ((fixture: PaymentEnvironment) => Parameters<typeof createOrder>[1]) = {},
): PaymentCase {
  return {
    name,
    ends,
    async begin(fixture) {
      const { order } = await createOrder(fixture, typeof options === 'function' ? options(fixture) : options)
      await fixture.orderFixture.pay(order, await pay(fixture, order))
      return order
    },
  }
}

const success = { status: 'SUCCESS', reason: '', listing: sold }
const failedBy = (reason: string): PaymentCase['ends'] => ({ status: 'FAILED', reason, listing: givenBack })
const tooLittle = { status: 'UNRESOLVED', reason: 'not_enough', listing: kept }
const native = { native: true }

/**
 * A payment that comes after the order's time; what is left of the listing is taken by others before it where
 * `gone`.
 */
function lateCase(name: string, ends: PaymentCase['ends'], gone: boolean): PaymentCase {
  return {
    name,
    ends,
    verifies: true,
    async begin(fixture) {
      const { listing, order } = await createOrder(fixture)
      await fixture.orderFixture.expire(order)
      await fixture.orderFixture.verify()
      if (gone) await fixture.orderFixture.order(listing, { recipient: devAccount(5).address, quantity: 10 })
      const hash = await payToken(fixture, order)
      const response = await fixture.orderFixture
        .pay(order, hash)
        .catch((error: { code?: number }) => error.code)
      if (response !== 40901) throw new Error(`A late payment returned ${response}`)
      return order
    },
  }
}

export const paymentCases: readonly PaymentCase[] = [
  simple('paid', success, payToken),
  {
    ...simple('paid too much', success, (fixture, order) => payToken(fixture, order, PRICE + 1n)),
    refundDue: true,
  },
  simple(
    'paid in the native token',
    success,
    (fixture, { sender }) => send(fixture, sender, { value: PRICE }),
    native,
  ),
  simple('underpaid', tooLittle, (fixture, order) => payToken(fixture, order, PRICE - 1n)),
  simple(
    'underpaid in the native token',
    tooLittle,
    (fixture, { sender }) => send(fixture, sender, { value: PRICE - 1n }),
    native,
  ),
  simple('paid in the wrong token', tooLittle, (fixture, { sender }) =>
    send(fixture, fixture.otherToken, { data: transfer(sender, PRICE) }),
  ),
  simple('paid in the native token for another', tooLittle, (fixture, { sender }) =>
    send(fixture, sender, { value: PRICE }),
  ),
  simple('paid to the wrong recipient', tooLittle, (fixture) =>
    send(fixture, fixture.chain.token, { data: transfer(devAccount(6).address, PRICE) }),
  ),
  simple('paid by another wallet', failedBy('other_payer'), (fixture, { sender }) =>
    send(fixture, fixture.chain.token, { data: transfer(sender, PRICE), account: 4 }),
  ),
  simple(
    'paid by another wallet in the native token',
    failedBy('other_payer'),
    (fixture, { sender }) => send(fixture, sender, { value: PRICE, account: 4 }),
    native,
  ),
  simple("reported with strangers' transaction", failedBy('unrelated'), (fixture) =>
    send(fixture, fixture.chain.token, { data: transfer(devAccount(6).address, PRICE), account: 4 }),
  ),
  simple(
    "reported with strangers' contract call in the native token",
    failedBy('unrelated'),
    (fixture) =>
      send(fixture, fixture.chain.token, { data: transfer(devAccount(6).address, PRICE), account: 4 }),
    native,
  ),
  simple(
    'reported with a transfer of nothing in the name of the buyer',
    failedBy('unrelated'),
    (fixture, order) =>
      send(fixture, fixture.chain.token, {
        data: transferFrom(order.recipient, order.sender, 0n),
        account: 4,
      }),
  ),
  simple(
    'paid by a contract',
    success,
    (fixture, { sender }) =>
      send(fixture, fixture.contract, {
        data: execute(fixture.chain.token, 0n, transfer(sender, PRICE)),
        account: OWNER,
      }),
    ({ contract }) => ({ recipient: contract }),
  ),
  simple(
    'paid by a contract in the native token',
    success,
    (fixture, { sender }) =>
      send(fixture, fixture.contract, { data: execute(sender, PRICE, '0x'), account: OWNER }),
    ({ contract }) => ({ recipient: contract, native: true }),
  ),
  simple('reverted', failedBy('reverted'), (fixture, { sender }) =>
    send(fixture, fixture.chain.token, { data: transfer(sender, 10n ** 30n) }),
  ),
  simple('never mined', failedBy('not_seen'), async () => newHash()),
  lateCase('paid late', success, false),
  lateCase(
    'paid late, when nothing is left',
    { status: 'UNRESOLVED', reason: 'no_stock', listing: [0, 10, 0] },
    true,
  ),
  {
    name: 'sped up under a new hash',
    ends: success,
    async begin(fixture) {
      const { order } = await createOrder(fixture)
      // The slow one is never mined: the fast one has its nonce.
      await fixture.orderFixture.pay(order, newHash())
      await fixture.orderFixture.pay(order, await payToken(fixture, order))
      return order
    },
  },
  {
    name: 'paid by a transaction that a cheap order for the same buyer claims as well',
    ends: success,
    async begin(fixture) {
      const { order } = await createOrder(fixture)
      const decoy = await orderLike(fixture, order, { payPrice: '1' })
      const hash = await payToken(fixture, order)
      await fixture.orderFixture.pay(decoy, hash)
      await fixture.orderFixture.pay(order, hash)
      return order
    },
  },
  {
    name: 'reported with a transaction between others from before the order',
    ends: failedBy('unrelated'),
    async begin(fixture) {
      const hash = await send(fixture, fixture.chain.token, { data: transfer(devAccount(6).address, PRICE) })
      const { order } = await createOrder(fixture)
      await fixture.orderFixture.pay(order, hash)
      return order
    },
  },
  {
    name: 'mined before the order',
    ends: { status: 'UNRESOLVED', reason: 'mined_before_order', listing: kept },
    async begin(fixture) {
      const { listing, order: first } = await createOrder(fixture)
      const hash = await payToken(fixture, first)
      const order = await fixture.orderFixture.order(listing, { recipient: buyer })
      await orders.cancel(fixture.project.client, { orderNo: first.orderNo })
      await fixture.orderFixture.pay(order, hash)
      return order
    },
  },
  {
    name: 'paid by what paid another project’s order',
    ends: success,
    verifies: true,
    async begin(fixture) {
      const { listing, order } = await createOrder(fixture)
      const theirs = await sameListingOf(fixture, listing)
      const hash = await payToken(fixture, order)
      await fixture.other.orderFixture.pay(theirs, hash)
      await fixture.chain.client.mine({ blocks: 1 })
      await fixture.other.orderFixture.verify()
      await fixture.orderFixture.pay(order, hash)
      return order
    },
  },
]

/** An order of another project between the same wallets, for the same price. */
async function sameListingOf({ other, chain }: PaymentEnvironment, { seller }: Listing): Promise<Order> {
  const listing = await createListing(other.project, {
    payPrice: PRICE.toString(),
    payTokenAddress: chain.token,
  })
  return await orderOfSeller(other, listing, seller)
}

/** An order between the wallets of `order`, of a listing of its own. */
export async function orderLike(
  { project, orderFixture, chain }: PaymentEnvironment,
  { sender }: Order,
  { payPrice }: { payPrice: string },
): Promise<Order> {
  const listing = await createListing(project, { payPrice, payTokenAddress: chain.token })
  return await orderOfSeller({ project, orderFixture }, listing, sender)
}

async function orderOfSeller(
  { project, orderFixture }: PaymentEnvironment['other'],
  listing: Listing,
  seller: string,
): Promise<Order> {
  const order = await orderFixture.order(listing, { recipient: buyer })
  await project.gateway.owner.system
    .updateTable('gateway.orders')
    .set({ sender: seller })
    .where('order_no', '=', order.orderNo)
    .execute()
  return { ...order, sender: seller }
}

/** Gives a chain what the cases need: another token, and a contract that pays. */
export async function preparePayments(
  chain: TestChain,
): Promise<Pick<PaymentEnvironment, 'otherToken' | 'contract'>> {
  const otherToken = getAddress(`0x${'70'.repeat(20)}`)
  const bytecode = await chain.client.getCode({ address: chain.token })
  if (bytecode === undefined) throw new Error('the dev chain has no token')
  await chain.client.setCode({ address: otherToken, bytecode })
  const deployer = chain.as(OWNER)
  const deployed = await deployer.deployContract({
    abi: smartWalletAbi,
    // The artifact's text, which begins with 0x.
    bytecode: smartWallet.bytecode as Hex,
    args: [deployer.account.address],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash: deployed })
  if (!contractAddress) throw new Error('the wallet was not deployed')
  const fixture = { chain } as PaymentEnvironment
  const mint = (to: string) =>
    encodeFunctionData({ abi: erc20, functionName: 'mint', args: [getAddress(to), PRICE * 100n] })
  await send(fixture, otherToken, { data: mint(buyer) })
  await send(fixture, chain.token, { data: mint(contractAddress) })
  await send(fixture, contractAddress, { value: PRICE * 100n })
  return { otherToken, contract: contractAddress.toLowerCase() as Address }
}
