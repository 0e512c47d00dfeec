import { contracts } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { Option } from '../components/field.tsx'
import { shortenIdentifier } from '../format/identifier.ts'
import { useOperation } from './operations.ts'

/**
 * Returns the newest 100 contracts of the project for a field that selects one. Names need not be unique, so
 * each option has the address too.
 */
export function useContractOptions(): readonly Option[] {
  const { data } = useOperation(contracts.list, { pageSize: MAX_PAGE_SIZE })
  return (data?.list ?? []).map(({ nftAddress, name }) => ({
    value: nftAddress,
    label: `${name} (${shortenIdentifier(nftAddress)})`,
  }))
}
