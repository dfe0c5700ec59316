import { Checkbox } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import { notificationKinds } from '../../../../contract/notifications.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { Loaded } from '../../../ui/basics/loaded.tsx'
import { useSaveAtOnce } from '../../../ui/form/use-save-at-once.ts'
import { DataTable } from '../../../ui/page/table.tsx'
import { ProfilePage } from '../profile-page.tsx'
import css from './notification-choices.module.css'
import { NotificationRules } from './notification-rules.tsx'

type Answer = Output<typeof contract.listNotificationChoices>
type Choice = Answer['items'][number]

const choicesQuery = queryOptions({
  queryKey: ['notification-choices'],
  queryFn: () => api.listNotificationChoices({}),
})

const places = [
  ['app', 'In Kith'],
  ['email', 'By email'],
] as const

export const NotificationChoices = () => (
  <ProfilePage title="Notifications" lead="What you are notified about, and where. Changes are saved immediately.">
    <div className={css.content}>
      <Choices />
      <NotificationRules />
    </div>
  </ProfilePage>
)

function Choices() {
  const choices = useQuery(choicesQuery)
  const choose = useChoose()
  return (
    <Loaded query={choices} what="choices">
      {({ items }) => (
        <>
          <DataTable
            label="Notifications"
            className={css.table}
            stackOn="phone"
            columns={[
              { key: 'what', label: 'When', bare: true, cell: ({ kind }) => notificationKinds[kind].label },
              ...places.map(([place, name]) => ({
                key: place,
                label: name,
                cell: (choice: Choice) => (
                  <Checkbox
                    aria-label={`${notificationKinds[choice.kind].label}: ${name}`}
                    checked={choice[place]}
                    onChange={(event) => choose({ ...choice, [place]: event.currentTarget.checked })}
                    classNames={{ root: css.checkbox, body: css.target }}
                  />
                ),
              })),
            ]}
            items={items}
            keyOf={({ kind }) => kind}
          />
          <p className={css.note}>Emails are only sent if your company has set up mail.</p>
        </>
      )}
    </Loaded>
  )
}

const useChoose = () =>
  useSaveAtOnce<Answer, Choice>({
    queryKey: choicesQuery.queryKey,
    apply: ({ items }, choice) => ({ items: items.map((one) => (one.kind === choice.kind ? choice : one)) }),
    send: (choice) => api.updateNotificationChoices({ items: [choice] }),
    refused: 'Your choice was not saved',
  })
