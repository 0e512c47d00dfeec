import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { t } from '../../language/translate.ts'
import { scannerTexts } from '../../texts/scanner.ts'
import { createQrReader, FILE_SIZE } from './qr-reader.ts'
import { readScannedCode } from './scan.ts'

const texts = scannerTexts.code

/** Takes a code that is typed, also by a scanner that types, and a picture of a code. */
export function CodeForm({ onCode }: { readonly onCode: (code: string) => void }): ReactNode {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = readScannedCode(text)
    if (code === undefined) {
      setError(text.trim() === '' ? t('Enter the code of a card') : texts.tooLong)
      return focusFirstInvalid(event.currentTarget)
    }
    setText('')
    onCode(code)
  }
  return (
    <form className="panel stack-small" onSubmit={submit} noValidate>
      <TextField
        label={t('Code of the card')}
        description={t('Type or paste it, or use a scanner that types. It is printed below the QR code.')}
        error={error}
        name="code"
        value={text}
        onChange={(value) => {
          setText(value)
          setError(undefined)
        }}
        isCode
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
      />
      <div className="row">
        <Button kind="primary" type="submit">
          {t('Check the code')}
        </Button>
        <PictureButton
          onText={(found) => {
            const code = readScannedCode(found)
            if (code === undefined) setError(texts.tooLong)
            else onCode(code)
          }}
          onError={setError}
        />
      </div>
    </form>
  )
}

interface PictureButtonProps {
  readonly onText: (text: string) => void
  readonly onError: (message: string | undefined) => void
}

/** Reads the QR code in a picture that the person chooses. It is not uploaded. */
function PictureButton({ onText, onError }: PictureButtonProps): ReactNode {
  const [isReading, setIsReading] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const read = async (file: File) => {
    setIsReading(true)
    onError(undefined)
    try {
      const text = await readPicture(file)
      if (text === undefined)
        onError(t('The picture has no readable QR code. Take it closer and without reflections.'))
      else onText(text)
    } catch {
      onError(t('The file is no picture that this browser can read. Choose a JPEG or PNG file.'))
    } finally {
      setIsReading(false)
    }
  }
  return (
    <>
      <Button isPending={isReading} onClick={() => input.current?.click()}>
        {isReading ? t('Reading the picture') : t('Choose a picture')}
      </Button>
      <label className="visually-hidden" htmlFor={id}>
        {t('Picture with a QR code')}
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept="image/*"
        tabIndex={-1}
        className="visually-hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file can be chosen again.
          target.value = ''
          if (file !== undefined) void read(file)
        }}
      />
    </>
  )
}

/** Reads the QR code in a file. Throws if the file is no picture. */
async function readPicture(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file)
  try {
    const reader = await createQrReader(FILE_SIZE)
    return await reader.read(picture)
  } finally {
    picture.close()
  }
}
