/**
 * Returns an address of the console to go to after the sign-in: the given one if it is a path of the console,
 * otherwise the first page. A link to the sign-in can name anything, and must not lead to another site.
 */
export function toReturnPath(returnTo: string | undefined): string {
  if (returnTo === undefined || !/^\/(?![/\\])/.test(returnTo)) return '/'
  const { origin, pathname, search } = new URL(returnTo, 'https://console.invalid')
  return origin === 'https://console.invalid' && pathname !== '/sign-in' ? pathname + search : '/'
}
