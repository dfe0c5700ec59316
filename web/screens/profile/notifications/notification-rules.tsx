import { Button, Skeleton, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellRing, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { Suspense, useState } from 'react'
import { api } from '../../../client/api.ts'
import { Part } from '../../../ui/basics/layout.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { RowMenu, RowOf, Rows } from '../../../ui/page/rows.tsx'
import css from './notification-rules.module.css'
import { RuleForm } from './rule-form.tsx'
import { kindWords, type Rule, rulesQuery, useRulesChanged } from './rules.ts'

type Open = { kind: 'edit'; rule?: Rule } | { kind: 'delete'; rule: Rule }

export function NotificationRules() {
  const [dialog, open] = useState<Open>()
  const close = () => open(undefined)
  return (
    <Part
      title="Rules"
      about="Get notified when records that matter to you are created or changed, or limit the notifications above to some records."
      action={
        <Button variant="default" leftSection={<Plus size={15} />} onClick={() => open({ kind: 'edit' })}>
          Add a rule
        </Button>
      }
      className={css.rules}
    >
      <RuleList open={open} />
      {dialog?.kind === 'edit' && (
        <Dialog title={dialog.rule ? 'Edit rule' : 'New rule'} size={560} tall onClose={close}>
          <Suspense fallback={<Skeleton height={320} />}>
            <RuleForm rule={dialog.rule} onClose={close} />
          </Suspense>
        </Dialog>
      )}
      {dialog?.kind === 'delete' && <DeleteRule rule={dialog.rule} onClose={close} />}
    </Part>
  )
}

function RuleList({ open }: { open: (dialog: Open) => void }) {
  const rules = useQuery(rulesQuery)
  const changed = useRulesChanged()
  const { mutate: turn } = useMutation({
    mutationFn: ({ id, is_active }: Rule) => api.updateNotificationRule({ id, is_active: !is_active }),
    onSuccess: changed,
    onError: (error) => complain('The rule was not changed', error),
  })
  const none = <p className={css.none}>No rules yet. For example: deals over 50,000 that someone else updates.</p>
  return (
    <LoadedList query={rules} what="rules" height={56} empty={none}>
      {(items) => (
        <Rows label="Your rules">
          {items.map((rule) => (
            <RowOf
              key={rule.id}
              icon={faultOf(rule) ? TriangleAlert : BellRing}
              title={<bdi>{rule.name}</bdi>}
              note={
                faultOf(rule) ? <span className={css.broken}>Not working: {faultOf(rule)}</span> : ruleInWords(rule)
              }
            >
              <div className={css.controls}>
                <Switch
                  aria-label={`${rule.name} is on`}
                  checked={rule.is_active}
                  onChange={() => turn(rule)}
                  classNames={{ body: css.switch }}
                />
                <RowMenu
                  of={rule.name}
                  actions={[
                    { label: 'Edit', icon: Pencil, open: () => open({ kind: 'edit', rule }) },
                    { label: 'Delete', icon: Trash2, open: () => open({ kind: 'delete', rule }) },
                  ]}
                />
              </div>
            </RowOf>
          ))}
        </Rows>
      )}
    </LoadedList>
  )
}

function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const changed = useRulesChanged()
  return (
    <Confirm
      title={`Delete ${rule.name}?`}
      action="Delete"
      act={() => api.deleteNotificationRule({ id: rule.id })}
      onDone={async () => {
        await changed()
        say('Rule deleted')
      }}
      onClose={onClose}
    >
      <p>You will no longer be notified by this rule. Existing notifications are kept.</p>
    </Confirm>
  )
}

const faultOf = ({ filter_error, fields_error }: Rule) => filter_error ?? fields_error

/** "people · created or updated · only city, score · score > 50", or "tasks · A task of mine is due · only priority = high" */
const ruleInWords = ({ kind, object, actions, fields, filter }: Rule) =>
  kind === 'record_matched'
    ? [object, actions.join(' or '), fields.length > 0 && `only ${fields.join(', ')}`, filter]
        .filter(Boolean)
        .join(' · ')
    : [kindWords[kind], `only ${object} with ${filter}`].join(' · ')
