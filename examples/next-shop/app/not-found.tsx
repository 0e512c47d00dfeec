import Link from 'next/link'

export default function NotFoundPage() {
  return (
    <>
      <h1>Not found</h1>
      <p>
        Orders are shown in the browser that placed them. <Link href="/">See what is for sale</Link>
      </p>
    </>
  )
}
