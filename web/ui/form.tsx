import { Button, PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import type { FormEventHandler, ReactNode } from 'react'
import type * as z from 'zod'
import { inSentence } from '../../contract/in-sentence.ts'
import { DialogActions, LeaveQuestion } from './dialog.tsx'
import { type Draft, useDraft } from './draft.ts'
import css from './form.module.css'
import { say } from './notices.tsx'
import { useOperationForm } from './operation-form.ts'
import { FormFailure } from './states.tsx'

type Props = { isPending: boolean; disabled?: boolean; children: string }

/** The end of a form on a page. */
export const FormSubmit = ({ isPending, disabled, children }: Props) => (
  <div className={css.actions}>
    <Button type="submit" loading={isPending} disabled={disabled}>
      {children}
    </Button>
  </div>
)

type DraftFormProps = { draft: Draft; children: ReactNode; className?: string }

/** The form of a draft. Going elsewhere in the app with something unsaved asks first. */
export function DraftForm({ draft, children, className = css.fields }: DraftFormProps) {
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

type DialogFormProps = {
  of: { submit: FormEventHandler<HTMLFormElement>; failure: string | undefined; isPending: boolean }
  /** What to know before one fills it in. */
  about?: ReactNode
  action: string
  onCancel: () => void
  children: ReactNode
}

/** The whole content of a dialog that asks for something. */
export const DialogForm = ({
  of: { submit, failure, isPending },
  about,
  action,
  onCancel,
  children,
}: DialogFormProps) => (
  <form onSubmit={submit} noValidate>
    <div className={css.fields}>
      {about && <div>{about}</div>}
      <FormFailure>{failure}</FormFailure>
      {children}
    </div>
    <DialogSubmit action={action} isPending={isPending} onCancel={onCancel} />
  </form>
)

type SubmitProps = { action: string; isPending: boolean; onCancel: () => void }

export const DialogSubmit = ({ action, isPending, onCancel }: SubmitProps) => (
  <DialogActions>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isPending}>
      {action}
    </Button>
  </DialogActions>
)

type Named = { name: string }

type NameFormProps = {
  label: string
  autoComplete: string
  name: string
  input: z.ZodObject
  save: (values: Named) => Promise<Named>
}

/** One name that can be changed, of whatever it is. */
export function NameForm({ label, autoComplete, name, input, save }: NameFormProps) {
  const { draft, text, isPending } = useDraft({
    input,
    initial: { name },
    ask: (values) => values,
    send: save,
    read: (saved) => ({ name: saved.name }),
    onDone: () => say(`${label} saved`),
  })
  return (
    <DraftForm draft={draft}>
      <TextInput label={label} autoComplete={autoComplete} {...text('name')} />
      <FormSubmit isPending={isPending}>{`Save ${inSentence(label)}`}</FormSubmit>
    </DraftForm>
  )
}

type AskNameProps = {
  about?: ReactNode
  description?: string
  /** The rules of the operation for a name. */
  input: z.ZodObject
  name: string
  action: string
  /** What it answers stays with the caller, out of every cache. */
  send: (name: string) => Promise<void>
  onCancel: () => void
}

/** Asks in a dialog for the name of something. */
export function AskName({ about, description, input, name, action, send, onCancel }: AskNameProps) {
  const form = useOperationForm({
    input: input.pick({ name: true }),
    initialValues: { name },
    send: (values) => send(values.name),
    onDone: () => {},
    focusOnRefusal: 'name',
  })
  return (
    <DialogForm of={form} about={about} action={action} onCancel={onCancel}>
      {/* One for a dialog that opens with it, one for a dialog that is open already. */}
      <TextInput
        label="Name"
        description={description}
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.field('name')}
      />
    </DialogForm>
  )
}

/** Mantine hides its show button from the keyboard and from screen readers; here everyone can use it. */
export function PasswordField(props: PasswordInputProps) {
  const [visible, { toggle }] = useDisclosure()
  return (
    <PasswordInput
      label="Password"
      visible={visible}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-hidden': false,
        'aria-label': visible ? 'Hide the characters' : 'Show the characters',
      }}
      {...props}
    />
  )
}
