/**
 * Finds the code of a card in the address of its QR picture: the text that `getByQrCode` and
 * `createVerification` take as `qrCode`, and the end of the address of the card's page. Whoever has the code
 * has the card. Undefined if the record does not contain the code: the creator set a `qrCodeUrl` of their own,
 * or the caller may not see it and `qrCodeUrl` is `''`.
 *
 * @example
 * const qrCode = findCardCode(card)
 */
export function findCardCode({ qrCodeUrl }: { qrCodeUrl: string }): string | undefined {
  return /\/qr\/[1-9]\d*\/([\w-]+)\.svg$/.exec(qrCodeUrl)?.[1]
}
