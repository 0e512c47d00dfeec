import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect, it } from 'vitest'
import { compareResults } from '../comparison.ts'
import type { Results, SectionResult } from '../results.ts'
import { createTestResults, replaceFigure, serverSection, sizeSection } from '../testing.ts'
import { renderReport } from './report.ts'

type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

/** Parses a report. Fails for HTML that a browser would have to repair. */
function parsePage(page: string) {
  const errors: string[] = []
  const document = parse(page, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`),
  })
  expect(errors).toEqual([])
  return document
}

function listElements(parent: ParentNode, name: string): Element[] {
  return parent.childNodes.flatMap((node) => {
    if (!('tagName' in node)) return []
    return [...(node.tagName === name ? [node] : []), ...listElements(node, name)]
  })
}

function getText(parent: ParentNode): string {
  const texts = parent.childNodes.map((node) => {
    if (node.nodeName === '#text' && 'value' in node) return node.value
    return 'childNodes' in node ? getText(node) : ''
  })
  return texts.join('').replace(/\s+/g, ' ')
}

const getAttribute = ({ attrs }: Element, name: string) => attrs.find((each) => each.name === name)?.value

const listByClass = (parent: ParentNode, element: string, name: string) =>
  listElements(parent, element).filter((each) => getAttribute(each, 'class')?.split(' ').includes(name))

const renderPage = async (results: Results, baseline?: Results) =>
  parsePage(await renderReport(results, baseline && compareResults(results, baseline)))

it('describes the machine, Node, commit and date', async () => {
  const page = await renderPage(createTestResults())
  const [facts] = listElements(page, 'dl')
  expect(facts && getText(facts)).toBe(
    'Measured2026-11-23 12:00 UTCMachine2 × Test CPU, 8 GB, linux x64Nodev24.21.0Commitabc1234Modefull',
  )
})

it('shows each section as a table with units and spreads', async () => {
  const page = await renderPage(createTestResults([serverSection]))
  const rows = listElements(page, 'tr').map((row) =>
    [...listElements(row, 'th'), ...listElements(row, 'td')].map((cell) => getText(cell)),
  )
  expect(rows).toEqual([
    ['Measured', 'responses, per second', 'latency, ms'],
    ['fast', '12,00011,000 to 13,000', '1.5'],
    ['slow', '3,0002,900 to 3,100', ''],
  ])
})

it('shows aims that were missed, and notes', async () => {
  const page = await renderPage(createTestResults([sizeSection]))
  expect(getText(page)).toContain('1 aim missed.')
  expect(getText(page)).toContain('Missed no page takes longer than 100 ms: 300.0 ms')
  expect(getText(page)).toContain('Nothing was analyzed.')
})

it('gives every chart a title, a description and labeled axes', async () => {
  const page = await renderPage(createTestResults())
  const charts = listByClass(page, 'svg', 'chart')
  expect(charts).toHaveLength(2)
  for (const chart of charts) {
    expect(getAttribute(chart, 'role')).toBe('img')
    const ids = listElements(chart, 'title').concat(listElements(chart, 'desc'))
    const labels = getAttribute(chart, 'aria-labelledby')?.split(' ')
    expect(ids.map((each) => getAttribute(each, 'id'))).toEqual(expect.arrayContaining(labels ?? ['?']))
  }
  expect(listElements(page, 'figcaption').map((each) => getText(each))).toEqual([
    'Responses per second of two servers',
    'Milliseconds of a page by rows',
  ])
  expect(charts.map((chart) => listByClass(chart, 'text', 'axis').map((each) => getText(each)))).toEqual([
    ['per second'],
    ['ms, logarithmic', 'rows, logarithmic'],
  ])
})

it('labels the marks of a category chart with their values', async () => {
  const page = await renderPage(createTestResults([serverSection]))
  const labels = listByClass(page, 'text', 'label').map((each) => getText(each))
  expect(labels).toEqual(['12,000 per second', '3,000 per second'])
})

it('places marks in the proportion of their values on a linear axis from zero', async () => {
  const page = await renderPage(createTestResults([serverSection]))
  const [fast = 0, slow = 0] = listByClass(page, 'circle', 'mark')
    .filter((mark) => !getAttribute(mark, 'class')?.includes('neutral'))
    .map((mark) => Number(getAttribute(mark, 'cx')))
  const zero = Number(listByClass(page, 'line', 'grid').map((line) => getAttribute(line, 'x1'))[0])
  expect((fast - zero) / (slow - zero)).toBeCloseTo(4, 1)
})

it('places a factor of ten at the same distance everywhere on a logarithmic axis', async () => {
  const page = await renderPage(createTestResults([sizeSection]))
  const vertical = listByClass(page, 'line', 'grid').filter(
    (line) => getAttribute(line, 'x1') === getAttribute(line, 'x2'),
  )
  const positions = vertical.map((line) => Number(getAttribute(line, 'x1')))
  expect(positions).toHaveLength(4)
  const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0))
  for (const gap of gaps) expect(Math.abs(gap - (gaps[0] ?? 0))).toBeLessThan(0.3)
})

it('distinguishes lines by shape as well as by color, and names them in a legend', async () => {
  const page = await renderPage(createTestResults([sizeSection]))
  const [chart] = listByClass(page, 'svg', 'chart')
  expect(chart && listByClass(chart, 'circle', 'color-0')).toHaveLength(2)
  expect(chart && listByClass(chart, 'polygon', 'color-1')).toHaveLength(2)
  const [legend] = listByClass(page, 'ul', 'legend')
  expect(legend && getText(legend)).toContain('first page')
  expect(legend && getText(legend)).toContain('last page')
})

it('shows each figure before and after, with its change in percent and its meaning', async () => {
  const slower = replaceFigure(serverSection, [0, 0], { value: 9000, spread: [8500, 9500] })
  const noisy = replaceFigure(slower, [1, 0], { value: 3050, spread: [2950, 3150] })
  const page = await renderPage(createTestResults([noisy]), createTestResults([serverSection]))
  const changes = listElements(page, 'td').flatMap((cell) =>
    listElements(cell, 'span').map((each) => getText(each)),
  )
  expect(changes).toEqual([
    ...['9,000', '8,500 to 9,500', 'before 12,000', '−25.0 %, worse'],
    ...['1.5', 'unchanged'],
    ...['3,050', '2,950 to 3,150', 'before 3,000', '+1.7 %, within noise'],
  ])
  expect(listByClass(page, 'circle', 'before').length).toBeGreaterThan(2)
  expect(getText(page)).toContain('0 better, 1 worse, 2 within noise')
})

it('says which sections and figures the baseline does not have', async () => {
  const before = { ...serverSection, rows: serverSection.rows.slice(0, 1) }
  const page = await renderPage(createTestResults(), createTestResults([before]))
  expect(getText(page)).toContain('The baseline does not contain this section.')
  expect(getText(page)).toContain('not in the baseline')
})

it('warns visibly of a baseline that can hardly be compared', async () => {
  const page = await renderPage(createTestResults([], { quick: true }), createTestResults([]))
  const warnings = listByClass(page, 'p', 'warning').map((each) => getText(each))
  expect(warnings).toEqual([
    expect.stringContaining('The baseline was measured in full mode, this run quick mode.'),
  ])
})

it('warns of a chart that names rows and columns which its table lacks', async () => {
  const [columns, rows] = [serverSection.columns.slice(1), sizeSection.rows.slice(1)]
  const page = await renderPage(
    createTestResults([
      { ...serverSection, columns },
      { ...sizeSection, rows },
    ]),
  )
  expect(listByClass(page, 'p', 'warning').map((each) => getText(each))).toEqual([
    'Warning: The chart "Responses per second of two servers" names what the table lacks: responses.',
    'Warning: The chart "Milliseconds of a page by rows" names what the table lacks: first page.',
  ])
})

const HOSTILE = `</title></script><script>alert(1)</script><img src=x onerror="alert(2)">"'&amp;`

it('shows hostile text as text, everywhere', async () => {
  const renamed = (section: SectionResult): SectionResult => ({
    ...section,
    name: `${section.name} ${HOSTILE}`,
    title: HOSTILE,
    columns: section.columns.map((column) => ({ ...column, name: `${column.name} ${HOSTILE}` })),
    rows: section.rows.map((row) => ({ ...row, name: `${row.name} ${HOSTILE}` })),
    chart:
      section.chart.kind === 'categories'
        ? {
            ...section.chart,
            title: HOSTILE,
            columns: section.chart.columns.map((name) => `${name} ${HOSTILE}`),
          }
        : {
            ...section.chart,
            title: HOSTILE,
            xLabel: HOSTILE,
            lines: section.chart.lines.map(({ points }) => ({
              name: HOSTILE,
              points: points.map((point) => ({
                ...point,
                row: `${point.row} ${HOSTILE}`,
                column: `${point.column} ${HOSTILE}`,
              })),
            })),
          },
    aims: [{ text: HOSTILE, reached: false }],
    notes: [HOSTILE],
  })
  const changes = { cpu: HOSTILE, node: HOSTILE, platform: HOSTILE, commit: HOSTILE }
  const results = createTestResults([serverSection, sizeSection].map(renamed), changes)
  const page = await renderPage(results, createTestResults())
  expect(listElements(page, 'script')).toEqual([])
  expect(listElements(page, 'img')).toEqual([])
  expect(listByClass(page, 'svg', 'chart')).toHaveLength(2)
  expect(listElements(page, 'figcaption').map((each) => getText(each))).toEqual([HOSTILE, HOSTILE])
})

it('loads nothing from elsewhere', async () => {
  const page = await renderPage(createTestResults())
  for (const name of ['script', 'link', 'img', 'iframe', 'object'])
    expect(listElements(page, name)).toEqual([])
  const addresses = ['a', 'use', 'image'].flatMap((name) => listElements(page, name))
  expect(addresses.map((each) => getAttribute(each, 'href'))).toEqual(['#section-0', '#section-1'])
  const [style] = listElements(page, 'style')
  expect(style && getText(style)).not.toMatch(/url\(|@import/)
})

it('draws no chart for a section without figures', async () => {
  const empty = { ...serverSection, rows: [] }
  expect(listElements(await renderPage(createTestResults([empty])), 'figure')).toEqual([])
})

it('draws charts of values that are all zero, negative or the same', async () => {
  for (const value of [0, -5, 7]) {
    const flat = replaceFigure(replaceFigure(serverSection, [0, 0], { value }), [1, 0], { value })
    const text = await renderReport(createTestResults([flat]))
    parsePage(text)
    expect(text).not.toMatch(/NaN|Infinity|undefined/)
  }
})
