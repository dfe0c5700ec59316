import { Button, useComputedColorScheme } from '@mantine/core'
import { ImageOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { nameOrAddress } from '../../../../contract/shared/visitor-address.ts'
import type { Message } from '../../../conversations/inbox.ts'
import css from './message.module.css'

export const MarkdownView = lazy(async () => ({
  default: (await import('../../../markdown/markdown-view.tsx')).MarkdownView,
}))

/** As its sender made it, in a frame without scripts; text as text. */
export function MessageBody({ of: message }: { of: Message }) {
  const [hasImages, setImages] = useState(false)
  if (!message.has_html) return message.direction === 'out' ? <WrittenBody of={message} /> : <PlainBody of={message} />
  return (
    <>
      {message.remote_images > 0 && !hasImages && (
        <p className={css.images}>
          <ImageOff size={14} />
          <span>
            {message.remote_images === 1 ? '1 image' : `${message.remote_images} images`} blocked to protect your
            privacy.
          </span>
          <Button variant="default" size="compact-xs" onClick={() => setImages(true)}>
            Show images
          </Button>
        </p>
      )}
      <HtmlBody
        key={String(hasImages)}
        id={message.id}
        from={nameOrAddress(message.from_name, message.from_address) ?? null}
        images={hasImages}
        // What was just written is there before its frame is loaded.
        meanwhile={message.direction === 'out' ? message.text : ''}
      />
    </>
  )
}

const mostHeight = 20_000

type FrameProps = { id: string; from: string | null; images: boolean; meanwhile: string }

/** Nothing runs inside, so the page around it reads how high it is. */
function HtmlBody({ id, from, images, meanwhile }: FrameProps) {
  const theme = useComputedColorScheme('light')
  const [height, setHeight] = useState(0)
  const frame = useRef<HTMLIFrameElement>(null)
  const watching = useRef<() => void>(undefined)
  useEffect(() => () => watching.current?.(), [])
  const watch = () => {
    watching.current?.()
    const inside = frame.current?.contentDocument
    if (!inside?.body) return
    const measure = () => setHeight(Math.min(mostHeight, Math.ceil(inside.documentElement.offsetHeight)))
    const observer = new ResizeObserver(measure)
    observer.observe(inside.body)
    observer.observe(inside.documentElement)
    measure()
    // The keys of the inbox also work after a click into a message.
    const press = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
      window.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, ctrlKey, metaKey, altKey, cancelable: true }))
    inside.addEventListener('keydown', press)
    watching.current = () => observer.disconnect()
  }
  return (
    <>
      {height === 0 && meanwhile && (
        <div className={css.plain} dir="auto">
          {meanwhile}
        </div>
      )}
      <iframe
        ref={frame}
        className={css.frame}
        title={`Message from ${from ?? 'someone'}`}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src={`/app/api/messages/${id}/body?theme=${theme}${images ? '&images=true' : ''}`}
        style={{ height }}
        data-waiting={height === 0 || undefined}
        onLoad={watch}
      />
    </>
  )
}

/** What we write is Markdown, also where it is sent as text. */
const WrittenBody = ({ of: message }: { of: Message }) => (
  <Suspense fallback={<PlainBody of={message} />}>
    <MarkdownView text={message.text} />
  </Suspense>
)

function PlainBody({ of: { text, quote } }: { of: Message }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div className={css.plain} dir="auto">
        {withLinks(text)}
      </div>
      {quote && (
        <>
          <button type="button" className={css.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide quoted text' : 'Show quoted text'}
          </button>
          {isOpen && (
            <blockquote className={css.quote} dir="auto">
              {withLinks(quote)}
            </blockquote>
          )}
        </>
      )}
    </>
  )
}

const address = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}]/g

/** Addresses of pages in a text, as links. */
function withLinks(text: string) {
  const parts: ReactNode[] = []
  let done = 0
  for (const { 0: href, index } of text.matchAll(address)) {
    parts.push(
      text.slice(done, index),
      <a key={index} href={href} target="_blank" rel="noreferrer noopener">
        {href}
      </a>,
    )
    done = index + href.length
  }
  return [...parts, text.slice(done)]
}
