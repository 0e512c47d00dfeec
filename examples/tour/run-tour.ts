import { resolve } from 'node:path'
import { readCredentials } from '@mintmark/sandbox'
import { tourCards } from './cards.ts'
import { tourEvents } from './events.ts'
import { tourMarket } from './market.ts'
import { tourMicropayments } from './micropayments.ts'
import { tourMinting } from './minting.ts'
import { tourOrders } from './orders.ts'
import { jsonReport, textReport } from './report.ts'
import { tourSpecification } from './specification.ts'
import { createTour, FailedCallError } from './tour.ts'
import { tourWallets } from './wallets.ts'

const chapters = [
  tourSpecification,
  tourWallets,
  tourOrders,
  tourCards,
  tourMinting,
  tourMarket,
  tourEvents,
  tourMicropayments,
]

function exitWithoutServers(problem: string): never {
  console.error(`${problem}. Run npm start first, in another terminal, and keep it running.`)
  process.exit(1)
}

/**
 * Calls both servers of a running sandbox through the packages, and prints each call with its response. Ends
 * the process, with status 1 when no sandbox is running or a call fails.
 */
export async function runTour({ json }: { readonly json: boolean }): Promise<never> {
  const dataDir = resolve(process.env.DATA_DIR || '.mintmark')
  const stored =
    (await readCredentials(dataDir)) ?? exitWithoutServers(`There are no credentials in ${dataDir}`)
  const { demo } = stored
  if (demo === undefined) exitWithoutServers(`The sandbox in ${dataDir} has no demo data`)
  const credentials = { ...stored, demo }
  const { baseUrl } = credentials.gateway
  const isRunning = await fetch(`${baseUrl}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isRunning) exitWithoutServers(`No server responds at ${baseUrl}`)

  const report = json ? jsonReport : textReport
  const tour = createTour(credentials, dataDir, report)
  let hasFailed = false
  for (const tourChapter of chapters) {
    try {
      await tourChapter(tour)
    } catch (error) {
      // A call needs what the earlier calls of its chapter returned, so the next chapter follows.
      if (!(error instanceof FailedCallError)) console.error(error)
      hasFailed = true
    }
  }
  report.end(tour.counts)
  process.exit(hasFailed ? 1 : 0)
}
