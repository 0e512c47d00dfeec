import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { pickSearch, type SearchParams } from './search-params.ts'

/** Returns a part of the path that the route names, such as `orderNo` of `orders/$orderNo`. */
export function usePathParam(name: string): string {
  const params: SearchParams = useParams({ strict: false })
  const value = params[name]
  if (value === undefined) throw new Error(`The route has no parameter ${name}`)
  return value
}

/**
 * Returns the named parameters of the address, and a function that changes some of them. The state of a list
 * is in the address, so that it can be shared and the browser can go back to it. A change of anything but
 * `page` leads to the first page.
 *
 * @example
 * const [search, setSearch] = useSearchState('q', 'status', 'page')
 * setSearch({ status: 'PAID' })
 */
export function useSearchState<const Name extends string>(
  ...names: readonly Name[]
): readonly [{ [Key in Name]?: string }, (changes: { [Key in Name]?: string | undefined }) => void] {
  const search: SearchParams = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: { [Key in Name]?: string | undefined }) => {
    void navigate({
      to: '.',
      // A search waits until a person stops typing. What was selected meanwhile stays.
      search: (current: SearchParams) => ({ ...current, page: undefined, ...changes }),
      // Each page is an entry of the history, but not each letter of a search.
      replace: !('page' in changes),
    })
  }
  return [pickSearch(...names)(search), change]
}
