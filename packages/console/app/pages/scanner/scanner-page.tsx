import { Role } from '@mintmark/admin'
import { cardSettings, type Store, stores } from '@mintmark/cards'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { useOperation } from '../../api/operations.ts'
import { checkSession } from '../../api/query-client.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Notice, useIsOnline } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, Skeleton } from '../../components/placeholders.tsx'
import { useNow } from '../../components/time.tsx'
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useIsCovered, useMayChange, useProject, useSession } from '../../session/project-context.tsx'
import '../../styles/scanner.css'
import { undoScan } from '../../components/undo-scan.ts'
import { scannerTexts } from '../../texts/scanner.ts'
import { formatRole } from '../../texts/shell.ts'
import { CodeForm } from './code-form.tsx'
import { installWorker } from './install-worker.ts'
import { ResultScreen } from './result-screen.tsx'
import { readScannedCode, type Scan } from './scan.ts'
import { createScanGate } from './scan-gate.ts'
import { ScanHistory } from './scan-history.tsx'
import { openScanner, type Scanner, type ScannerState } from './scanner.ts'
import { ScannerSettingsDialog } from './scanner-settings-dialog.tsx'
import { allowSounds } from './speaker.ts'
import { useCamera } from './use-camera.ts'
import { Viewfinder } from './viewfinder.tsx'

/** The scanner at the counter: cards are redeemed by their QR codes, also while there is no connection. */
export function ScannerPage(): ReactNode {
  const { projectId, role } = useProject()
  const [scanner, setScanner] = useState<Scanner>()
  const [hasFailed, setHasFailed] = useState(false)
  const mayVerify = role !== Role.AUDITOR
  // Without the counter, the camera is off and no card is redeemed for a person whose session has ended.
  const isCovered = useIsCovered()
  useEffect(() => {
    if (!mayVerify) return
    let isShown = true
    openScanner(projectId).then(
      (opened) => isShown && setScanner(opened),
      () => isShown && setHasFailed(true),
    )
    installWorker()
    return () => {
      isShown = false
    }
  }, [projectId, mayVerify])
  const { noStorage } = scannerTexts
  if (!mayVerify || hasFailed || scanner === undefined || isCovered) {
    return (
      <>
        <PageHeader title={scannerTexts.title} />
        {!mayVerify ? (
          <EmptyState
            icon="scanner"
            title={t('Your role does not redeem cards')}
            advice={t(
              'Your role is {role}. Staff, managers and owners scan cards; you can see each card and its history.',
              { role: formatRole(role) },
            )}
            action={<ProjectLink to="cards">{t('See the cards')}</ProjectLink>}
          />
        ) : hasFailed ? (
          <Notice tone="danger" {...noStorage} />
        ) : (
          <Skeleton />
        )}
      </>
    )
  }
  return <Counter scanner={scanner} />
}

