import { auctions } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type PayTokens, useFormPayTokens } from '../../../api/pay-tokens.ts'
import { openLoadedForm } from '../../../components/dialogs.tsx'
import type { FieldDefinitions, FormValues } from '../../../form/form-values.ts'
import {
  createAmountField,
  findDecimals,
  listPayTokenFields,
  newPayToken,
  readPayToken,
} from '../../../form/pay-token-fields.ts'
import { toLocalInput } from '../../../format/time.ts'
import { t } from '../../../language/translate.ts'
import { auctionsTexts } from '../../../texts/market.ts'
import {
  type AssetChoice,
  enterAsset,
  findAssetChain,
  listAssetFields,
  readAsset,
  useAssetChoice,
} from '../asset-fields.ts'

const { fields: texts } = auctionsTexts
const DAY_MS = 86_400_000
/** The gateway's own defaults. */
const DEFAULTS = { quantity: '1', bidBufferBps: '5', timeBufferInSeconds: '900' }

/** Creates an auction. */
export const createAuction = () =>
  openLoadedForm(auctionsTexts.create, function useForm() {
    const choice = useAssetChoice()
    const tokens = useFormPayTokens()
    if (!choice.isLoaded || tokens === undefined) return undefined
    return {
      operation: auctions.create,
      fields: (values) => listAuctionFields(values, { choice, tokens }),
      entered: enterAuction(choice),
      toOperationInput: toAuctionInput,
      toFieldPath: (path) => (path === 'payTokenAddress' ? 'payToken' : path),
      done: ({ nftName }) => t('The auction of {nftName} is created', { nftName }),
    }
  })

function enterAuction(choice: AssetChoice): FormValues {
  const now = Date.now()
  const times = { startTime: toLocalInput(now), endTime: toLocalInput(now + DAY_MS) }
  return { ...newPayToken, ...DEFAULTS, ...times, ...enterAsset(choice, undefined) }
}

interface FieldContext {
  readonly choice: AssetChoice
  readonly tokens: PayTokens
}

function listAuctionFields(values: FormValues, { choice, tokens }: FieldContext): FieldDefinitions {
  const isRequired = true
  const chainId = findAssetChain(choice, values)
  const decimals = findDecimals(tokens, chainId, values)
  return {
    ...listAssetFields(choice, values),
    quantity: { kind: 'integer', isRequired, label: t('Units'), description: t('They are sold together.') },
    ...listPayTokenFields(tokens, chainId, values),
    minimumBidAmount: createAmountField(decimals, {
      isRequired,
      label: t('Lowest first bid'),
      description: t('For all units together.'),
    }),
    reservePrice: createAmountField(decimals, texts.reservePrice),
    buyoutBidAmount: createAmountField(decimals, texts.buyoutBidAmount),
    startTime: { kind: 'time', isRequired, label: t('Starts'), description: t('In your time zone.') },
    endTime: {
      kind: 'time',
      isRequired,
      label: t('Ends'),
      description: t('In your time zone. A late bid can extend it.'),
    },
    // A percentage with two decimals is a number of basis points.
    bidBufferBps: {
      kind: 'amount',
      decimals: 2,
      label: t('Minimum raise in percent'),
      description: t('Over the bid before: 0 to 100.'),
    },
    timeBufferInSeconds: {
      kind: 'integer',
      label: t('Extension in seconds'),
      description: t(
        'A bid placed in the last seconds extends the auction by the same number of seconds: 0 to 86,400.',
      ),
    },
  }
}

/** Makes the input of an auction from the converted fields. */
export function toAuctionInput(input: Readonly<Record<string, unknown>>): InputOf<typeof auctions.create> {
  const { asset, payToken, bidBufferBps, ...terms } = input
  // The fields have the names and the types of the input, which the form checks by the operation.
  return {
    ...terms,
    ...readAsset(input),
    payTokenAddress: readPayToken(input),
    ...(bidBufferBps !== undefined && { bidBufferBps: Number(bidBufferBps) }),
  } as InputOf<typeof auctions.create>
}
