import { assets, contracts, lazyMinting } from '@mintmark/contracts'
import { signatureMint1155Abi, signatureMint1155Bytecode, toMintCall } from '@mintmark/contracts/abi'
import { orders } from '@mintmark/orders'
import type { GatewayClient } from '@mintmark/transport'
import { createWalletClient, getAddress, type Hex, http, publicActions, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'

type Wallet = ReturnType<typeof connectWallet>

/** Connects a wallet to the sandbox's chain, which has the id of Base Sepolia. */
export function connectWallet(rpcUrl: string, privateKey: Hex) {
  const account = privateKeyToAccount(privateKey)
  return createWalletClient({ account, chain: baseSepolia, transport: http(rpcUrl) }).extend(publicActions)
}

/** Deploys an edition, registers it, and lets the project's minter sign its mints. */
export async function deployEdition(gateway: GatewayClient, shop: Wallet): Promise<string> {
  const owner = shop.account.address
  const code = { abi: signatureMint1155Abi, bytecode: signatureMint1155Bytecode }
  const hash = await shop.deployContract({ ...code, args: ['Comets', 'COMET', owner, zeroAddress] })
  const { contractAddress: address } = await shop.waitForTransactionReceipt({ hash })
  if (!address) throw new Error('The contract was not deployed')
  const terms = { name: 'Comets', nftType: 'ERC1155', chainId: String(shop.chain.id), owner, index: true }
  await contracts.add(gateway, { nftAddress: address, ...terms })
  const collection = { tokenUri: 'ipfs://comets/print.json', primarySaleRecipient: owner }
  const { minter, nftAddress } = await lazyMinting.updateCollection(gateway, {
    nftAddress: address,
    ...collection,
  })
  const setMinter = { address, abi: signatureMint1155Abi, functionName: 'setMinter' } as const
  const permission = await shop.writeContract({ ...setMinter, args: [getAddress(minter), true] })
  await shop.waitForTransactionReceipt({ hash: permission })
  return nftAddress
}

/** Opens a phase in which each wallet of a list may buy three. Returns its id. */
export async function openPhase(gateway: GatewayClient, nftAddress: string, guests: readonly string[]) {
  const phase = { name: 'guests', startTime: '2026-01-01T00:00:00Z', whitelistMode: 'LIST' }
  const limits = { price: '1000000000000000', pricedBy: 'ORDER', limitPerWallet: 3 }
  const { phases } = await lazyMinting.updatePresale(gateway, {
    nftAddress,
    phases: [{ ...phase, ...limits }],
  })
  const entries = guests.map((address) => ({ address }))
  await lazyMinting.addToWhitelist(gateway, { nftAddress, phase: 'guests', entries })
  return phases[0]?.id ?? 0
}

/** Orders and pays units of the phase. Returns the number of the order. */
export async function buy(
  gateway: GatewayClient,
  buyer: Wallet,
  phaseId: number,
  quantity: number,
): Promise<string> {
  const recipient = buyer.account.address
  const purchase = { phaseId, quantity, recipient }
  const order = await orders.preOrder(gateway, purchase, { idempotencyKey: crypto.randomUUID() })
  const { orderNo, sender, payAmount } = order
  const hash = await buyer.sendTransaction({ to: getAddress(sender), value: BigInt(payAmount) })
  await orders.payOrder(gateway, { orderNo, recipient, hash })
  await orders.waitFor(gateway, { orderNo, timeout: 60_000 })
  return orderNo
}

/** Mints what an order has paid. Returns the signature, which cannot be used again. */
export async function mint(gateway: GatewayClient, buyer: Wallet, nftAddress: string, orderNo: string) {
  const recipient = buyer.account.address
  const signed = await lazyMinting.mintSign(gateway, { nftAddress, recipient, orderNo })
  const hash = await buyer.writeContract({ abi: signatureMint1155Abi, ...toMintCall(signed) })
  await buyer.waitForTransactionReceipt({ hash })
  await orders.waitFor(gateway, { orderNo, until: 'delivered', timeout: 120_000 })
  return signed
}

/** Lists what a wallet owns of the edition, as the chain shows it. */
export async function listOwned(gateway: GatewayClient, nftAddress: string, owner: string) {
  const { list } = await assets.list(gateway, { nftAddress, owner })
  return list.map(({ nftId, quantity }) => ({ nftId, quantity }))
}
