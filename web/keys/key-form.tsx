import { contract } from '../../contract/index.ts'
import { AskName } from '../ui/ask-name.tsx'
import type { CreateKey, MadeKey } from './add-key.tsx'
import type { Key } from './keys.ts'
import { Prefix } from './prefix.tsx'
import { RotationSteps } from './rotation-steps.tsx'

type Props = { replaces?: Key; create: CreateKey; onMade: (made: MadeKey) => void; onCancel: () => void }

export const KeyForm = ({ replaces, create, onMade, onCancel }: Props) => (
  <AskName
    about={
      replaces && (
        <>
          A new key takes the place of <bdi>{replaces.name}</bdi> <Prefix of={replaces} /> in three steps:
          <RotationSteps current={0} />
        </>
      )
    }
    description="Name it after the client that will use it, such as Claude Desktop. One key per client."
    input={contract.createApiKey.input}
    name={replaces?.name ?? ''}
    action="Create key"
    send={async (name) => onMade(await create(name))}
    onCancel={onCancel}
  />
)
