import { Loader } from '@mantine/core'
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { useEffect, useRef, useState } from 'react'
import css from './files.module.css'

GlobalWorkerOptions.workerSrc = workerAddress

/** Of longer documents, the beginning is shown. */
const mostPages = 30
const widest = 850

/** The pages as pictures. Scripts and links in the document stay what they are: data that nothing reads. */
export function PdfPages({ content, name }: { content: Blob; name: string }) {
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>()
  useEffect(() => {
    let task: ReturnType<typeof getDocument> | undefined
    let isGone = false
    void content.arrayBuffer().then((data) => {
      if (isGone) return
      task = getDocument({ data, enableXfa: false, disableFontFace: true, verbosity: 0 })
      task.promise.then(
        (opened) => setPdf(opened),
        () => setPdf(null),
      )
    })
    return () => {
      isGone = true
      void task?.destroy()
    }
  }, [content])
  if (pdf === null) return <p>This document cannot be shown. Download it instead.</p>
  if (!pdf) return <Loader color="gray" />
  const count = Math.min(pdf.numPages, mostPages)
  return (
    <div
      className={css.pages}
      role="img"
      aria-label={`${name}, ${pdf.numPages === 1 ? '1 page' : `${pdf.numPages} pages`}`}
    >
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name than their number
        <Page key={i} pdf={pdf} number={i + 1} />
      ))}
      {count < pdf.numPages && (
        <p>
          These are the first {count} pages. Download the file to see all {pdf.numPages}.
        </p>
      )}
    </div>
  )
}

function Page({ pdf, number }: { pdf: PDFDocumentProxy; number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    const drawing = pdf.getPage(number).then((page) => {
      if (isGone || !canvas.current) return
      const plain = page.getViewport({ scale: 1 })
      const viewport = page.getViewport({ scale: Math.min(2, (widest / plain.width) * Math.min(2, devicePixelRatio)) })
      canvas.current.width = viewport.width
      canvas.current.height = viewport.height
      return page.render({ canvas: canvas.current, viewport }).promise
    })
    // A page that cannot be drawn stays white.
    drawing.catch(() => {})
    return () => {
      isGone = true
    }
  }, [pdf, number])
  return <canvas ref={canvas} />
}
