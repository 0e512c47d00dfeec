// The page of the staff. A scan stays in the queue until the shop has answered, so that none is lost or counted twice while the network is down.
const [video, form, code, outcome, waiting] = ['video', 'form', 'code', 'outcome', 'waiting'].map((id) =>
  document.getElementById(id),
)
const QUEUE = 'scans'
const RETRY_MS = 3000
const SAME_CODE_MS = 5000
let isSending = false

const readQueue = () => JSON.parse(localStorage.getItem(QUEUE) ?? '[]')

function writeQueue(scans) {
  localStorage.setItem(QUEUE, JSON.stringify(scans))
  waiting.textContent = scans.length > 0 ? `${scans.length} waiting for the network` : ''
}

function show(isOk, text) {
  outcome.className = isOk ? 'ok' : 'refused'
  outcome.textContent = text
  navigator.vibrate?.(isOk ? 100 : [100, 50, 100])
}

async function sendQueue() {
  if (isSending) return
  isSending = true
  try {
    for (let scans = readQueue(); scans.length > 0; scans = readQueue()) {
      const response = await fetch('/stamps', { method: 'POST', body: JSON.stringify(scans[0]) })
      if (response.status >= 500) break
      const { ok, text } = await response.json()
      show(ok, text)
      writeQueue(readQueue().slice(1))
    }
  } catch {
    // The network is down. The scans stay in the queue.
  }
  isSending = false
}

function add(qrCode) {
  // The outcome of the card before this one must not be taken for this one's.
  outcome.className = ''
  outcome.textContent = ''
  writeQueue([...readQueue(), { qrCode, nonce: crypto.randomUUID() }])
  sendQueue()
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  add(code.value.trim())
  form.reset()
})

async function scan() {
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  video.hidden = false
  await video.play()
  const detector = new BarcodeDetector({ formats: ['qr_code'] })
  let last = { text: '', time: 0 }
  for (;;) {
    const [seen] = await detector.detect(video)
    const isNew = seen && (seen.rawValue !== last.text || Date.now() - last.time > SAME_CODE_MS)
    if (seen) last = { text: seen.rawValue, time: Date.now() }
    if (isNew) add(seen.rawValue)
    await new Promise(requestAnimationFrame)
  }
}

writeQueue(readQueue())
setInterval(sendQueue, RETRY_MS)
// Without a camera, or where the browser has no detector, the code is typed or comes from a scanner that is a keyboard.
if ('BarcodeDetector' in window) scan().catch(() => {})
