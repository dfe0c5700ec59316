import { Button, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy, FlaskConical, Pencil, Plus, Trash2, Workflow } from 'lucide-react'
import { useState } from 'react'
import type { RuleAction } from '../../../../contract/inbox-rules.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { channelsQuery } from '../../../channels/channels.ts'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { useConversationFilterWords } from '../../../conversations/filter.tsx'
import { labelsQuery, templatesQuery } from '../../../conversations/inbox.ts'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { complain, say } from '../../../ui/basics/notices.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { Confirm, Dialog } from '../../../ui/form/dialog.tsx'
import { moved, Sortable, useOrder } from '../../../ui/form/reorder.tsx'
import { RowMenu } from '../../../ui/page/rows.tsx'
import { Ago } from '../../../ui/text/ago.tsx'
import { asNumber } from '../../../ui/text/numbers.ts'
import { useNames } from '../../../users/users.ts'
import { CompanyPage } from '../company-area.tsx'
import css from './inbox-rules.module.css'
import { RuleForm } from './rule-form.tsx'
import { actionWords, type Rule, rulesQuery, startWords, timeWords, useRulesChanged } from './rules.ts'
import { TryRules } from './try-rules.tsx'

type Open = { kind: 'edit'; rule?: Rule; isCopy?: boolean } | { kind: 'delete'; rule: Rule } | { kind: 'try' }

export function InboxRules() {
  const { may } = useSignedIn()
  const rules = useQuery({ ...rulesQuery, enabled: may('channels.manage') })
  const [dialog, open] = useState<Open>()
  const close = () => open(undefined)
  const add = (
    <Button leftSection={<Plus size={15} />} onClick={() => open({ kind: 'edit' })}>
      New rule
    </Button>
  )
  return (
    <CompanyPage
      title="Inbox rules"
      lead="Automate what happens when a message arrives in a team channel. Rules are applied from top to bottom."
      needs="channels.manage"
      actions={
        rules.data?.length ? (
          <>
            <Button variant="default" leftSection={<FlaskConical size={15} />} onClick={() => open({ kind: 'try' })}>
              Test rules
            </Button>
            {add}
          </>
        ) : undefined
      }
    >
      <LoadedList
        query={rules}
        what="rules"
        height={160}
        empty={
          <Message icon={Workflow} title="No rules yet" action={add}>
            Assign new conversations round robin, label invoices, or reply at night that you will answer in the morning.
            Rules ignore private mailboxes and old messages.
          </Message>
        }
      >
        {(items) => <RuleList of={items} open={open} />}
      </LoadedList>
      {dialog?.kind === 'edit' && (
        <Dialog title={dialog.rule && !dialog.isCopy ? 'Edit rule' : 'New rule'} size={640} tall onClose={close}>
          <RuleForm rule={dialog.rule} isCopy={dialog.isCopy ?? false} onClose={close} />
        </Dialog>
      )}
      {dialog?.kind === 'delete' && <DeleteRule rule={dialog.rule} onClose={close} />}
      {dialog?.kind === 'try' && <TryRules onClose={close} />}
    </CompanyPage>
  )
}

function RuleList({ of: rules, open }: { of: Rule[]; open: (dialog: Open) => void }) {
  const changed = useRulesChanged()
  const { mutate: turn } = useMutation({
    mutationFn: ({ id, is_on }: Rule) => api.updateInboxRule({ id, is_on: !is_on }),
    onSettled: changed,
    onError: (error) => complain('The rule was not changed', error),
  })
  const order = useOrder<Rule[]>(rulesQuery)
  const move = (next: Rule[]) =>
    order({ apply: () => next, send: () => api.reorderInboxRules({ ids: next.map(({ id }) => id) }) })
  return (
    <Sortable
      label="Rules"
      className={css.list}
      items={rules}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      onMove={(from, to) => move(moved(rules, from, to))}
    >
      {(rule, _, moves) => (
        <div className={css.rule} data-off={!rule.is_on || undefined}>
          <div className={css.text}>
            <button type="button" className={css.name} onClick={() => open({ kind: 'edit', rule })}>
              <bdi>{rule.name}</bdi>
            </button>
            <RuleWords of={rule} />
          </div>
          <div className={css.controls}>
            <Switch aria-label={`${rule.name} is on`} checked={rule.is_on} onChange={() => turn(rule)} />
            <RowMenu
              of={rule.name}
              actions={[
                { label: 'Edit', icon: Pencil, open: () => open({ kind: 'edit', rule }) },
                { label: 'Duplicate', icon: Copy, open: () => open({ kind: 'edit', rule, isCopy: true }) },
                ...moves,
                { label: 'Delete', icon: Trash2, open: () => open({ kind: 'delete', rule }) },
              ]}
            />
          </div>
        </div>
      )}
    </Sortable>
  )
}

function RuleWords({ of: rule }: { of: Rule }) {
  const { data: channels = [] } = useQuery(channelsQuery)
  const inWords = useActionWords()
  const which = useConversationFilterWords(rule.filter)
  const places = rule.channel_ids.map((id) => channels.find((one) => one.id === id)?.name ?? 'a former channel')
  const when = [
    startWords[rule.on],
    places.length && `in ${places.join(', ')}`,
    rule.during !== 'always' && timeWords[rule.during].toLowerCase(),
  ].filter(Boolean)
  return (
    <>
      <p className={css.note}>
        {when.join(' · ')}
        {rule.filter && (
          <>
            {' · '}if <bdi>{inSentence(which)}</bdi>
          </>
        )}{' '}
        → {rule.actions.map(inWords).join(', ')}
        {rule.stop_here && ', then stop'}
      </p>
      {rule.problem && (
        <p className={css.problem} role="alert">
          Not working: {rule.problem}
        </p>
      )}
      {!rule.problem && rule.last_problem && <p className={css.problem}>Last run: {rule.last_problem}</p>}
      <p className={css.runs}>
        {rule.last_run_at ? (
          <>
            {asNumber(rule.run_count)} {rule.run_count === 1 ? 'time' : 'times'} in 30 days, last{' '}
            <Ago at={rule.last_run_at} />
          </>
        ) : (
          'Not used in the last 30 days'
        )}
      </p>
    </>
  )
}

function useActionWords() {
  const nameOf = useNames()
  const { data: labels = [] } = useQuery(labelsQuery)
  const { data: templates = [] } = useQuery(templatesQuery)
  return (action: RuleAction) => {
    const users = 'user_ids' in action ? action.user_ids.map(nameOf) : []
    switch (action.kind) {
      case 'assign':
        return users.length > 1 ? `assign round robin to ${users.join(', ')}` : `assign to ${users[0]}`
      case 'notify':
        return `notify ${users.join(', ')}`
      case 'label':
        return `label ${action.label_ids.map((id) => labels.find((one) => one.id === id)?.name ?? '…').join(', ')}`
      case 'reply':
        return `reply with “${templates.find(({ id }) => id === action.template_id)?.name ?? '…'}”`
      case 'task':
        return `create the task “${action.title}”`
      case 'close':
        return actionWords.close.toLowerCase()
    }
  }
}

function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const changed = useRulesChanged()
  return (
    <Confirm
      title={`Delete ${rule.name}?`}
      action="Delete"
      act={() => api.deleteInboxRule({ id: rule.id })}
      onDone={async () => {
        await changed()
        say('Rule deleted')
      }}
      onClose={onClose}
    >
      <p>New messages are no longer handled by this rule. Its past changes are kept.</p>
    </Confirm>
  )
}
