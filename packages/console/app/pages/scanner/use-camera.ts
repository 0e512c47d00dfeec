import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { t } from '../../language/translate.ts'
import { createQrReader, FRAME_SIZE } from './qr-reader.ts'

/**
 * `off`: not started. `denied`: the person or the browser does not allow it. `missing`: there is none, or the
 * page is not served over https.
 */
export type CameraState = 'off' | 'starting' | 'on' | 'denied' | 'missing' | 'failed'

/** At most ten pictures are read per second, so that phones stay cool. */
const FRAME_MS = 100

interface Camera {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: CameraState
  start(): void
  stop(): void
}

/**
 * Reads QR codes with the camera at the back of the phone. It starts by itself if the person has allowed it
 * before, and pauses while the page is hidden.
 *
 * @param onText Called for each picture with a code.
 */
export function useCamera(onText: (text: string) => void): Camera {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('off')
  const [isStarted, setIsStarted] = useState(false)
  const isVisible = useIsVisible()
  const current = useRef(onText)
  current.current = onText

  useEffect(() => {
    let isMounted = true
    void isCameraAllowed().then((isAllowed) => {
      if (isMounted && isAllowed) setIsStarted(true)
    })
    return () => {
      isMounted = false
    }
  }, [])

  useEffect(() => {
    if (!isStarted || !isVisible) return
    const ended = new AbortController()
    setState('starting')
    runCamera({
      signal: ended.signal,
      getVideo: () => video.current,
      onStart: () => setState('on'),
      onText: (text) => current.current(text),
    }).catch((error: unknown) => {
      if (ended.signal.aborted) return
      setState(toCameraState(error))
      setIsStarted(false)
    })
    return () => ended.abort()
  }, [isStarted, isVisible])

  const start = useCallback(() => setIsStarted(true), [])
  const stop = useCallback(() => {
    setIsStarted(false)
    setState('off')
  }, [])
  return { video, state, start, stop }
}

interface CameraRun {
  readonly signal: AbortSignal
  getVideo(): HTMLVideoElement | null
  onStart(): void
  onText(text: string): void
}

/** Reads pictures until the signal. Throws if the camera cannot be used, or is taken away. */
async function runCamera({ signal, getVideo, onStart, onText }: CameraRun): Promise<void> {
  if (navigator.mediaDevices === undefined) throw new DOMException(t('No camera'), 'NotFoundError')
  const [stream, reader] = await Promise.all([
    navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
    }),
    createQrReader(FRAME_SIZE),
  ])
  try {
    const video = getVideo()
    if (signal.aborted || video === null) return
    video.srcObject = stream
    await video.play()
    onStart()
    while (!signal.aborted) {
      if (stream.getTracks().every(({ readyState }) => readyState === 'ended')) {
        throw new DOMException(t('The camera was disconnected'), 'NotReadableError')
      }
      const begin = performance.now()
      const text = await reader.read(video)
      if (text !== undefined && !signal.aborted) onText(text)
      const rest = Math.max(0, FRAME_MS - (performance.now() - begin))
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

function toCameraState(error: unknown): CameraState {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return 'failed'
}

async function isCameraAllowed(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'camera' })
    return state === 'granted'
  } catch {
    // Some browsers do not tell. Then the person starts the camera by the button.
    return false
  }
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    const update = () => setIsVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', update)
    return () => document.removeEventListener('visibilitychange', update)
  }, [])
  return isVisible
}
