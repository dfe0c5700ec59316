import { Checkbox, Input, SegmentedControl } from '@mantine/core'
import { type WebhookEventType, webhookEventTypes } from '../../../../contract/record-events.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import type { Webhook } from '../../../webhooks/webhook.ts'
import css from './webhook-form.module.css'

type Props = {
  events: Webhook['events']
  types: WebhookEventType[]
  error: string | undefined
  onChange: (events: Webhook['events']) => void
}

/** All events, also those that later versions add, or some types of them. */
export function EventChoice({ events, types, error, onChange }: Props) {
  const isAll = events.includes('*')
  return (
    <Input.Wrapper label="Types" labelElement="div" error={error}>
      <SegmentedControl
        aria-label="Types of events"
        fullWidth
        data={[
          { value: 'all', label: 'All types' },
          { value: 'some', label: 'Only some' },
        ]}
        value={isAll ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? ['*'] : types.slice(0, 2))}
      />
      {!isAll && (
        <Checkbox.Group value={events} onChange={(chosen) => onChange(types.filter((type) => chosen.includes(type)))}>
          <Panel sunken className={css.types}>
            {types.map((type) => (
              <Checkbox
                key={type}
                value={type}
                aria-invalid={error ? true : undefined}
                label={<code>{type}</code>}
                description={webhookEventTypes[type]}
                classNames={{ root: css.type }}
              />
            ))}
          </Panel>
        </Checkbox.Group>
      )}
    </Input.Wrapper>
  )
}
