import { notifications } from '@mantine/notifications'
import { createElement } from 'react'
import { api } from '../api.ts'
import { queryClient } from '../queries.ts'
import { complain, say } from '../ui/notices.ts'
import { UndoMessage } from './undo-message.tsx'

const shownMs = 8000
const closeButtonProps = { 'aria-label': 'Dismiss' }
let last: { id: string; undo: () => void } | undefined

/** Says what was done, with a way back for some seconds. */
export function saidAndUndoable(text: string, change_set_id: string | null) {
  if (change_set_id === null) return void say(text)
  const id = `undo-${change_set_id}`
  const undo = () => {
    notifications.hide(id)
    void undoChangeSet(change_set_id)
  }
  last = { id, undo }
  notifications.show({
    id,
    message: createElement(UndoMessage, { text, undo }),
    color: 'pine',
    autoClose: shownMs,
    closeButtonProps,
    onClose: () => {
      if (last?.id === id) last = undefined
    },
  })
}

/** For Ctrl-Z: takes back what was done last, as long as that is on screen. */
export function undoLast() {
  const undo = last?.undo
  last = undefined
  undo?.()
  return undo !== undefined
}

export async function undoChangeSet(change_set_id: string) {
  try {
    const { undone, left } = await api.undoChanges({ change_set_ids: [change_set_id] })
    if (!left.length) return void say('Undone.')
    const title = undone ? 'Undone in part' : 'Nothing was undone'
    const message = [...new Set(left.map(({ reason }) => reason))].join('. ')
    notifications.show({ title, message, color: 'yellow', autoClose: 10_000, closeButtonProps })
  } catch (error) {
    complain('This could not be undone', error)
  } finally {
    void queryClient.invalidateQueries({ queryKey: ['records'] })
    void queryClient.invalidateQueries({ queryKey: ['record-titles'] })
  }
}
