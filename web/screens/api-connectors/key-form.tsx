import { Button, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { RotationSteps } from '../api-keys/rotation-steps.tsx'
import type { CreateKey, MadeKey } from './add-key.tsx'
import type { Key } from './keys.ts'
import { Prefix } from './prefix.tsx'

type Props = { replaces?: Key; create: CreateKey; onMade: (made: MadeKey) => void; onCancel: () => void }

export function KeyForm({ replaces, create, onMade, onCancel }: Props) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.createApiKey.input,
    initialValues: { name: replaces?.name ?? '' },
    // Hands the value on and returns nothing: what it returned would stay in the cache of mutations.
    send: async ({ name }) => onMade(await create(name)),
    onDone: () => {},
    focusOnRefusal: 'name',
  })
  return (
    <form onSubmit={submit} noValidate>
      <div className={css.fields}>
        {replaces && (
          <div>
            A new key takes the place of <bdi>{replaces.name}</bdi> <Prefix of={replaces} /> in three steps:
            <RotationSteps current={0} />
          </div>
        )}
        <FormFailure>{failure}</FormFailure>
        <TextInput
          label="Name"
          description="Name it after the client that will use it, such as Claude Desktop. One key per client."
          autoComplete="off"
          data-autofocus
          {...field('name')}
        />
      </div>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Create key
        </Button>
      </DialogActions>
    </form>
  )
}
