import { type OperatorHealth, operatorAccounts } from '@mintmark/facilitator/operator'
import { type ReactNode, useState } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Button } from '../../components/button.tsx'
import { type Columns, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { OperationForm } from '../../form/operation-form.tsx'
import { formatChain } from '../../format/chains.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { accountsTexts, facilitatorHealthTexts } from '../../texts/facilitator.ts'
import { formatAccount, NATIVE_DECIMALS } from './facilitator-format.ts'

type SuspendedDeposit = NonNullable<OperatorHealth['suspendedDeposits']>[number]

const { suspended: texts } = facilitatorHealthTexts

const columns: Columns<SuspendedDeposit> = {
  payer: 'Wallet',
  chainId: { label: 'Chain', cell: ({ chainId }) => formatChain(String(chainId)) },
  amount: {
    label: 'Deposited',
    align: 'end',
    cell: ({ amount }) => <Amount baseUnits={amount} decimals={NATIVE_DECIMALS} symbol="" />,
  },
  deposits: 'Deposits',
  firstTime: 'Since',
}

interface SuspendedSectionProps {
  readonly rows: readonly SuspendedDeposit[]
  /** Called when an account was created. */
  readonly onCreated: () => void
}

/** The wallets that deposited without an account, with a button that creates one. Nothing without any. */
export function SuspendedSection({ rows, onCreated }: SuspendedSectionProps): ReactNode {
  const [payer, setPayer] = useState<string>()
  const close = () => setPayer(undefined)
  return (
    <>
      {rows.length > 0 && (
        <Section title={texts.title}>
          <DataTable
            label={texts.title}
            columns={columns}
            rows={rows}
            getKey={(row) => `${row.payer} ${row.chainId}`}
            actions={(row) => (
              <Button
                aria-label={texts.createFor(shortenIdentifier(row.payer))}
                onClick={() => setPayer(row.payer)}
              >
                {texts.create}
              </Button>
            )}
          />
        </Section>
      )}
      {payer !== undefined && (
        <Dialog
          title={texts.createFor(shortenIdentifier(payer))}
          isOpen
          onClose={close}
          isDismissable={false}
        >
          <p>The account is credited with what the wallet deposited.</p>
          <OperationForm
            operation={operatorAccounts.create}
            fixed={{ payer }}
            fields={{ name: { kind: 'text', ...accountsTexts.fields.name } }}
            action={texts.create}
            onDone={(account) => {
              showToast(accountsTexts.created(formatAccount(account)))
              close()
              onCreated()
            }}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  )
}
