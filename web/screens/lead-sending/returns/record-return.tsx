import { Select, Textarea } from '@mantine/core'
import { api } from '../../../client/api.ts'
import { say } from '../../../ui/basics/notices.tsx'
import { Dialog } from '../../../ui/form/dialog.tsx'
import { DialogForm } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { type DeliveryDetails, type LeadReturn, useChanged } from '../shared/queries.ts'

export const reasonWords: Record<LeadReturn['reason'], string> = {
  bad_contact: 'Wrong contact details',
  duplicate: 'Already known',
  wrong_area: 'Not in their area',
  wrong_kind: 'Not what was agreed',
  no_consent: 'No consent',
  other: 'Other',
}

/** A partner asked by phone or email. With the link that comes with a lead, they do it themselves. */
export function RecordReturn({ of: { id, destination_name }, onClose }: { of: DeliveryDetails; onClose: () => void }) {
  const changed = useChanged()
  const { form, text, choice } = useForm({
    input: rulesOf(
      () => import('../../../../contract/lead-deliveries.ts'),
      ({ leadDeliveries }) => leadDeliveries.returnLead.input.omit({ id: true }),
    ),
    initial: { reason: 'bad_contact' as LeadReturn['reason'], text: '' },
    send: (sent) => api.returnLead({ id, ...sent }),
    onDone: async ({ state }) => {
      say(state === 'accepted' ? 'Return recorded and accepted' : 'Return recorded. Accept or decline it under Returns')
      await changed()
      onClose()
    },
    focusOnRefusal: 'reason',
  })
  return (
    <Dialog title={`Return from ${destination_name}`} onClose={onClose}>
      <DialogForm of={form} action="Record return" onCancel={onClose}>
        <Select
          label="Reason"
          data={Object.entries(reasonWords).map(([value, label]) => ({ value, label }))}
          {...choice('reason')}
        />
        <Textarea label="Details" autosize minRows={2} maxRows={8} {...text('text')} />
      </DialogForm>
    </Dialog>
  )
}
