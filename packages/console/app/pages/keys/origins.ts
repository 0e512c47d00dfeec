/**
 * Converts what a person enters as an origin to what browsers send: an address of a page is shortened to its origin. Other texts stay, and the server
 * explains what is wrong.
 *
 * @example toOrigin('https://Shop.example/cart') // 'https://shop.example'
 */
export function toOrigin(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text
  return new URL(text).origin
}
