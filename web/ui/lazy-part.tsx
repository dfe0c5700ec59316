import { Button } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { hearConnection, isConnected, suspectLoss } from '../connection.ts'
import css from './lazy-part.module.css'

/** A part of the app could not be fetched. That is no fault of the page around it. */
export class NotFetched extends Error {
  override name = 'NotFetched'
}

let hasFailed = false

/** Fetches a part of the app; after a failure, with the styles that are missing since. */
export async function fetchPart<Module>(load: () => Promise<Module>): Promise<Module> {
  if (hasFailed) styleAgain()
  try {
    return await load()
  } catch (error) {
    hasFailed = true
    suspectLoss()
    throw new NotFetched('A part of the app could not be fetched', { cause: error })
  }
}

/** Vite asks for a style once, and takes one that failed for one that is there. */
function styleAgain() {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
    if (!isRead(link)) link.replaceWith(link.cloneNode())
}

function isRead({ sheet }: HTMLLinkElement) {
  try {
    return sheet?.cssRules !== undefined
  } catch {
    // A style that did not come is there, but nobody may look into it.
    return false
  }
}

type Loaded<Props> = () => Promise<{ default: ComponentType<Props> }>
type Meanwhile<Props> = {
  /** It could not be fetched: it comes with the connection. */
  isMissing: boolean
  /** Says what the part is to be given when it is there, such as what was typed until then. */
  hand: (read: () => Partial<Props>) => void
}
type Settings<Props> = {
  /** What stands there until it has come. */
  waiting: (props: Props, meanwhile: Meanwhile<Props>) => ReactNode
  /** What stands there meanwhile will do also when it does not come. */
  isQuiet?: boolean
}

/**
 * A part of a page that is fetched by itself. When that fails, only its spot says so, and it is fetched again with the
 * connection. `prepare` fetches it ahead. Not by lazy(): Suspense holds back for a while what is there already, and what
 * is typed meanwhile would be lost.
 */
export function lazyPart<Props extends object>(load: Loaded<Props>, { waiting, isQuiet = false }: Settings<Props>) {
  let fetched: ComponentType<Props> | undefined
  const fetch = async () => {
    fetched ??= (await fetchPart(load)).default
    return fetched
  }
  function Part(props: Props) {
    const [{ Inner, handed }, keep] = useState<{ Inner?: ComponentType<Props>; handed?: Partial<Props> }>(() => ({
      ...(fetched && { Inner: fetched }),
    }))
    const [isMissing, setMissing] = useState(false)
    const reading = useRef<() => Partial<Props>>(() => ({}))
    const get = () =>
      fetch().then(
        // At once: a key between the two would go to what was left.
        (found) => flushSync(() => keep({ Inner: found, handed: reading.current() })),
        () => setMissing(true),
      )
    const isThere = Inner !== undefined
    // biome-ignore lint/correctness/useExhaustiveDependencies: until it is there
    useEffect(() => {
      if (isThere) return
      if (!isMissing) return void get()
      return hearConnection(() => isConnected() && void get())
    }, [isThere, isMissing])
    const hand = (read: () => Partial<Props>) => {
      reading.current = read
    }
    const shown = waiting(props, { isMissing, hand })
    if (Inner)
      return (
        <Suspense fallback={shown}>
          <Inner {...props} {...handed} />
        </Suspense>
      )
    if (!isMissing || isQuiet) return shown
    return <Missing onRetry={() => void get()} isFocused={'autoFocus' in props && props.autoFocus === true} />
  }
  return Object.assign(Part, { prepare: () => void fetch().catch(() => {}) })
}

function Missing({ onRetry, isFocused }: { onRetry: () => void; isFocused: boolean }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isFocused) button.current?.focus()
  }, [isFocused])
  return (
    <div className={css.missing}>
      <CloudOff size={14} aria-hidden="true" />
      <span role="status">This comes with the connection.</span>
      <Button
        ref={button}
        size="compact-sm"
        variant="default"
        onClick={onRetry}
        // Around it Enter may mean that one is done.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      >
        Try again
      </Button>
    </div>
  )
}

/** Fetches ahead what the page will want, once it has drawn itself: later there may be no connection. */
export function usePrepared(parts: { prepare: () => void }[]) {
  const all = useRef(parts)
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of all.current) part.prepare()
    }, 1000)
    return () => clearTimeout(timer)
  }, [])
}
