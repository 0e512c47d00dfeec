import type { Listing } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type ReactNode, useState } from 'react'
import { type PayTokens, useFormPayTokens } from '../../../api/pay-tokens.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { type Option, RadioGroup } from '../../../components/field.tsx'
import { EmptyState, Skeleton } from '../../../components/placeholders.tsx'
import type { FieldDefinitions, FormValues } from '../../../form/form-values.ts'
import { AdaptedForm } from '../../../form/operation-form.tsx'
import {
  createAmountField,
  findDecimals,
  listPayTokenFields,
  newPayToken,
  readPayToken,
} from '../../../form/pay-token-fields.ts'
import type { SoldToken } from '../../../format/sold-token.ts'
import { t } from '../../../language/translate.ts'
import { marketTexts } from '../../../texts/market.ts'
import {
  type AssetChoice,
  enterAsset,
  findAssetChain,
  listAssetFields,
  readAsset,
  useAssetChoice,
} from '../asset-fields.ts'
import { listCouponFields, newCoupon, toCouponField, toCouponTerms } from '../coupons/coupon-fields.ts'
import { useCoupons } from '../coupons/coupons.ts'
import { type ListingKind, listingKindNames, listingKinds } from './listing-kinds.ts'

const { kinds } = marketTexts

interface ListingDialogProps {
  readonly kind: ListingKind
  /** What is selected first. Default: the newest token that a wallet owns. */
  readonly token: SoldToken | undefined
  readonly onListed: (listing: Listing) => void
  readonly onClose: () => void
}

/** Puts units of a token on the shelf, in any kind of sale. */
export function ListingDialog({ kind: firstKind, token, onListed, onClose }: ListingDialogProps): ReactNode {
  const [kind, setKind] = useState(firstKind)
  const choice = useAssetChoice()
  const tokens = useFormPayTokens()
  return (
    <Dialog title={marketTexts.create} onClose={onClose} isDismissable={false}>
      <RadioGroup
        label={t('Kind of sale')}
        name="kind"
        value={kind}
        options={listingKindNames.map((value) => ({
          value,
          label: kinds[value].name,
          description: kinds[value].description,
        }))}
        onChange={(value) => setKind(listingKindNames.find((name) => name === value) ?? kind)}
      />
      {choice.isLoaded && tokens !== undefined ? (
        <KindForm
          kind={kind}
          choice={choice}
          tokens={tokens}
          token={token}
          onListed={onListed}
          onCancel={onClose}
        />
      ) : (
        <Skeleton />
      )}
    </Dialog>
  )
}

interface KindFormProps {
  readonly kind: ListingKind
  readonly choice: AssetChoice
  readonly tokens: PayTokens
  readonly token: SoldToken | undefined
  readonly onListed: (listing: Listing) => void
  readonly onCancel: () => void
}

type PutOnShelf = (typeof listingKinds)[ListingKind]['putOnShelf']

/**
 * The form of a kind. All kinds have the same element, so that what was entered stays when the kind changes.
 */
function KindForm({ kind, choice, tokens, token, onListed, onCancel }: KindFormProps): ReactNode {
  const { options: couponOptions, isLoaded } = useCoupons()
  if (kind === 'code' && isLoaded && couponOptions.length === 0) {
    return (
      <EmptyState
        icon="market"
        title={t('Create a coupon first')}
        advice={t('This kind of sale needs a coupon with codes. Create one in Coupons.')}
      />
    )
  }
  return (
    <AdaptedForm<PutOnShelf>
      operation={listingKinds[kind].putOnShelf}
      fields={(values) => listListingFields({ kind, choice, tokens, couponOptions }, values)}
      entered={{ ...newCoupon, ...newPayToken, ...enterAsset(choice, token), quantity: '1' }}
      // The fields have the names and the types of the input, which the form checks by the operation.
      toOperationInput={(input) => toListingInput(kind, input) as InputOf<PutOnShelf>}
      toFieldPath={toListingField}
      action={marketTexts.create}
      onDone={onListed}
      onCancel={onCancel}
    />
  )
}

type FieldContext = Pick<KindFormProps, 'kind' | 'choice' | 'tokens'> & {
  readonly couponOptions: readonly Option[]
}

/** Returns the fields of a listing of a kind. */
function listListingFields(
  { kind, choice, tokens, couponOptions }: FieldContext,
  values: FormValues,
): FieldDefinitions {
  const isRequired = true
  const chainId = findAssetChain(choice, values)
  const decimals = findDecimals(tokens, chainId, values)
  return {
    ...listAssetFields(choice, values),
    quantity: {
      kind: 'integer',
      isRequired,
      label: t('Units'),
      description: t('They are reserved while the listing is open.'),
    },
    ...listPayTokenFields(tokens, chainId, values),
    payPrice: createAmountField(decimals, { isRequired, label: t('Price of one unit') }),
    ...(kind === 'code' && {
      couponId: { kind: 'select', isRequired, isNumber: true, options: couponOptions, label: t('Coupon') },
    }),
    ...((kind === 'coupon' || kind === 'limited') &&
      listCouponFields(values, { decimals, isLimited: kind === 'limited' })),
    ...(kind === 'specified' && {
      reservedFor: {
        kind: 'lines',
        isRequired,
        label: t('Wallets that can buy'),
        description: t('One address in each line, at most 1,000.'),
      },
    }),
    startTime: { kind: 'time', label: t('Opens'), description: t('In your time zone. Empty: now.') },
    endTime: { kind: 'time', label: t('Ends'), description: t('In your time zone. Empty: after ten years.') },
  }
}

/** Makes the input of a listing from the converted fields. */
export function toListingInput(
  kind: ListingKind,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { quantity, payPrice, startTime, endTime, couponId, reservedFor } = input
  return {
    ...readAsset(input),
    quantity,
    payPrice,
    payTokenAddress: readPayToken(input),
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    ...(kind === 'code' && { couponId }),
    ...((kind === 'coupon' || kind === 'limited') && { coupon: toCouponTerms(input) }),
    ...(kind === 'specified' && { reservedFor }),
  }
}

/** Finds the field that the path of an issue is about. */
export function toListingField(path: string): string {
  if (path === 'payTokenAddress') return 'payToken'
  return path.startsWith('coupon.') ? toCouponField(path) : path
}
