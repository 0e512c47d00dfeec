'use client'

/** Shown for errors that no page expects. Their messages stay on the server, whose log has them. */
export default function ErrorPage({ retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <>
      <h1>Something is broken</h1>
      <p>Nothing was ordered or paid by this page. Please try again.</p>
      <button type="button" onClick={() => retry()}>
        Try again
      </button>
    </>
  )
}
