import { Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import css from './builder.module.css'
import { type Draft, previewQuery } from './lead-source.ts'

/** The element that websites embed, in server/leads/forms/form-element.js. */
type FormElement = HTMLElement & {
  step?: number
  steps: HTMLElement[]
  show: (form: object) => void
  go: (step: number, isFirst: boolean) => void
}

// The page that hosts the form, with its styles and its script, and nothing of the web app.
const page = `<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"><title>Preview</title>
<link rel="stylesheet" href="/plain.css"><script src="/public/forms/script" async></script></head>
<body><main><kith-form preview></kith-form></main></body></html>`

const pauseMs = 150

type Props = { id: string; draft: Draft /** Shows the step with this field. */; field: string | undefined }

/** The real form with the draft in it. It checks what is typed, and sends nothing. */
export function Preview({ id, draft, field }: Props) {
  const [asked] = useDebouncedValue(draft, pauseMs)
  const { data, isError } = useQuery(previewQuery(id, asked))
  const frame = useRef<HTMLIFrameElement>(null)
  const [element, setElement] = useState<FormElement>()
  const [height, setHeight] = useState(420)

  const connect = async () => {
    const inside = frame.current?.contentWindow
    await inside?.customElements.whenDefined('kith-form')
    setElement(inside?.document.querySelector<FormElement>('kith-form') ?? undefined)
  }
  useEffect(() => {
    if (!element || !data) return
    const step = element.step ?? 0
    element.show(data)
    element.go(Math.min(step, Math.max(0, element.steps.length - 1)), true)
    const body = element.ownerDocument.body
    body.style.margin = '0 auto'
    body.style.padding = '24px'
    const measure = () => setHeight(Math.max(200, element.offsetHeight + 56))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [element, data])
  // Runs after each change, so that the field being edited stays visible.
  useEffect(() => {
    const step = data ? (element?.steps?.findIndex((one) => one.querySelector(`[name="${field}"]`)) ?? -1) : -1
    if (field && step >= 0) element?.go(step, true)
  }, [element, field, data])

  return (
    <div className={css.preview} data-stale={isError || undefined}>
      {!data && <Skeleton height={height} />}
      <iframe
        ref={frame}
        title="Preview of the form"
        srcDoc={page}
        hidden={!data}
        style={{ height }}
        onLoad={() => void connect()}
      />
    </div>
  )
}
