import {
  type Coupon,
  type CouponOnShelf,
  CouponType,
  couponCodes,
  limitedTimeCoupons,
  type MadeCoupon,
} from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import { useOperation } from '../../../api/operations.ts'
import { usePayTokens } from '../../../api/pay-tokens.ts'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { openLoadedForm } from '../../../components/dialogs.tsx'
import { Notice } from '../../../components/notice.tsx'
import { openDialog } from '../../../components/open-dialog.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { saveFile } from '../../../components/save-file.ts'
import type { FieldDefinitions, FormValues } from '../../../form/form-values.ts'
import { formatCsvRecord } from '../../../format/csv.ts'
import { formatTokenWithChain } from '../../../format/pay-token.ts'
import { t } from '../../../language/translate.ts'
import { ProjectLink } from '../../../navigation/project-link.tsx'
import { couponsTexts } from '../../../texts/market.ts'
import { getListingKind } from '../listings/listing-kinds.ts'
import { CouponDetails } from './coupon-details.tsx'
import { listCouponFields, newCoupon, toCouponField, toCouponTerms } from './coupon-fields.ts'
import { createFormat, type FormatToken } from './coupons.ts'

const { fields: texts } = couponsTexts

/** Creates a coupon with generated codes, or with one of the person's own. */
export const createCoupon = (): Promise<MadeCoupon | undefined> =>
  openLoadedForm(couponsTexts.create, useCouponForm)

function useCouponForm() {
  const { used } = usePayTokens()
  const listFields = (values: FormValues): FieldDefinitions => {
    const options = used.map((token) => ({
      value: `${token.chainId} ${token.address}`,
      label: formatTokenWithChain(token.chainId, token.address),
    }))
    const token = used.find(({ chainId, address }) => `${chainId} ${address}` === values.couponToken)
    const hasAmount = Number(values.couponType) !== CouponType.PERCENT
    const { couponMinimum, ...fields } = listCouponFields(values, { decimals: token?.decimals })
    return {
      couponToken: {
        kind: 'select',
        // A person can only enter whole tokens of a token that is selected.
        isRequired: hasAmount && options.length > 0,
        options,
        ...texts.payToken,
      },
      ...fields,
      ...(couponMinimum !== undefined && (token !== undefined || options.length === 0) && { couponMinimum }),
      count: { kind: 'integer', ...texts.count },
      code: { kind: 'code', ...texts.code },
    }
  }
  return {
    operation: couponCodes.create,
    fields: listFields,
    entered: { ...newCoupon, count: '10' },
    toOperationInput: toCreateInput,
    toFieldPath: toCouponField,
  }
}

/**
 * Makes the input from the converted fields. A code of one's own is the only one, so the number of codes does
 * not apply.
 */
function toCreateInput(input: Readonly<Record<string, unknown>>): InputOf<typeof couponCodes.create> {
  const { code, count } = input
  const codes: Readonly<Record<string, unknown>> = code === undefined ? { count } : { code }
  // The fields have the names and the types of the input, which the form checks by the operation.
  return { ...toCouponTerms(input), ...codes } as InputOf<typeof couponCodes.create>
}

interface CodesDialogProps {
  readonly made: MadeCoupon
  readonly onClose: () => void
}

/** Shows the codes of a new coupon, once. */
export function CodesDialog({ made: { coupon, codes }, onClose }: CodesDialogProps): ReactNode {
  const download = () => {
    const rows = [['code', 'coupon'], ...codes.map((code) => [code, String(coupon.id)])]
    const content = rows.map(formatCsvRecord).join('')
    saveFile(`coupon-${coupon.id}-codes.csv`, 'text/csv;charset=utf-8', content)
  }
  return (
    <Dialog title={couponsTexts.codesOf(codes.length, coupon.id)} onClose={onClose} isDismissable={false}>
      <Notice tone="warning" {...couponsTexts.codesOnce} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll the codes. */}
      <ul className="code-list" aria-label={couponsTexts.codes} tabIndex={0}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <span className="row grow">
          <CopyButton text={codes.join('\n')} label={couponsTexts.copyAll} />
          {couponsTexts.copyAll}
        </span>
        <Button onClick={download}>{t('Download as CSV')}</Button>
        <Button kind="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  )
}

interface CodeDialogProps {
  readonly code: string
  readonly onClose: () => void
}

/** Shows the coupon of a code, with the listings that accept it. */
export function CodeDialog({ code, onClose }: CodeDialogProps): ReactNode {
  const query = useOperation(limitedTimeCoupons.getByCode, { couponCode: code })
  return (
    <Dialog title={t('Code {code}', { code })} onClose={onClose}>
      <QueryView query={query}>
        {(coupon) => (
          <>
            <CouponDetails coupon={coupon} formatToken={createFormat(coupon.listings)} />
            <CouponListings coupon={coupon} />
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

function CouponListings({ coupon: { listings } }: { readonly coupon: CouponOnShelf }): ReactNode {
  if (listings.length === 0) return <p className="muted">{t('No open listing accepts this coupon.')}</p>
  return (
    <section className="stack-small">
      <h3>{t('Open listings with this coupon')}</h3>
      <ul className="stack-small">
        {listings.map((listing) => (
          <li key={listing.id}>
            <ProjectLink to={`market/listings/${getListingKind(listing)}/${listing.id}`}>
              {listing.nftName}
            </ProjectLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Shows the terms and the uses of a coupon. */
export const openCoupon = (coupon: Coupon, formatToken: FormatToken) =>
  openDialog((close) => (
    <Dialog title={couponsTexts.couponNo(coupon.id)} onClose={() => close()}>
      <CouponDetails coupon={coupon} formatToken={formatToken} />
    </Dialog>
  ))
