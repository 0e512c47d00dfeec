// A test of a user: a sandbox of its own, a card that expires when its clock is advanced, and a payment.
import { promoCodeCards } from '@mintmark/cards'
import { payments } from '@mintmark/facilitator'
import { startSandbox } from '@mintmark/sandbox'

const sandbox = await startSandbox()
const inDays = (days: number) => new Date(sandbox.clock.now() + days * 86_400_000).toISOString()
const nftAddress = '0x00000000000000000000000000000000000000aa'
const card = { name: 'Two for one', nftAddress, startTime: inDays(-1), endTime: inDays(2), totalIssued: 1 }
await promoCodeCards.create(sandbox.gateway, card)
await sandbox.clock.advance('3d')
const { totalRow } = await promoCodeCards.search(sandbox.gateway, { status: 'EXPIRED' })
const payment = await sandbox.signPayment({ payTo: sandbox.accounts.creator.address })
const settlement = await payments.settle(sandbox.facilitator, payment)
const { data } = await sandbox.webhooks.waitFor('settlement.settled')
if (data.transaction !== settlement?.transaction) throw new Error('another payment was reported')
await sandbox.stop()
console.log(`${totalRow} expired`)
