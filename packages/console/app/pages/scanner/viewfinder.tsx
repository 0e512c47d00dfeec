import type { ReactNode } from 'react'
import { Button, Spinner } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { t } from '../../language/translate.ts'
import { scannerTexts } from '../../texts/scanner.ts'
import type { useCamera } from './use-camera.ts'

const texts = scannerTexts.camera

/** Shows what the camera sees, or how to start it. */
export function Viewfinder({ camera }: { readonly camera: ReturnType<typeof useCamera> }): ReactNode {
  const { video, state, start, stop } = camera
  const isOn = state === 'on'
  return (
    <section className="viewfinder" aria-label={t('Picture of the camera')}>
      <video ref={video} className="viewfinder-video" hidden={!isOn} muted playsInline />
      {isOn ? (
        <>
          <div className="viewfinder-frame" />
          <p className="viewfinder-hint">{t('Hold the QR code of the card into the frame.')}</p>
          <div className="viewfinder-stop">
            <Button onClick={stop}>{t('Stop the camera')}</Button>
          </div>
        </>
      ) : (
        <div className="empty-state viewfinder-start">
          {state === 'starting' ? (
            <>
              <Spinner />
              <p>{t('Starting the camera')}</p>
            </>
          ) : (
            <CameraStart state={state} onStart={start} />
          )}
        </div>
      )}
    </section>
  )
}

interface CameraStartProps {
  readonly state: 'off' | 'denied' | 'missing' | 'failed'
  readonly onStart: () => void
}

function CameraStart({ state, onStart }: CameraStartProps): ReactNode {
  if (state === 'off') {
    return (
      <>
        <Icon name="scanner" />
        <Button kind="primary" onClick={onStart}>
          {t('Start the camera')}
        </Button>
        <p className="muted">{t('The camera reads QR codes of cards. The pictures stay on this device.')}</p>
      </>
    )
  }
  const { title, advice } = texts.states[state]
  return (
    <>
      <Icon name="warning" />
      <p className="empty-state-title" role="alert">
        {title}
      </p>
      <p className="muted">{advice}</p>
      <Button onClick={onStart}>{t('Try again')}</Button>
    </>
  )
}
