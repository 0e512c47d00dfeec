import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import { FormField } from './form-field.tsx'

it('opens a keyboard with a point for an amount: that for decimals has only a comma in many regions', () => {
  const props = { name: 'price', value: '', error: undefined, onChange: () => {} }
  const field = { kind: 'amount', label: 'Price', decimals: 6 } as const
  const input = renderToString(createElement(FormField, { ...props, field }))
  expect(input).toContain('name="price"')
  expect(input).not.toContain('inputMode="decimal"')
})
