import type { Listing } from '@mintmark/market'
import { type Order, orders } from '@mintmark/orders'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { devAccount } from '../../../../tools/devchain/accounts.ts'
import smartWallet from '../../../../tools/devchain/artifacts/SmartWallet.json' with { type: 'json' }
import type { TestChain } from '../../../../tools/devchain/testing.ts'
import { aListing } from './create-listing.ts'
import { newHash, type OrderDesk, type Seen } from './order-fixture.ts'
import type { SampleProject } from './samples/sample.ts'

const erc20 = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 value) returns (bool)',
])
const walletAbi = parseAbi(['function execute(address target, uint256 value, bytes data) returns (bytes)'])

/** What the cases of a dev chain work with. */
export interface PaymentBed {
  readonly chain: TestChain
  readonly project: SampleProject
  readonly desk: OrderDesk
  readonly other: { readonly project: SampleProject; readonly desk: OrderDesk }
  /** A token that nobody asked for; all have of it. */
  readonly otherToken: Address
  /** A wallet that is a contract; account 3 tells it what to do. */
  readonly contract: Address
}

export const PRICE = 1_000_000n
const BUYER = 1
const OWNER = 3
const buyer = devAccount(BUYER).address.toLowerCase()

/** How an order is paid, or not, and where that ends. */
export interface PaymentCase {
  readonly name: string
  /** Makes the order, pays it and reports the payment. */
  begin(bed: PaymentBed): Promise<Order>
  readonly ends: Pick<Seen, 'status' | 'reason' | 'listing'>
  /** It has orders looked at already while it begins. */
  readonly verifies?: true
}

const sold: Seen['listing'] = [9, 0, 1]
const kept: Seen['listing'] = [9, 1, 0]
const givenBack: Seen['listing'] = [10, 0, 0]

/** Puts ten on the shelf, for a token or the native one, and orders one. */
export async function anOrder(
  { project, desk, chain }: PaymentBed,
  {
    native = false,
    indexed = false,
    recipient = buyer,
  }: { native?: boolean; indexed?: boolean; recipient?: string } = {},
): Promise<{ listing: Listing; order: Order }> {
  const asked = { payPrice: PRICE.toString(), payTokenAddress: native ? '' : chain.token }
  const listing = await aListing(project, asked, { indexed })
  return { listing, order: await desk.order(listing, { recipient }) }
}

export const transfer = (to: string, value: bigint): Hex =>
  encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [getAddress(to), value] })

/** Sends a transaction, which the chain mines at once. */
export async function send(
  { chain }: PaymentBed,
  to: string,
  { data = '0x', value = 0n, account = BUYER }: { data?: Hex; value?: bigint; account?: number } = {},
): Promise<Hex> {
  // With its gas told, one that will fail is sent all the same.
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

export const payToken = (bed: PaymentBed, order: Order, amount = PRICE) =>
  send(bed, bed.chain.token, { data: transfer(order.sender, amount) })

export const execute = (target: string, value: bigint, data: Hex): Hex =>
  encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [getAddress(target), value, data] })

function simple(
  name: string,
  ends: PaymentCase['ends'],
  pay: (bed: PaymentBed, order: Order) => Promise<string>,
  asked: Parameters<typeof anOrder>[1] | ((bed: PaymentBed) => Parameters<typeof anOrder>[1]) = {},
): PaymentCase {
  return {
    name,
    ends,
    async begin(bed) {
      const { order } = await anOrder(bed, typeof asked === 'function' ? asked(bed) : asked)
      await bed.desk.pay(order, await pay(bed, order))
      return order
    },
  }
}

const success = { status: 'SUCCESS', reason: '', listing: sold }
const failedBy = (reason: string): PaymentCase['ends'] => ({ status: 'FAILED', reason, listing: givenBack })
const tooLittle = { status: 'UNRESOLVED', reason: 'not_enough', listing: kept }
const native = { native: true }

