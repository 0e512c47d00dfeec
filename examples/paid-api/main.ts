// An API that is paid per call. Needs `npm start` running. Run: npx node examples/paid-api/main.ts
import { readFileSync } from 'node:fs'
import { createPaidApi } from './api.ts'

const { chain, demo, facilitator } = JSON.parse(readFileSync('.mintmark/credentials.json', 'utf8'))
const api = createPaidApi({
  facilitatorUrl: facilitator.baseUrl,
  token: facilitator.token,
  payTo: demo.creator,
  network: `eip155:${chain.chainId}`,
})
const port = Number(process.env.PORT || 3001)
api.listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/weather/Berlin costs one cent`))