/** Shows the state of a scanner, and changes it. */
function Counter({ scanner }: { readonly scanner: Scanner }): ReactNode {
  const { email } = useSession()
  const state = useSyncExternalStore(scanner.subscribe, scanner.getState)
  const { settings, scans } = state
  const [gate] = useState(() => createScanGate(() => performance.now()))
  const [shown, setShown] = useState<Scan>()
  const [isNotStored, setIsNotStored] = useState(false)
  const hasProblem = useProblem(state)
  const storeList = useStores(scanner, state)
  const mayUndo = useMayUndo()

  const scan = (code: string) => {
    setIsNotStored(false)
    scanner.scan(code, email).then(setShown, () => setIsNotStored(true))
  }
  const undo = async (scanned: Scan) => {
    const { verificationId: id, card, code, device } = scanned
    if (id === undefined) return
    const undone = await undoScan({ id, name: card?.name ?? code, device, verifier: email })
    if (undone !== undefined) await scanner.setUndone(scanned)
  }
  const openSettings = () =>
    void openDialog((close) => (
      <ScannerSettingsDialog
        settings={settings}
        stores={storeList}
        onSave={(changed) => scanner.changeSettings(changed)}
        onClose={() => close()}
      />
    ))
  const camera = useCamera((text) => {
    const code = readScannedCode(text)
    if (code !== undefined && gate.accept(code)) scan(code)
  })
  const current =
    shown === undefined ? undefined : (scans.find(({ nonce }) => nonce === shown.nonce) ?? shown)

  return (
    // A press anywhere allows sounds from then on.
    <div className="scanner" onPointerDownCapture={allowSounds} onKeyDownCapture={allowSounds}>
      <PageHeader
        title={scannerTexts.title}
        description={
          settings.store === '' ? scannerTexts.noStore : t('Store: {store}', { store: settings.store })
        }
        actions={
          <>
            <IconButton
              icon={settings.isMuted ? 'soundOff' : 'sound'}
              label={settings.isMuted ? t('Turn the sound on') : t('Turn the sound off')}
              onClick={() => void scanner.changeSettings({ ...settings, isMuted: !settings.isMuted })}
            />
            <Button onClick={openSettings}>{t('Settings')}</Button>
          </>
        }
      />
      <div className="scanner-layout">
        <div className="stack">
          <Viewfinder camera={camera} />
          {isNotStored && (
            <Notice
              tone="danger"
              title={t('The scan was not stored, so nothing was redeemed. Scan the card again.')}
            />
          )}
          <CodeForm onCode={scan} />
        </div>
        <div className="stack">
          <WaitingNotice scans={scans} onRetry={scanner.retry} />
          <ScanHistory
            surroundings={{ scans, hasProblem }}
            mayUndo={mayUndo}
            onUndo={(scan) => void undo(scan)}
          />
        </div>
      </div>
      {current !== undefined && (
        <ResultScreen
          key={current.nonce}
          scan={current}
          surroundings={{ scans, hasProblem }}
          isMuted={settings.isMuted}
          otherWaiting={countOtherWaiting(scans, current)}
          onUndo={mayUndo(current) ? () => void undo(current) : undefined}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  )
}

/**
 * Whether the server cannot be reached. A session that has ended leads to the sign-in; what waits is sent
 * after it.
 */
function useProblem({ problem }: ScannerState): boolean {
  const queryClient = useQueryClient()
  const isOnline = useIsOnline()
  useEffect(() => {
    void checkSession(queryClient, problem)
  }, [problem, queryClient])
  return problem !== undefined || !isOnline
}

/** Reads the stores of the project, and gives the store of this scanner the name that it has now. */
function useStores(scanner: Scanner, { settings, scans }: ScannerState): readonly Store[] {
  const { data, refetch } = useOperation(stores.list, {})
  const [last] = scans
  const isOutdated = last?.reason === 'invalid' || last?.newStoreName !== undefined
  const outdated = isOutdated ? last.nonce : undefined
  useEffect(() => {
    // The store may have another name since the stores were read.
    if (outdated !== undefined) void refetch()
  }, [outdated, refetch])
  const own = data?.find(({ id }) => id === settings.storeId)
  useEffect(() => {
    if (own === undefined || own.name === settings.store) return
    void scanner.changeSettings({ ...settings, store: own.name })
  }, [own, settings, scanner])
  return data ?? []
}

/**
 * Returns whether the person can undo a scan: staff their own, within the time that the project sets. The
 * server decides.
 */
function useMayUndo(): (scan: Scan) => boolean {
  const { email } = useSession()
  const mayChange = useMayChange()
  const { data } = useOperation(cardSettings.get, {})
  const now = useNow()
  const oldest = mayChange ? 0 : now - (data?.reversalMinutes ?? 0) * 60_000
  return ({ state, isUndone, verificationId, verifier, answeredAt }) =>
    state === 'accepted' &&
    verificationId !== undefined &&
    isUndone !== true &&
    answeredAt > oldest &&
    (mayChange || verifier === email)
}

function countOtherWaiting(scans: readonly Scan[], { nonce, code, state }: Scan): number {
  if (state !== 'waiting') return 0
  const isOther = (each: Scan) => each.state === 'waiting' && each.code === code && each.nonce !== nonce
  return scans.filter(isOther).length
}

interface WaitingNoticeProps {
  readonly scans: readonly Scan[]
  readonly onRetry: () => void
}

function WaitingNotice({ scans, onRetry }: WaitingNoticeProps): ReactNode {
  const isOnline = useIsOnline()
  const waiting = scans.filter(({ state }) => state === 'waiting').length
  if (waiting === 0) return null
  return (
    <Notice
      tone="warning"
      title={t('{waiting, plural, one {# scan waits} other {# scans wait}} for an answer', { waiting })}
      advice={
        isOnline
          ? t('They are sent again until the server answers. Each one counts once.')
          : t(
              'There is no connection. They are sent as soon as it is back, also after you close this page and open it again.',
            )
      }
      action={isOnline && <Button onClick={onRetry}>{t('Send now')}</Button>}
    />
  )
}
