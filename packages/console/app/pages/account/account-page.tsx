import type { ReactNode } from 'react'
import { DetailList } from '../../components/detail-list.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/translate.ts'
import { useSession } from '../../session/project-context.tsx'
import { formatRole } from '../../texts/shell.ts'
import { DevicesSection } from './devices-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** The account of the person who is signed in: how they sign in, and where. */
export function AccountPage(): ReactNode {
  const { name, email, projects } = useSession()
  const roles = projects.map(({ projectName, role }) => `${projectName} (${formatRole(role)})`)
  return (
    <>
      <PageHeader title={t('Account')} />
      <div className="section">
        <DetailList
          details={{
            [t('Name')]: name,
            [t('Email address')]: email,
            [t('Projects')]: roles.join(', '),
          }}
        />
      </div>
      <SecondFactorSection />
      <PasskeysSection />
      <PasswordSection />
      <DevicesSection />
    </>
  )
}
