import { TextInput } from '@mantine/core'
import type * as z from 'zod'
import { inSentence } from '../../contract/in-sentence.ts'
import { useDraft } from './draft.ts'
import { DraftForm } from './draft-form.tsx'
import { FormSubmit } from './form-submit.tsx'
import { say } from './notices.tsx'

type Named = { name: string }
type Props = {
  label: string
  autoComplete: string
  name: string
  input: z.ZodObject
  save: (values: Named) => Promise<Named>
}

/** One name that can be changed, of whatever it is. */
export function NameForm({ label, autoComplete, name, input, save }: Props) {
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
