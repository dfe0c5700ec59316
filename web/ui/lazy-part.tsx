import { Button } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
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
    if (!link.sheet) link.replaceWith(link.cloneNode())
}

type Loaded<Props> = () => Promise<{ default: ComponentType<Props> }>
type Settings<Props> = {
  /** What stands there until it has come. */
  waiting: (props: Props) => ReactNode
  /** What stands there meanwhile will do also when it does not come. */
  isQuiet?: boolean
}

/**
 * A part of a page that is fetched by itself. When that fails, only its spot says so, and it is fetched again with the
 * connection. `prepare` fetches it ahead.
 */
export function lazyPart<Props extends object>(load: Loaded<Props>, { waiting, isQuiet = false }: Settings<Props>) {
  const fetch = () => fetchPart(load)
  let latest = lazy(fetch) as unknown as ComponentType<Props>
  function Part(props: Props) {
    const [Inner, setInner] = useState<ComponentType<Props>>(() => latest)
    const again = () => {
      latest = lazy(fetch) as unknown as ComponentType<Props>
      setInner(() => latest)
    }
    const isFocused = 'autoFocus' in props && props.autoFocus === true
    const shown = waiting(props)
    return (
      <Spot of={Inner} missing={<Missing onRetry={again} isFocused={isFocused} instead={isQuiet && shown} />}>
        <Suspense fallback={shown}>
          <Inner {...props} />
        </Suspense>
      </Spot>
    )
  }
  return Object.assign(Part, { prepare: () => void fetch().catch(() => {}) })
}

type SpotProps = { of: unknown; missing: ReactNode; children: ReactNode }

class Spot extends Component<SpotProps, { failed: unknown; error: unknown }> {
  override state = { failed: undefined, error: undefined }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  static getDerivedStateFromProps = ({ of }: SpotProps, { failed, error }: { failed: unknown; error: unknown }) => {
    if (error === undefined) return null
    if (failed === undefined) return { failed: of }
    return failed === of ? null : { failed: undefined, error: undefined }
  }
  override render() {
    if (this.state.error === undefined) return this.props.children
    if ((this.state.error as unknown) instanceof NotFetched) return this.props.missing
    throw this.state.error
  }
}

type MissingProps = { onRetry: () => void; isFocused: boolean; instead: ReactNode }

function Missing({ onRetry, isFocused, instead }: MissingProps) {
  const button = useRef<HTMLButtonElement>(null)
  const retry = useRef(onRetry)
  retry.current = onRetry
  useEffect(() => hearConnection(() => isConnected() && retry.current()), [])
  useEffect(() => {
    if (isFocused) button.current?.focus()
  }, [isFocused])
  if (instead) return instead
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
