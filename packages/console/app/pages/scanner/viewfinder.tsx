import type { ReactNode } from 'react'
import { Button, Spinner } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { scannerTexts } from '../../texts/scanner.ts'
import type { useCamera } from './use-camera.ts'

interface ViewfinderProps {
  readonly camera: ReturnType<typeof useCamera>
}

const texts = scannerTexts.camera

/** Shows what the camera sees, or how to start it. */
export function Viewfinder({ camera }: ViewfinderProps): ReactNode {
  const { video, state, start, stop } = camera
  const isOn = state === 'on'
  return (
    <section className="viewfinder" aria-label={texts.label}>
      <video ref={video} className={isOn ? 'viewfinder-video' : 'viewfinder-hidden'} muted playsInline />
      {isOn ? (
        <>
          <div className="viewfinder-frame" />
          <p className="viewfinder-hint">{texts.hint}</p>
          <div className="viewfinder-stop">
            <Button onClick={stop}>{texts.stop}</Button>
          </div>
        </>
      ) : (
        <div className="viewfinder-start">
          {state === 'starting' ? (
            <>
              <Spinner />
              <p>{texts.starting}</p>
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
          {texts.start}
        </Button>
        <p className="muted">{texts.off}</p>
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
      <Button onClick={onStart}>{texts.retry}</Button>
    </>
  )
}