/** A payment that comes after the order's time; what is left of the listing is taken by others before it where `gone`. */
function lateCase(name: string, ends: PaymentCase['ends'], gone: boolean): PaymentCase {
  return {
    name,
    ends,
    verifies: true,
    async begin(bed) {
      const { listing, order } = await anOrder(bed)
      await bed.desk.outwait(order)
      await bed.desk.verify()
      if (gone) await bed.desk.order(listing, { recipient: devAccount(5).address, quantity: 10 })
      const hash = await payToken(bed, order)
      const answer = await bed.desk.pay(order, hash).catch((error: { code?: number }) => error.code)
      if (answer !== 40901) throw new Error(`a late payment was answered with ${answer}`)
      return order
    },
  }
}

export const paymentCases: readonly PaymentCase[] = [
  simple('paid', success, payToken),
  simple('paid too much', success, (bed, order) => payToken(bed, order, PRICE + 1n)),
  simple(
    'paid in the native token',
    success,
    (bed, { sender }) => send(bed, sender, { value: PRICE }),
    native,
  ),
  simple('underpaid', tooLittle, (bed, order) => payToken(bed, order, PRICE - 1n)),
  simple(
    'underpaid in the native token',
    tooLittle,
    (bed, { sender }) => send(bed, sender, { value: PRICE - 1n }),
    native,
  ),
  simple('paid in the wrong token', tooLittle, (bed, { sender }) =>
    send(bed, bed.otherToken, { data: transfer(sender, PRICE) }),
  ),
  simple('paid in the native token for another', tooLittle, (bed, { sender }) =>
    send(bed, sender, { value: PRICE }),
  ),
  simple('paid to the wrong recipient', tooLittle, (bed) =>
    send(bed, bed.chain.token, { data: transfer(devAccount(6).address, PRICE) }),
  ),
  simple('paid by another wallet', failedBy('other_payer'), (bed, { sender }) =>
    send(bed, bed.chain.token, { data: transfer(sender, PRICE), account: 4 }),
  ),
  simple(
    'paid by another wallet in the native token',
    failedBy('other_payer'),
    (bed, { sender }) => send(bed, sender, { value: PRICE, account: 4 }),
    native,
  ),
  simple("reported with strangers' transaction", failedBy('unrelated'), (bed) =>
    send(bed, bed.chain.token, { data: transfer(devAccount(6).address, PRICE), account: 4 }),
  ),
  simple(
    "reported with strangers' contract call in the native token",
    failedBy('unrelated'),
    (bed) => send(bed, bed.chain.token, { data: transfer(devAccount(6).address, PRICE), account: 4 }),
    native,
  ),
  simple(
    'reported with a transfer of nothing in the name of the buyer',
    failedBy('unrelated'),
    (bed, order) =>
      send(bed, bed.chain.token, { data: transferFrom(order.recipient, order.sender, 0n), account: 4 }),
  ),
  simple(
    'paid by a contract',
    success,
    (bed, { sender }) =>
      send(bed, bed.contract, {
        data: execute(bed.chain.token, 0n, transfer(sender, PRICE)),
        account: OWNER,
      }),
    ({ contract }) => ({ recipient: contract }),
  ),
  simple(
    'paid by a contract in the native token',
    success,
    (bed, { sender }) => send(bed, bed.contract, { data: execute(sender, PRICE, '0x'), account: OWNER }),
    ({ contract }) => ({ recipient: contract, native: true }),
  ),
  simple('reverted', failedBy('reverted'), (bed, { sender }) =>
    send(bed, bed.chain.token, { data: transfer(sender, 10n ** 30n) }),
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
    async begin(bed) {
      const { order } = await anOrder(bed)
      // The slow one is never mined: the fast one has its nonce.
      await bed.desk.pay(order, newHash())
      await bed.desk.pay(order, await payToken(bed, order))
      return order
    },
  },
  {
    name: 'paid by a transaction that a cheap order for the same buyer claims as well',
    ends: success,
    async begin(bed) {
      const { order } = await anOrder(bed)
      const decoy = await orderLike(bed, order, { payPrice: '1' })
      const hash = await payToken(bed, order)
      await bed.desk.pay(decoy, hash)
      await bed.desk.pay(order, hash)
      return order
    },
  },
  {
    name: 'reported with a transaction between others from before the order',
    ends: failedBy('unrelated'),
    async begin(bed) {
      const hash = await send(bed, bed.chain.token, { data: transfer(devAccount(6).address, PRICE) })
      const { order } = await anOrder(bed)
      await bed.desk.pay(order, hash)
      return order
    },
  },
  {
    name: 'mined before the order',
    ends: { status: 'UNRESOLVED', reason: 'mined_before_order', listing: kept },
    async begin(bed) {
      const { listing, order: first } = await anOrder(bed)
      const hash = await payToken(bed, first)
      const order = await bed.desk.order(listing, { recipient: buyer })
      await orders.cancel(bed.project.client, { orderNo: first.orderNo })
      await bed.desk.pay(order, hash)
      return order
    },
  },
  {
    name: 'paid by what paid another project’s order',
    ends: { status: 'UNRESOLVED', reason: 'payment_used', listing: kept },
    verifies: true,
    async begin(bed) {
      const { listing, order } = await anOrder(bed)
      const theirs = await sameListingOf(bed, listing)
      const hash = await payToken(bed, order)
      await bed.other.desk.pay(theirs, hash)
      await bed.chain.client.mine({ blocks: 1 })
      await bed.other.desk.verify()
      await bed.desk.pay(order, hash)
      return order
    },
  },
]

