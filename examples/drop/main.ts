// A drop, from the contract to a token in a wallet. Needs `npm start` running. Run: npx node examples/drop/main.ts
import { readFileSync } from 'node:fs'
import { createGateway } from '@mintmark/transport'
import { buy, connectWallet, deployEdition, listOwned, mint, openPhase } from './drop.ts'

const found = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
const gateway = createGateway(found.gateway)
const shop = connectWallet(found.chain.rpcUrl, found.accounts.creator.privateKey)
const buyer = connectWallet(found.chain.rpcUrl, found.accounts.buyer.privateKey)
const recipient = buyer.account.address

const nftAddress = await deployEdition(gateway, shop)
console.log(`deployed    ${nftAddress}`)
const phaseId = await openPhase(gateway, nftAddress, [recipient])
const orderNo = await buy(gateway, buyer, phaseId, 2)
console.log(`paid        order ${orderNo}`)
await mint(gateway, buyer, nftAddress, orderNo)
console.log('owned      ', await listOwned(gateway, nftAddress, recipient))
