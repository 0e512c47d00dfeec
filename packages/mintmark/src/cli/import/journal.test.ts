import { type FileHandle, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFolder } from '../testing/run-command.ts'
import { type JournalEntry, type JournalHeader, openJournal } from './journal.ts'

const header: JournalHeader = {
  version: 1,
  operation: 'promoCodeCards.create',
  digest: 'd',
  target: 't',
  defaults: 'e',
  batchSize: 1,
  startedAt: 0,
}
const toEntry = (line: number): JournalEntry => ({ type: 'rejected', line, reason: 'x' })

/** Makes the next write fail after some bytes, as on a full disk. */
async function failNextWrite(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  const spy = vi.spyOn(prototype, 'appendFile')
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementationOnce(async function (this: FileHandle, data) {
    await this.write(String(data).slice(0, 10))
    throw new Error('ENOSPC: no space left on device')
  })
}

it('writes nothing after a line that a full disk has cut, so that the journal can be read again', async () => {
  const path = join(createFolder(), 'cards.csv.journal')
  const journal = await openJournal(path, header, () => undefined)
  await journal.append(toEntry(2))
  await failNextWrite(path)
  // Calls that are in progress end after the disk was full, and may find space again.
  const appends = [journal.append(toEntry(3)), journal.append(toEntry(4))]
  const results = await Promise.allSettled(appends)
  await journal.close()
  const reopened = await openJournal(path, header, () => undefined)
  expect(reopened.entries).toEqual([toEntry(2)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await reopened.append(toEntry(3))
  await reopened.close()
  expect((await readFile(path, 'utf8')).trim().split('\n')).toHaveLength(3)
})
