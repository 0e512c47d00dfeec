import { ConfigurationError, readEnvironment } from '@mintmark/server-kit'
import { expect, it } from 'vitest'
import { readConfiguration } from '../main/configuration.ts'

const complete = { FACILITATOR_URL: 'http://facilitator:4001', FACILITATOR_OPERATOR_TOKEN: 'x'.repeat(32) }
const read = (env: Record<string, string>) => readConfiguration(readEnvironment(env)).app.facilitator

it('the settings of the connected facilitator are none by default, and are read together', () => {
  expect(read({})).toBeUndefined()
  expect(read(complete)).toEqual({ url: 'http://facilitator:4001', token: 'x'.repeat(32) })
  expect(read({ ...complete, FACILITATOR_URL: 'https://pay.example/x/' })?.url).toBe('https://pay.example/x')
})

it.each(Object.keys(complete))(
  'the settings of the connected facilitator are incomplete without %s, which the error names',
  (name) => {
    expect(() => read({ ...complete, [name]: '' })).toThrow(ConfigurationError)
    expect(() => read({ ...complete, [name]: '' })).toThrow(new RegExp(`^${name}: expected a value`))
  },
)

it.each([
  'http://user:password@pay.example',
  'https://pay.example/?a=b',
  'https://pay.example/#a',
  'pay.example',
])('the settings of the connected facilitator refuse the address %s', (url) => {
  expect(() => read({ ...complete, FACILITATOR_URL: url })).toThrow('FACILITATOR_URL: expected')
})

it('the settings of the connected facilitator refuse a token that no facilitator accepts, without showing it', () => {
  const token = `${'secret'.repeat(6)} x`
  for (const wrong of ['secret', token]) {
    const error = () => read({ ...complete, FACILITATOR_OPERATOR_TOKEN: wrong })
    expect(error).toThrow('FACILITATOR_OPERATOR_TOKEN: expected')
    expect(error).not.toThrow('secret')
  }
})
