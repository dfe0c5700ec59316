import { Button, Skeleton } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, CloudOff, type LucideIcon, RotateCw, SearchX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { pages } from '../../../contract/shared/pages.ts'
import { ApiError } from '../../client/api.ts'
import { hearConnection, isConnected } from '../../client/connection.ts'
import { hasUnsaved } from '../../client/unsaved.ts'
import { Mark } from '../theme/logo.tsx'
import { PageNotLoaded } from './lazy-pages.ts'
import { ButtonLink } from './links.tsx'
import page from './page.module.css'
import { Page } from './page.tsx'
import css from './states.module.css'

type Props = {
  icon: LucideIcon
  /** A small message needs none. */
  title?: string
  children?: ReactNode
  action?: ReactNode
  tone?: 'calm' | 'bad'
  /** Small print below, such as the request id. */
  note?: ReactNode
  /** Within a part of a page. */
  size?: 'small'
}

/** A quiet panel instead of content: nothing here yet, not found, not allowed, or failed. */
export const Message = ({ icon: Icon, title, children, action, tone = 'calm', note, size }: Props) => (
  <div className={css.message} data-size={size} role={tone === 'bad' ? 'alert' : undefined}>
    <span className={css.icon} data-tone={tone}>
      <Icon size={20} strokeWidth={1.75} />
    </span>
    {title && <p className={css.title}>{title}</p>}
    {children && <div className={css.text}>{children}</div>}
    {action && <div className={css.action}>{action}</div>}
    {note && <p className={css.note}>{note}</p>}
  </div>
)

type NoMatchesProps = { icon: LucideIcon; title: string; clear?: string; onClear: () => void; children: ReactNode }

/** A list in which a filter leaves nothing. */
export const NoMatches = ({ clear = 'Clear filters', onClear, ...message }: NoMatchesProps) => (
  <Message
    {...message}
    action={
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    }
  />
)

type FailureProps = { error: unknown; onRetry: () => void; busy?: boolean }

/** What went wrong, in words, with a way to try again. */
export function Failure({ error, onRetry, busy }: FailureProps) {
  const problem = error instanceof ApiError ? error.problem : undefined
  const isAway = error instanceof PageNotLoaded || problem?.status === 0
  return (
    <Message
      icon={isAway ? CloudOff : TriangleAlert}
      tone="bad"
      title={isAway ? 'The server cannot be reached' : (problem?.title ?? 'This page could not be shown')}
      note={problem?.request_id && `Request ID: ${problem.request_id}`}
      action={
        <Button variant="default" leftSection={<RotateCw size={14} />} onClick={onRetry} loading={busy}>
          Retry
        </Button>
      }
    >
      {error instanceof PageNotLoaded
        ? 'This page will load when you’re back online.'
        : isAway
          ? 'Check your connection and try again.'
          : (problem?.detail ?? 'Something unexpected happened. Try again, or reload the page.')}
    </Message>
  )
}

/** Shown in place of a page that failed; the frame around it keeps working. */
export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const isAway = error instanceof PageNotLoaded
  const retry = () => {
    // A browser does not ask again for a script or a style that failed, so only a reload helps.
    if (!(error instanceof ApiError)) return location.reload()
    queries.reset()
    void router.invalidate()
    reset()
  }
  useEffect(() => {
    if (isAway) return hearConnection(() => isConnected() && !hasUnsaved() && location.reload())
  }, [isAway])
  return (
    <Page title={isAway ? 'No connection' : 'Something went wrong'}>
      <Failure error={error} onRetry={retry} />
    </Page>
  )
}

export const PageSkeleton = () => (
  <div className={page.page} role="status" aria-label="Loading">
    <Skeleton height={24} width={160} radius="sm" />
    <Skeleton height={14} width="min(320px, 80%)" radius="sm" mt={12} mb={32} />
    <Skeleton height={220} radius="lg" />
  </div>
)

/** Before anything is known about the visitor. */
export const Splash = () => (
  <div className={css.splash} role="status" aria-label="Loading Kith">
    <Mark size={32} />
  </div>
)

type MissingProps = { what: string; back: keyof typeof areaNames }

const areaNames = {
  '/records': 'Records',
  '/inbox': 'Inbox',
  '/jobs': 'Background jobs',
  '/company': 'Company',
  '/profile': 'Profile',
} as const satisfies { [P in (typeof pages)[keyof typeof pages]]?: string }

/** The app's own "not found": names what is missing and leads back to its area. */
export const Missing = ({ what, back }: MissingProps) => (
  <Page title="Not found">
    <Message
      icon={SearchX}
      title={`This ${what} does not exist`}
      action={
        <ButtonLink to={back} variant="default" leftSection={<ArrowLeft size={14} />}>
          Back to {areaNames[back]}
        </ButtonLink>
      }
    >
      It may have been removed, or you do not have access. Check the address.
    </Message>
  </Page>
)

/** Why a form was refused. Drawn empty too, so that screen readers hear it arrive. */
export const FormFailure = ({ children }: { children?: ReactNode }) => (
  <div role="alert" className={css.slot}>
    {children && (
      <div className={css.failure}>
        <CircleAlert size={16} />
        <span>{children}</span>
      </div>
    )}
  </div>
)
