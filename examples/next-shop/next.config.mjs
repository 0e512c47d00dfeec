const headers = [
  { key: 'Content-Security-Policy', value: "frame-ancestors 'none'; base-uri 'none'; form-action 'self'" },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
]

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // The repository around this folder has a lockfile too.
  turbopack: { root: import.meta.dirname },
  headers: async () => [{ source: '/:path*', headers }],
}

export default config
