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

/** White space, and characters without a width that copied texts have at their ends. */
const MARGIN = /^[\s\u200B-\u200F\u2060\uFEFF]+|[\s\u200B-\u200F\u2060\uFEFF]+$/g

/** The address of a card's page (`/c/…`) or of its QR picture (`/qr/….svg`), on any host, with or without scheme. */
const CARD_ADDRESS =
  /^(?:https?:\/\/[^?#]*|[\w.-]+(?::\d+)?(?:\/[^?#]*)?)\/(?:c\/[1-9]\d*\/([\w-]+)|qr\/[1-9]\d*\/([\w-]+)\.svg)\/*(?:[?#].*)?$/is

/**
 * Reads the code of a card in a text that was scanned, typed or pasted: the address of the card's page or of
 * its QR picture, on whichever host it was printed for, or the code alone. Case does not matter in the address,
 * but in the code it does. Returns any other text without the space around it; no card has it.
 *
 * @example
 * parseCardCode('HTTPS://shop.example/C/7/Zk3-_9x0aBcDeFgHiJkLmNoPqRs/') // 'Zk3-_9x0aBcDeFgHiJkLmNoPqRs'
 */
export function parseCardCode(scannedText: string): string {
  const text = scannedText.replaceAll(MARGIN, '')
  const decoded = decodePercent(text)
  const [, pageCode, pictureCode] = CARD_ADDRESS.exec(decoded) ?? []
  const code = pageCode ?? pictureCode ?? /^([\w-]+)\/*$/.exec(decoded)?.[1]
  return code ?? text
}

/** Decodes a text that is percent-encoded, as one that was passed on in a link. */
function decodePercent(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
