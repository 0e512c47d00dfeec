/** The compiler of the tests reads no JSX, so that the module is not named in an import. */
const ROUTES = new URL('../app/routes.tsx', import.meta.url).href

/** What is read of a route. */
interface Route {
  readonly options: { readonly path?: string }
  readonly children?: Readonly<Record<string, unknown>>
}

/**
 * Lists the addresses of the pages below a route, with the names of their parameters, such as
 * `/p/$projectId/orders/$orderNo`.
 */
function listRoutes({ options, children = {} }: Route, parent = ''): readonly string[] {
  const address = options.path === undefined || options.path === '/' ? parent : `${parent}/${options.path}`
  const below = Object.values(children)
  // The library types children by their names. Each is a route.
  return below.length === 0 ? [address] : below.flatMap((child) => listRoutes(child as Route, address))
}

/** Lists the pages that none of these URLs opens. Addresses that lead to another page are none. */
export async function findUnvisitedRoutes(urls: readonly string[]): Promise<readonly string[]> {
  const { routeTree }: { readonly routeTree: Route } = await import(ROUTES)
  const paths = urls.map((url) => new URL(url).pathname.replace(/^\/console/, ''))
  return listRoutes(routeTree)
    .filter((route) => route !== '' && route !== '/p/$projectId')
    .filter((route) => {
      const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/]+')}$`)
      return !paths.some((path) => pattern.test(path))
    })
}
