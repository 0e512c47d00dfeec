import type { Session } from '@mintmark/admin'
import { isMintmarkError } from '@mintmark/envelope'
import { accountTotals } from '@mintmark/facilitator'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { TextField } from '../../components/field.tsx'
import { LonePage } from '../../components/lone-page.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { DialogHost } from '../../components/open-dialog.tsx'
import { PAGE_ID, PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { Segments } from '../../components/segments.tsx'
import { ToastRegion } from '../../components/toast.tsx'
import { ThemeSelect } from '../../layout/theme-select.tsx'
import { useSearchState } from '../../navigation/use-address.ts'
import { ProjectProvider } from '../../session/project-context.tsx'
import { closeAccount, openAccount, openStoredAccount } from './own-account-key.ts'
import { OwnPayments, UnresolvedPayments } from './own-account-payments.tsx'
import { BalanceNotice, OwnAccountTotals } from './own-account-totals.tsx'
import { OwnWebhooks } from './own-account-webhooks.tsx'
import { TopUp } from './top-up.tsx'

/** Nobody is signed in: the key is that of an account, not of a person. */
const NOBODY: Session = {
  personId: '',
  name: '',
  email: '',
  isOperator: false,
  hasFacilitator: false,
  hasSecondFactor: false,
  projects: [],
}

const isRefusedKey = (error: unknown) => isMintmarkError(error) && error.kind === 'Unauthorized'

/** What an account of a facilitator sees of its own business. The facilitator serves the page, and a key opens it. */
export function OwnAccountPage(): ReactNode {
  const [isOpen, setIsOpen] = useState(openStoredAccount)
  const queryClient = useQueryClient()
  const close = () => {
    closeAccount()
    queryClient.clear()
    setIsOpen(false)
  }
  if (!isOpen) return <KeyPage onOpen={() => setIsOpen(true)} />
  return (
    <ProjectProvider session={NOBODY} project={undefined} isCovered={false}>
      <OwnAccount onClose={close} />
      <DialogHost />
      <ToastRegion />
    </ProjectProvider>
  )
}

/** Opens the page with a key. */
function KeyPage({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const [token, setToken] = useState('')
  const open = useMutation({ mutationFn: () => openAccount(token.trim()), onSuccess: onOpen })
  const isRefused = isRefusedKey(open.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!open.isPending) open.mutate()
  }
  return (
    <LonePage title="Your facilitator account">
      <form onSubmit={submit} className="stack" data-transient>
        <TextField
          label="Key of the account"
          description="It begins with mm_. This tab keeps it until you close it."
          error={
            isRefused
              ? 'The facilitator does not know this key, or it was revoked. Enter another one'
              : undefined
          }
          type="password"
          name="key"
          autoComplete="current-password"
          isCode
          required
          autoFocus
          value={token}
          onChange={setToken}
        />
        <ErrorNotice error={isRefused ? null : open.error} />
        <Button kind="primary" type="submit" isPending={open.isPending}>
          Open the account
        </Button>
      </form>
      <p className="muted">No key? Ask the operator of the facilitator, or run npx mintmark try.</p>
    </LonePage>
  )
}

const DEFAULT_DAYS = '30'
const PERIODS = ['7', DEFAULT_DAYS, '90']

function OwnAccount({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [search, setSearch] = useSearchState('days')
  const days = PERIODS.find((each) => each === search.days) ?? DEFAULT_DAYS
  const query = useOperation(accountTotals.get, { days: Number(days) })
  const withBefore = useOperation(accountTotals.get, { days: 2 * Number(days) })
  return (
    <main id={PAGE_ID} className="content" tabIndex={-1}>
      <PageHeader
        title="Your account"
        description={query.data && <Identifier value={query.data.payer} copyLabel="Copy the wallet" />}
        actions={
          <>
            <Segments
              label="Period"
              value={days}
              options={PERIODS.map((value) => ({ value, label: `${value} days` }))}
              onChange={(value) => setSearch({ days: value === DEFAULT_DAYS ? undefined : value })}
            />
            <Button onClick={onClose}>Sign out</Button>
          </>
        }
      />
      {query.data && <BalanceNotice totals={query.data} />}
      <UnresolvedPayments />
      <QueryView query={query}>
        {(totals) => (
          <>
            <OwnAccountTotals totals={totals} withBefore={withBefore.data} />
            <OwnPayments />
            <TopUp totals={totals} />
          </>
        )}
      </QueryView>
      <OwnWebhooks />
      <footer className="section row">
        <ThemeSelect />
      </footer>
    </main>
  )
}
