/**
 * Repeats a statement that deletes at most `batch` rows until none is left: each neither runs into the time limit
 * nor blocks others for long.
 *
 * @returns The number of deleted rows.
 */
export async function deleteInBatches(batch: number, deleteBatch: () => Promise<number>): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await deleteBatch()
    deleted += count
    if (count < batch) return deleted
  }
}
