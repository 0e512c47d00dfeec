import { expect, it } from 'vitest'
import { listLabels, toSheets } from './print-labels.ts'
import type { AnyCard } from './programs.ts'

const ORIGIN = 'https://gateway.example'
const card = (id: number): AnyCard =>
  ({
    id,
    projectId: 7,
    name: `Card ${id}`,
    endTime: '',
    qrCodeUrl: `${ORIGIN}/qr/7/code${id}.svg`,
  }) as AnyCard

it('prints 24 labels on a page, and each card as often as wanted', () => {
  const cards = Array.from({ length: 25 }, (_, index) => card(index + 1))
  const sheets = toSheets(listLabels(cards, 2, ORIGIN))
  expect(sheets.map((sheet) => sheet.length)).toEqual([24, 24, 2])
  expect(sheets[0]?.slice(0, 3).map(({ code }) => code)).toEqual(['code1', 'code1', 'code2'])
  expect(new Set(sheets.flat().map(({ key }) => key)).size).toBe(50)
})

it('names whom a card is for', () => {
  const labels = listLabels([card(1), { ...card(2), reference: 'Ana' }], 1, ORIGIN)
  expect(labels.map(({ reference }) => reference)).toEqual(['', 'Ana'])
})

it('leaves out cards whose code is not known', () => {
  const own = { ...card(1), qrCodeUrl: 'https://shop.example/own.png' }
  expect(listLabels([own, card(2)], 1, ORIGIN).map(({ name }) => name)).toEqual(['Card 2'])
  expect(toSheets([])).toEqual([])
})
