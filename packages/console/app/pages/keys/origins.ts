/**
 * Converts what a person enters as an origin to what browsers send: an address of a page is shortened to its
 * origin. Other texts stay, and the server explains what is wrong.
 *
 * @example toOrigin('https://Shop.example/cart') // 'https://shop.example'
 */
export function toOrigin(text: string): string {
  // Browsers encode the asterisk of a host name. The server's message repeats the origin, so it has to be the
  // one that was entered.
  if (!/^https?:\/\//i.test(text) || text.includes('*') || !URL.canParse(text)) return text
  return new URL(text).origin
}
