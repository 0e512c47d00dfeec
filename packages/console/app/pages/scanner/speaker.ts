import type { ScanState } from './scan.ts'

/** A tone: its pitch in hertz, when it begins and how long it lasts, in seconds. */
interface Tone {
  readonly pitch: number
  readonly begin: number
  readonly length: number
  readonly shape: OscillatorType
}

const SOUNDS: Readonly<Record<ScanState, readonly Tone[]>> = {
  accepted: [
    { pitch: 880, begin: 0, length: 0.1, shape: 'sine' },
    { pitch: 1320, begin: 0.11, length: 0.16, shape: 'sine' },
  ],
  refused: [
    { pitch: 220, begin: 0, length: 0.18, shape: 'square' },
    { pitch: 165, begin: 0.22, length: 0.28, shape: 'square' },
  ],
  waiting: [{ pitch: 520, begin: 0, length: 0.12, shape: 'triangle' }],
}

/** How phones vibrate: milliseconds of vibration and of rest in turn. */
const VIBRATIONS: Readonly<Record<ScanState, number[]>> = {
  accepted: [80],
  refused: [180, 80, 180],
  waiting: [40, 60, 40],
}

const VOLUME = 0.2

let audio: AudioContext | undefined

/** Allows sounds. Browsers require that a person has pressed something; later sounds need no press. */
export function allowSounds(): void {
  audio ??= new AudioContext()
  // A context that cannot start plays nothing, and the screen shows the same.
  void audio.resume().catch(() => {})
}

/** Vibrates, and plays the sound of a result unless it is muted. */
export function signal(state: ScanState, isMuted: boolean): void {
  // Not in all browsers.
  navigator.vibrate?.(VIBRATIONS[state])
  if (isMuted || audio === undefined || audio.state !== 'running') return
  for (const { pitch, begin, length, shape } of SOUNDS[state]) {
    const oscillator = audio.createOscillator()
    const gain = audio.createGain()
    const start = audio.currentTime + begin
    oscillator.type = shape
    oscillator.frequency.value = pitch
    gain.gain.setValueAtTime(VOLUME, start)
    gain.gain.exponentialRampToValueAtTime(0.001, start + length)
    oscillator.connect(gain).connect(audio.destination)
    oscillator.start(start)
    oscillator.stop(start + length)
  }
}
