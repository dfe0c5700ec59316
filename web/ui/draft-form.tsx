import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Draft } from './draft.ts'
import css from './form.module.css'
import { FormFailure } from './form-failure.tsx'
import { LeaveQuestion } from './leave-question.tsx'

type Props = { draft: Draft; children: ReactNode; className?: string }

/** The form of a draft. Going elsewhere in the app with something unsaved asks first. */
export function DraftForm({ draft, children, className = css.fields }: Props) {
  const blocker = useBlocker({ shouldBlockFn: draft.isDirty, enableBeforeUnload: false, withResolver: true })
  return (
    <form
      ref={draft.formRef}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A dialog drawn inside another form hands its events up to it.
        event.stopPropagation()
        draft.submit()
      }}
    >
      <FormFailure>{draft.failure}</FormFailure>
      {children}
      {blocker.status === 'blocked' && <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />}
    </form>
  )
}
