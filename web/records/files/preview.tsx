import { Button, Loader } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IconButton } from '../../ui/basics/icon-button.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { Dialog } from '../../ui/form/dialog.tsx'
import { asSize } from '../../ui/text/numbers.ts'
import css from './files.module.css'
import { contentQuery, type FileValue, hrefOf, previewOf } from './files.ts'

const PdfPages = lazy(() => import('./pdf-pages.tsx').then(({ PdfPages }) => ({ default: PdfPages })))

type Props = {
  file: FileValue
  /** Those that the arrows go through. */
  among: FileValue[]
  onOpen: (file: FileValue) => void
  onClose: () => void
}

/** A file drawn in the page. Nothing in it can run: pictures and pages become pixels, text stays text. */
export function PreviewDialog({ file, among, onOpen, onClose }: Props) {
  const shown = among.filter(previewOf)
  const place = shown.findIndex(({ id }) => id === file.id)
  const step = (by: number) => {
    const next = shown[place + by]
    return next && (() => onOpen(next))
  }
  const [previous, next] = [step(-1), step(1)]
  useWindowEvent('keydown', ({ key }) => (key === 'ArrowLeft' ? previous?.() : key === 'ArrowRight' && next?.()))
  return (
    <Dialog title={<bdi>{file.name}</bdi>} size={900} tall onClose={onClose}>
      <div className={css.preview}>
        <Content key={file.id} file={file} />
      </div>
      <div className={css.bar}>
        <span>{asSize(file.size)}</span>
        {shown.length > 1 && (
          <>
            <IconButton icon={ChevronLeft} label="Previous file" disabled={!previous} onClick={previous} />
            <IconButton icon={ChevronRight} label="Next file" disabled={!next} onClick={next} />
          </>
        )}
        <Button component="a" href={hrefOf(file)} download={file.name} leftSection={<Download size={15} />}>
          Download
        </Button>
      </div>
    </Dialog>
  )
}

function Content({ file }: { file: FileValue }) {
  const query = useQuery(contentQuery(file))
  const kind = previewOf(file)
  return (
    <Loaded query={query} waiting={<Loader color="gray" />} what="the file" small>
      {(content) =>
        kind === 'picture' ? (
          <Picture content={content} name={file.name} />
        ) : kind === 'pdf' ? (
          <Suspense fallback={<Loader color="gray" />}>
            <PdfPages content={content} name={file.name} />
          </Suspense>
        ) : (
          <Text content={content} />
        )
      }
    </Loaded>
  )
}

function Picture({ content, name }: { content: Blob; name: string }) {
  const [address, setAddress] = useState<string>()
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  if (isBroken) return <p>This picture cannot be shown. Download it instead.</p>
  return address && <img src={address} alt={name} onError={() => setBroken(true)} />
}

function Text({ content }: { content: Blob }) {
  const [text, setText] = useState<string>()
  useEffect(() => void content.text().then(setText), [content])
  return text === undefined ? <Loader color="gray" /> : <pre dir="auto">{text}</pre>
}
