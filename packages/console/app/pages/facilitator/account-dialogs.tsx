import { type OperatorAccount, operatorAccounts } from '@mintmark/facilitator/operator'
import { useInputsInDoubt, useOperation } from '../../api/operations.ts'
import { openForm, openLoadedForm } from '../../components/dialogs.tsx'
import { Notice } from '../../components/notice.tsx'
import type { FormValues } from '../../form/form-values.ts'
import { formatAmount, parseAmount } from '../../format/amount.ts'
import { accountTexts } from '../../texts/facilitator.ts'
import { formatAccount, NATIVE_DECIMALS, reasonField } from './facilitator-format.ts'

const formatNative = (baseUnits: string) => formatAmount({ baseUnits, decimals: NATIVE_DECIMALS })

/**
 * Credits an account, and shows the balance that it will have. A credit whose outcome is not known is shown
 * until it is, and entered again.
 */
export const openCredit = (account: OperatorAccount) =>
  openLoadedForm(`Credit ${formatAccount(account)}`, () => useCreditForm(account))

/** Returns the form of a credit. */
export function useCreditForm(account: OperatorAccount) {
  const texts = accountTexts.credit
  const inDoubt = useInputsInDoubt(operatorAccounts.credit).filter(({ id }) => id === account.id)
  // No event reports a balance, so it is read when the dialog opens.
  const { data: current } = useOperation(operatorAccounts.get, { id: account.id }, { staleTime: 0 })
  const { balance: before } = current?.account ?? account
  const preview = ({ amount }: FormValues) => {
    const wei = typeof amount === 'string' ? parseAmount(amount, NATIVE_DECIMALS) : undefined
    if (wei === undefined) return null
    const balance = String(BigInt(before) + BigInt(wei))
    return <p className="muted">{`The balance becomes ${formatNative(balance)}.`}</p>
  }
  return {
    operation: operatorAccounts.credit,
    text: (
      <>
        <p>
          Adds an amount without a deposit. It is owed to the payer like any other, so the treasury must cover
          it. It cannot be taken back here.
        </p>
        {inDoubt.map((credit) => (
          <Notice
            key={JSON.stringify(credit)}
            tone="warning"
            {...texts.inDoubt(formatNative(credit.amount), credit.reason)}
          />
        ))}
      </>
    ),
    initial: inDoubt.at(-1) ?? {},
    fixed: { id: account.id },
    fields: {
      amount: {
        kind: 'amount',
        decimals: NATIVE_DECIMALS,
        isRequired: true,
        label: 'Amount',
        description: 'In whole native tokens, such as 0.5.',
      },
      reason: reasonField,
    },
    action: 'Credit',
    preview,
    done: ({ balance }: OperatorAccount) => `Credited. The balance is ${formatNative(balance)}`,
  } as const
}

/** Freezes an account, or ends its freeze. */
export function openFreeze(account: OperatorAccount): void {
  const isFrozen = account.frozenReason !== undefined
  const { advice, ...texts } = isFrozen ? accountTexts.unfreeze : accountTexts.freeze
  void openForm({
    operation: isFrozen ? operatorAccounts.unfreeze : operatorAccounts.freeze,
    fixed: { id: account.id },
    fields: { reason: reasonField },
    title: texts.title(formatAccount(account)),
    text: advice,
    action: texts.action,
    done: texts.done(formatAccount(account)),
  })
}

/** Changes for how long settles of an account may wait for others, to share a transaction. */
export function openBatchDelay(account: OperatorAccount): void {
  void openForm({
    operation: operatorAccounts.setBatchDelay,
    fixed: { id: account.id },
    initial: account,
    fields: {
      batchDelayMs: {
        kind: 'integer',
        isRequired: true,
        label: 'Delay',
        description: 'In milliseconds, from 0 to 5000. Each response can take that much longer.',
      },
      reason: reasonField,
    },
    title: `Delay of settles of ${formatAccount(account)}`,
    text: 'A settle waits up to this time for other settles, of all accounts with a delay. Those that arrive in time share one transaction, which costs less gas. 0 turns it off. Only payments by EIP-3009 that this facilitator executes wait.',
    action: 'Change',
    done: `The delay of ${formatAccount(account)} is changed`,
  })
}
