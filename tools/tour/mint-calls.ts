import { setTimeout as pause } from 'node:timers/promises'
import { assets, contracts, lazyMinting } from '@mintmark/contracts'
import type { GatewayClient } from '@mintmark/transport'
import { type CallResult, type DataOf, withResponse } from '@mintmark/transport/operation'
import { getAddress, type Hex, isHex } from 'viem'
import { requestOf } from '../../packages/gateway-server/src/testing/mint-contract.ts'
import { devAccounts } from '../devchain/accounts.ts'
import { signatureMint721Abi } from '../devchain/artifacts/abi.ts'
import artifact from '../devchain/artifacts/SignatureMint721.json' with { type: 'json' }
import { accountClient } from '../devchain/chain.ts'
import type { Credentials } from '../start/credentials.ts'
import type { Stop } from './calls.ts'
import { PATIENCE_MS } from './sold.ts'

const TOKEN_URI = 'https://example.com/drops/comet.json'

const hex = (text: string): Hex => {
  if (!isHex(text)) throw new Error(`${text} is not hexadecimal`)
  return text
}

/** A collection that mints by signatures: the gateway signs, the buyer sends, and the chain's transfer is read back. */
export function mintCalls({ chain, demo }: Credentials, gateway: GatewayClient): Stop[] {
  const clientOf = (address: string) => {
    const account = devAccounts.find((each) => each.address.toLowerCase() === address.toLowerCase())
    if (account === undefined) throw new Error(`${address} is not one of the dev chain's wallets`)
    return accountClient(chain.rpcUrl, account)
  }
  const [creator, buyer] = [clientOf(demo.creator), clientOf(demo.wallet)]
  let nftAddress = ''
  let nftId = ''
  let signed: DataOf<typeof lazyMinting.mintSign> | undefined

  return [
    {
      title: 'A creator deploys a contract that mints by signatures, and registers it',
      operation: contracts.add,
      async call() {
        const hash = await creator.deployContract({
          abi: signatureMint721Abi,
          bytecode: hex(artifact.bytecode),
          args: ['Drops', 'DROP', creator.account.address],
        })
        const { contractAddress } = await creator.waitForTransactionReceipt({ hash })
        if (!contractAddress) throw new Error('the contract was not made')
        nftAddress = contractAddress
        return await withResponse(contracts.add, gateway, {
          nftAddress,
          name: 'Drops',
          nftType: 'ERC721',
          chainId: String(chain.chainId),
          owner: demo.creator,
          index: true,
        })
      },
    },
    {
      title: "lets the project's minter sign for it",
      operation: lazyMinting.updateCollection,
      async call() {
        const result = await withResponse(lazyMinting.updateCollection, gateway, {
          nftAddress,
          primarySaleRecipient: demo.creator,
        })
        const hash = await creator.writeContract({
          address: getAddress(nftAddress),
          abi: signatureMint721Abi,
          functionName: 'setMinter',
          args: [getAddress(result.data.minter), true],
        })
        await creator.waitForTransactionReceipt({ hash })
        return result
      },
    },
    {
      title: 'opens a presale',
      operation: lazyMinting.updatePresale,
      call: () =>
        withResponse(lazyMinting.updatePresale, gateway, {
          nftAddress,
          phases: [
            {
              name: 'public',
              startTime: new Date(Date.now() - 60_000).toISOString(),
              price: '1000000000000000',
              limitPerWallet: 2,
            },
          ],
        }),
    },
    {
      title: 'and describes what can be minted',
      operation: lazyMinting.addNft,
      call: () =>
        withResponse(lazyMinting.addNft, gateway, { nftAddress, name: 'Comet', tokenUri: TOKEN_URI }),
    },
    {
      title: 'A buyer draws one',
      operation: lazyMinting.randomNft,
      async call() {
        const result = await withResponse(lazyMinting.randomNft, gateway, {
          nftAddress,
          recipient: demo.wallet,
        })
        nftId = result.data.nftId
        return result
      },
    },
    {
      title: 'gets the signature for it',
      operation: lazyMinting.mintSign,
      async call() {
        const result = await withResponse(lazyMinting.mintSign, gateway, {
          nftAddress,
          nftId,
          recipient: demo.wallet,
        })
        signed = result.data
        return result
      },
    },
    {
      title: 'mints with it on the chain, and the gateway sees the token there',
      operation: assets.list,
      async call(): Promise<CallResult> {
        if (signed === undefined) throw new Error('there is no signature')
        const request = requestOf(signed)
        const hash = await buyer.writeContract({
          address: getAddress(nftAddress),
          abi: signatureMint721Abi,
          functionName: 'mintWithSignature',
          args: [request, hex(signed.signature)],
          value: request.pricePerToken * request.quantity,
        })
        await buyer.waitForTransactionReceipt({ hash })
        for (const end = Date.now() + PATIENCE_MS; ; await pause(250)) {
          const result = await withResponse(assets.list, gateway, { owner: demo.wallet, nftAddress })
          if (result.data.totalRow > 0) return result
          if (Date.now() > end) throw new Error('the token was not seen')
        }
      },
    },
  ]
}
