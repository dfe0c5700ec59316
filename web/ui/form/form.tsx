import { Button, PasswordInput, type PasswordInputProps, TextInput, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { useUnsaved } from '../../client/unsaved.ts'
import { say } from '../basics/notices.tsx'
import { FormFailure } from '../basics/states.tsx'
import { DialogActions, LeaveQuestion } from './dialog.tsx'
import css from './form.module.css'
import type { Rules } from './rules-of.ts'
import { type FormState, useForm } from './use-form.ts'

type FormProps = {
  of: FormState
  children: ReactNode
  className?: string
  /** It consists of sections, and ends with a FormBar. */
  sections?: boolean
}

/** The fields of useForm, with what was refused above them. Going elsewhere with something unsaved asks first. */
export function Form({ of, children, sections, className = sections ? css.sections : css.fields }: FormProps) {
  const { formRef, submit, failure, hasUnsaved } = of
  // The form may be made around a dialog; this is inside of it.
  const tell = useUnsaved()
  useEffect(() => tell(hasUnsaved?.() ?? false))
  const blocker = useBlocker({
    shouldBlockFn: () => hasUnsaved?.() ?? false,
    enableBeforeUnload: false,
    withResolver: true,
  })
  return (
    <form
      ref={formRef}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // A dialog drawn inside another form hands its events up to it.
        event.stopPropagation()
        submit(event)
      }}
    >
      <FormFailure>{failure}</FormFailure>
      {children}
      {blocker.status === 'blocked' && <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />}
    </form>
  )
}

type SubmitProps = { of: Pick<FormState, 'isPending'>; disabled?: boolean; children: string }

/** The end of a form on a page. What "Save" saves is in the heading above; screen readers hear it in the button, too. */
export const FormSubmit = ({ of, disabled, children }: SubmitProps) => {
  const [, what] = /^Save (.+)$/.exec(children) ?? []
  return (
    <div className={css.actions}>
      <Button type="submit" loading={of.isPending} disabled={disabled}>
        {what ? 'Save' : children}
        {what && <VisuallyHidden component="span"> {what}</VisuallyHidden>}
      </Button>
    </div>
  )
}

type FormBarProps = {
  of: { form: FormState; isDirty: boolean; reset: () => void }
  save: string
  /** For something new. Left out: changes are discarded instead. */
  onCancel?: (() => void) | false
  children?: ReactNode
}

/** The end of a long form: stays in sight. */
export const FormBar = ({ of: { form, isDirty, reset }, save, onCancel, children }: FormBarProps) => (
  <div className={css.bar}>
    <Button type="submit" loading={form.isPending}>
      {save}
    </Button>
    {onCancel ? (
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
    ) : (
      <Button variant="subtle" color="gray" disabled={!isDirty || form.isPending} onClick={reset}>
        Discard changes
      </Button>
    )}
    {children}
  </div>
)

type DialogSubmitProps = { of: Pick<FormState, 'isPending'>; action: string; disabled?: boolean; onCancel: () => void }

/** The end of a form in a dialog. */
export const DialogSubmit = ({ of, action, disabled, onCancel }: DialogSubmitProps) => (
  <DialogActions>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={of.isPending} disabled={disabled}>
      {action}
    </Button>
  </DialogActions>
)

type DialogFormProps = DialogSubmitProps & {
  of: FormState
  /** What to know before one fills it in. */
  about?: ReactNode
  children: ReactNode
}

/** The whole content of a dialog that asks for something. */
export const DialogForm = ({ of, about, action, onCancel, children }: DialogFormProps) => (
  <Form of={of} className="">
    <div className={css.fields} data-in-dialog>
      {about && <div>{about}</div>}
      {children}
    </div>
    <DialogSubmit of={of} action={action} onCancel={onCancel} />
  </Form>
)

type Named = { name: string }

type NameFormProps = {
  label: string
  autoComplete: string
  name: string
  input: Rules
  save: (values: Named) => Promise<Named>
}

/** One name that can be changed, of whatever it is. */
export function NameForm({ label, autoComplete, name, input, save }: NameFormProps) {
  const { form, text } = useForm({
    input,
    initial: { name },
    send: save,
    read: (saved) => ({ name: saved.name }),
    onDone: () => say(`${label} saved`),
  })
  return (
    <Form of={form}>
      <TextInput label={label} autoComplete={autoComplete} {...text('name')} />
      <FormSubmit of={form}>{`Save ${inSentence(label)}`}</FormSubmit>
    </Form>
  )
}

type AskNameProps = {
  about?: ReactNode
  description?: string
  /** The rules for a name alone. */
  input: Rules
  name: string
  action: string
  /** What it answers stays with the caller, out of every cache. */
  send: (name: string) => Promise<void>
  onCancel: () => void
}

/** Asks in a dialog for the name of something. */
export function AskName({ about, description, input, name, action, send, onCancel }: AskNameProps) {
  const { form, text } = useForm({
    input,
    initial: { name },
    isGuarded: false,
    send: (values) => send(values.name),
    onDone: () => {},
    focusOnRefusal: 'name',
  })
  return (
    <DialogForm of={form} about={about} action={action} onCancel={onCancel}>
      {/* One for a dialog that opens with it, one for a dialog that is open already. */}
      <TextInput label="Name" description={description} autoComplete="off" data-autofocus autoFocus {...text('name')} />
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
        'aria-label': visible ? 'Hide password' : 'Show password',
      }}
      {...props}
    />
  )
}
