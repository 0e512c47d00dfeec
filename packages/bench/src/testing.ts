import type { SectionResult } from './results.ts'

/** A section with a rate and a time of two servers. */
export const serverSection: SectionResult = {
  name: 'servers',
  title: 'Two servers under load',
  seconds: 12.3,
  columns: [
    { name: 'responses', unit: 'per second' },
    { name: 'latency', unit: 'ms' },
  ],
  rows: [
    { name: 'fast', figures: [{ value: 12_000, spread: [11_000, 13_000] }, { value: 1.5 }] },
    { name: 'slow', figures: [{ value: 3000, spread: [2900, 3100] }, null] },
  ],
  aims: [{ text: 'fast is at least 3 × slow: 4.00 ×', reached: true }],
}

/** A section whose times grow with a size over four decades. */
export const sizeSection: SectionResult = {
  name: 'sizes',
  title: 'A list by its size',
  seconds: 60,
  columns: [
    { name: '100 rows', unit: 'ms' },
    { name: '100,000 rows', unit: 'ms' },
  ],
  rows: [
    { name: 'first page', figures: [{ value: 2, spread: [1.8, 2.4] }, { value: 2.5 }] },
    { name: 'last page', figures: [{ value: 3 }, { value: 300 }] },
  ],
  aims: [{ text: 'no page takes longer than 100 ms: 300.0 ms', reached: false }],
  notes: ['Nothing was analyzed.'],
}
