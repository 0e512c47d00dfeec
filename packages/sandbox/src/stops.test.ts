import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Stops, waitForAll } from './stops.ts'

it('stops the latest part first, and the others if one fails', async () => {
  const stopped: string[] = []
  const stops = new Stops()
  for (const name of ['first', 'second', 'third']) {
    stops.defer(async () => {
      stopped.push(name)
      if (name === 'second') throw new Error('broken')
    })
  }
  await expect(stops.stop()).rejects.toThrow('could not be stopped')
  expect(stopped).toEqual(['third', 'second', 'first'])
  await stops.stop()
  expect(stopped).toHaveLength(3)
})

it('waits for a stop in progress, such as that of a signal, when it is stopped again', async () => {
  const part = Promise.withResolvers<void>()
  const stops = new Stops()
  stops.defer(() => part.promise)
  void stops.stop()
  let hasStopped = false
  const stopping = stops.stop().then(() => {
    hasStopped = true
  })
  await setImmediate()
  expect(hasStopped).toBe(false)
  part.resolve()
  await stopping
})

it('waits for a start in progress when another one has failed', async () => {
  let hasStarted = false
  const slow = async () => {
    await Promise.resolve()
    await Promise.resolve()
    hasStarted = true
  }
  const failing = Promise.reject(new Error('broken'))
  await expect(waitForAll([failing, slow()])).rejects.toThrow('broken')
  expect(hasStarted).toBe(true)
})
