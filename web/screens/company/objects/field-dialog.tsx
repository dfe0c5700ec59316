import { Dialog } from '../../../ui/dialog.tsx'
import { EditField } from './edit-field.tsx'
import { NewField } from './new-field.tsx'
import type { Field, RecordObject } from './whole-schema.ts'

type Props = { object: RecordObject; field?: Field; onClose: () => void }

export const FieldDialog = ({ object, field, onClose }: Props) => (
  <Dialog title={field ? field.label : `New field of ${object.label_plural}`} size={540} tall onClose={onClose}>
    {field ? (
      <EditField object={object} field={field} onClose={onClose} />
    ) : (
      <NewField object={object} onClose={onClose} />
    )}
  </Dialog>
)
