import { type Asset, assets, contracts } from '@mintmark/contracts'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import { useOperation } from '../../api/operations.ts'
import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { OTHER } from '../../form/pay-token-fields.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatAssetValue, parseAssetValue, type SoldToken } from '../../format/sold-token.ts'
import { t } from '../../language/translate.ts'

/** The tokens that can be selected in a form of a sale. */
export interface AssetChoice {
  readonly assets: readonly Asset[]
  /** The chain of each contract, by its address. */
  readonly chains: ReadonlyMap<string, string>
  readonly isLoaded: boolean
}

/** Reads the newest 100 assets that are not fully reserved, and the chains of the contracts. */
export function useAssetChoice(): AssetChoice {
  const { data: owned } = useOperation(assets.list, { pageSize: MAX_PAGE_SIZE })
  const { data: registered } = useOperation(contracts.list, { pageSize: MAX_PAGE_SIZE })
  return {
    assets: (owned?.list ?? []).filter((asset) => countAvailable(asset) > 0n),
    chains: new Map((registered?.list ?? []).map(({ nftAddress, chainId }) => [nftAddress, chainId])),
    isLoaded: owned !== undefined && registered !== undefined,
  }
}

/** Counts the units of an asset that are not reserved. */
function countAvailable({ quantity, reserved }: Pick<Asset, 'quantity' | 'reserved'>): bigint {
  return BigInt(quantity) - BigInt(reserved)
}

/** Returns the fields that select what is sold: a token that a wallet owns, or one that is entered. */
export function listAssetFields({ assets: owned }: AssetChoice, values: FormValues): FieldDefinitions {
  const options = owned.map((asset) => ({
    value: formatAssetValue({ ...asset, seller: asset.owner }),
    label: t('{name} #{nftId}, {available} available, of {owner}', {
      name: asset.name,
      nftId: asset.nftId,
      available: countAvailable(asset).toString(),
      owner: shortenIdentifier(asset.owner),
    }),
  }))
  return {
    asset: {
      kind: 'select',
      isRequired: true,
      label: t('Token'),
      description: t('What wallets of the project own. Reserved units are not offered.'),
      options: [...options, { value: OTHER, label: t('Another token: enter it') }],
    },
    ...(values.asset === OTHER && {
      nftAddress: {
        kind: 'address',
        isRequired: true,
        label: t('Contract'),
        description: t('The address of a contract of the project.'),
      },
      nftId: { kind: 'code', isRequired: true, label: t('Token id') },
      seller: {
        kind: 'address',
        isRequired: true,
        label: t('Seller'),
        description: t('The wallet that owns the token.'),
      },
    }),
  }
}

/** Returns what is entered first: the given token, or the newest one. */
export function enterAsset({ assets: owned }: AssetChoice, token: SoldToken | undefined): FormValues {
  const isListed = (wanted: SoldToken) =>
    owned.some((asset) => formatAssetValue({ ...asset, seller: asset.owner }) === formatAssetValue(wanted))
  if (token !== undefined && !isListed(token)) return { asset: OTHER, ...token }
  const [newest] = owned
  if (token !== undefined) return { asset: formatAssetValue(token) }
  return { asset: newest === undefined ? OTHER : formatAssetValue({ ...newest, seller: newest.owner }) }
}

/** Reads what is sold from the values of {@link listAssetFields}. */
export function readAsset(values: Readonly<Record<string, unknown>>): SoldToken {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name].trim() : '')
  const selected = parseAssetValue(text('asset'))
  return selected ?? { nftAddress: text('nftAddress'), nftId: text('nftId'), seller: text('seller') }
}

/** Finds the chain of what is sold; `''` if its contract is not known yet. */
export function findAssetChain({ chains }: AssetChoice, values: FormValues): string {
  return chains.get(readAsset(values).nftAddress.toLowerCase()) ?? ''
}
