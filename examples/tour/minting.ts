import { assets, contracts, lazyMinting } from '@mintmark/contracts'
import { signatureMint721Abi, signatureMint721Bytecode, toMintCall } from '@mintmark/contracts/abi'
import { type AccountClient, accountClient } from '@mintmark/devkit/chain/chain'
import { withResponse } from '@mintmark/transport'
import { type Address, getAddress, zeroAddress } from 'viem'
import { waitFor } from './orders.ts'
import { getDevAccount } from './payments.ts'
import type { Tour } from './tour.ts'

async function deployContract(creator: AccountClient): Promise<Address> {
  const hash = await creator.deployContract({
    abi: signatureMint721Abi,
    bytecode: signatureMint721Bytecode,
    args: ['Drops', 'DROP', creator.account.address, zeroAddress],
  })
  const { contractAddress } = await creator.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The contract was not deployed')
  return contractAddress
}

/**
 * A collection that mints by signatures: the gateway signs, the buyer sends, and the gateway observes the
 * transfer.
 */
export async function tourMinting({ call, step, credentials, gateway }: Tour): Promise<void> {
  const { chain, demo } = credentials
  const creator = accountClient(chain.rpcUrl, getDevAccount(demo.creator))
  const buyer = accountClient(chain.rpcUrl, getDevAccount(demo.wallet))
  const recipient = demo.wallet
  const title = 'Deploy a contract that mints by signatures, and register it'
  const contract = await step(title, contracts.add, async () =>
    withResponse(contracts.add, gateway, {
      nftAddress: await deployContract(creator),
      name: 'Drops',
      nftType: 'ERC721',
      chainId: String(chain.chainId),
      owner: demo.creator,
      index: true,
    }),
  )
  const nftAddress = getAddress(contract.nftAddress)
  await step("Let the project's minter sign for it", lazyMinting.updateCollection, async () => {
    const input = { nftAddress, primarySaleRecipient: demo.creator }
    const result = await withResponse(lazyMinting.updateCollection, gateway, input)
    const hash = await creator.writeContract({
      address: nftAddress,
      abi: signatureMint721Abi,
      functionName: 'setMinter',
      args: [getAddress(result.data.minter), true],
    })
    await creator.waitForTransactionReceipt({ hash })
    return result
  })
  const startTime = new Date(Date.now() - 60_000).toISOString()
  await call('Open a presale', lazyMinting.updatePresale, {
    nftAddress,
    phases: [{ name: 'public', startTime, price: '1000000000000000', limitPerWallet: 2 }],
  })
  const tokenUri = 'https://example.com/drops/comet.json'
  await call('Describe what can be minted', lazyMinting.addNft, { nftAddress, name: 'Comet', tokenUri })
  const { nftId } = await call('Draw one for a buyer', lazyMinting.randomNft, { nftAddress, recipient })
  const claim = { nftAddress, nftId, recipient }
  const signed = await call('Get the signature for it', lazyMinting.mintSign, claim)
  await step('Mint with it on the chain, and find the token', assets.list, async () => {
    const hash = await buyer.writeContract({ abi: signatureMint721Abi, ...toMintCall(signed) })
    await buyer.waitForTransactionReceipt({ hash })
    const read = () => withResponse(assets.list, gateway, { owner: recipient, nftAddress })
    return await waitFor(read, ({ data }) => data.totalRow > 0)
  })
}