/** An order of another project between the same wallets, for the same price. */
async function sameListingOf({ other, chain }: PaymentBed, { seller }: Listing): Promise<Order> {
  const listing = await aListing(other.project, { payPrice: PRICE.toString(), payTokenAddress: chain.token })
  return await orderOfSeller(other, listing, seller)
}

/** An order between the wallets of `order`, of a listing of its own. */
export async function orderLike(
  { project, desk, chain }: PaymentBed,
  { sender }: Order,
  { payPrice }: { payPrice: string },
): Promise<Order> {
  const listing = await aListing(project, { payPrice, payTokenAddress: chain.token })
  return await orderOfSeller({ project, desk }, listing, sender)
}

async function orderOfSeller(
  { project, desk }: PaymentBed['other'],
  listing: Listing,
  seller: string,
): Promise<Order> {
  const order = await desk.order(listing, { recipient: buyer })
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
): Promise<Pick<PaymentBed, 'otherToken' | 'contract'>> {
  const otherToken = getAddress(`0x${'70'.repeat(20)}`)
  const bytecode = await chain.client.getCode({ address: chain.token })
  if (bytecode === undefined) throw new Error('the dev chain has no token')
  await chain.client.setCode({ address: otherToken, bytecode })
  const deployer = chain.as(OWNER)
  const deployed = await deployer.deployContract({
    abi: smartWallet.abi,
    // The artifact's text, which begins with 0x.
    bytecode: smartWallet.bytecode as Hex,
    args: [deployer.account.address],
  })
  const { contractAddress } = await chain.client.waitForTransactionReceipt({ hash: deployed })
  if (!contractAddress) throw new Error('the wallet was not deployed')
  const bed = { chain } as PaymentBed
  const mint = (to: string) =>
    encodeFunctionData({ abi: erc20, functionName: 'mint', args: [getAddress(to), PRICE * 100n] })
  await send(bed, otherToken, { data: mint(buyer) })
  await send(bed, chain.token, { data: mint(contractAddress) })
  await send(bed, contractAddress, { value: PRICE * 100n })
  return { otherToken, contract: contractAddress.toLowerCase() as Address }
}
