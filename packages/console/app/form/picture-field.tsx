import { media } from '@mintmark/cards'
import { isMintmarkError } from '@mintmark/envelope'
import { type ComponentProps, type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { callOperation, useClient } from '../api/operations.ts'
import { TextField } from '../components/field.tsx'
import { Picture } from '../components/picture.tsx'
import { describeError } from '../errors/describe-error.ts'
import { t } from '../language/translate.ts'

const texts = {
  upload: (label: string) => t('Upload a file for “{label}”', { label }),
  drop: t('Or drop a PNG, JPEG, WebP or GIF of up to 5 MB here.'),
  uploading: t('The picture is being uploaded…'),
  uploaded: t('The picture is uploaded.'),
  wait: t('Wait until the picture is uploaded, then try again'),
  tooLarge: t('The file is larger than 5 MB. Choose a smaller picture'),
}

const MAX_BYTES = 5 * 1024 * 1024
const TYPES = 'image/png,image/jpeg,image/webp,image/gif'

type Progress = 'none' | 'uploading' | 'uploaded'

/**
 * A field for a picture: its address, or a file that is chosen or dropped and uploaded at once. Its form is not
 * sent meanwhile.
 */
export function PictureField(props: ComponentProps<typeof TextField>): ReactNode {
  const { label, value, error, onChange } = props
  const { client } = useClient(media.upload)
  const [progress, setProgress] = useState<Progress>('none')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  /** The file whose address the field takes. */
  const awaited = useRef<File>(undefined)

  useEffect(() => {
    const form = input.current?.form
    if (progress !== 'uploading' || !form) return
    const refuse = (event: SubmitEvent) => {
      event.preventDefault()
      event.stopPropagation()
      setProblem(texts.wait)
      input.current?.focus()
    }
    form.addEventListener('submit', refuse)
    return () => form.removeEventListener('submit', refuse)
  }, [progress])

  const upload = async (file: File | undefined) => {
    if (file === undefined || progress === 'uploading') return
    if (file.size > MAX_BYTES) return setProblem(texts.tooLarge)
    setProblem(undefined)
    setProgress('uploading')
    awaited.current = file
    try {
      const { url } = await callOperation(client, media.upload, { content: await toBase64(file) })
      if (awaited.current !== file) return
      onChange(url)
      setProblem(undefined)
      setProgress('uploaded')
    } catch (failure) {
      if (awaited.current !== file) return
      setProgress('none')
      setProblem(describeProblem(failure))
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void upload(event.dataTransfer.files[0])
  }
  const enter = (text: string) => {
    awaited.current = undefined
    setProgress('none')
    setProblem(undefined)
    onChange(text)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is another way to choose a file in the input
    <div className="field" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <TextField {...props} onChange={enter} error={problem ?? error} />
      <div className="row">
        {value !== '' && <Picture address={value} label="" size="thumbnail" />}
        <input
          ref={input}
          type="file"
          accept={TYPES}
          aria-label={texts.upload(label)}
          onChange={({ target }) => {
            void upload(target.files?.[0])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </div>
      <p className="field-description" role="status">
        {progress === 'none' ? texts.drop : texts[progress]}
      </p>
    </div>
  )
}

/** The server says what is wrong with the file. */
function describeProblem(error: unknown): string {
  const issue = isMintmarkError(error) && error.kind === 'InvalidInput' ? error.issues[0] : undefined
  if (issue !== undefined) return issue.message
  const { title, advice } = describeError(error, { isOnline: navigator.onLine })
  return advice === '' ? title : `${title}. ${advice}`
}

async function toBase64(file: File): Promise<string> {
  const reader = new FileReader()
  await new Promise((resolve, reject) => {
    reader.onload = resolve
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return String(reader.result).replace(/^[^,]*,/, '')
}
