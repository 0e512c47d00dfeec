import { promoCodeCards } from '@mintmark/cards'
import { readQrCode } from '@mintmark/devkit/read-qr-code'
import type { Tour } from './tour.ts'

const DAY_MS = 24 * 3600 * 1000

/** A promo code card for one use is created, its QR picture scanned at the till, and a second use refused. */
export async function tourCards(tour: Tour): Promise<void> {
  const { qrCodeUrl } = await tour.call('Create a promo code card for one use', promoCodeCards.create, {
    name: 'A coffee on the house',
    nftAddress: tour.credentials.demo.nftAddress,
    startTime: new Date(Date.now() - DAY_MS).toISOString(),
    endTime: new Date(Date.now() + 30 * DAY_MS).toISOString(),
    totalIssued: 1,
    applicableStores: ['Berlin'],
  })
  const picture = { id: 'the picture', method: 'GET', path: '/qr/{project}/{code}.svg' }
  const { read } = await tour.step('Read its QR picture as a scanner does', picture, async () => {
    const response = await fetch(qrCodeUrl)
    if (!response.ok) throw new Error(`The picture has status ${response.status}`)
    return { status: response.status, data: { read: readQrCode(await response.text()) } }
  })
  for (const title of ['Redeem it at the till', 'Redeem it again, which is refused']) {
    await tour.call(title, promoCodeCards.createVerification, {
      qrCode: read,
      action: 'REDEEM',
      nonce: crypto.randomUUID(),
      store: 'Berlin',
      device: 'till 1',
    })
  }
  await tour.call('List both attempts', promoCodeCards.verifications, { store: 'Berlin', pageSize: 2 })
}
