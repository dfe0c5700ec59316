// Mentions of teammates in a note: typing @ offers them.
import { Portal } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { type Ref, useEffect, useId, useImperativeHandle, useReducer, useState } from 'react'
import { useSignedIn } from '../client/session.ts'
import { userPick } from '../users/user-select.tsx'
import { type User, useFoundUsers } from '../users/users.ts'
import css from './notes.module.css'

type Asked = { query: string; from: number; to: number }

/** What stands between an @ and the cursor: the beginning of a name, with one space at most. */
export function askedIn({ state, isFocused }: Editor): Asked | undefined {
  const { $from, empty, from } = state.selection
  if (!isFocused || !empty || $from.parent.type.spec.code) return undefined
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc')
  const [, query] = /(?:^|[\s(\ufffc])@([\p{L}\p{M}\d.'’-]{0,40}(?: [\p{L}\p{M}\d.'’-]{0,40})?)$/u.exec(before) ?? []
  return query === undefined ? undefined : { query, from: from - query.length - 1, to: from }
}

/** Answers whether the key was for the menu. */
export type MenuKeys = { press: (event: KeyboardEvent) => boolean }
type Props = { editor: Editor; asked: Asked; onClose: () => void; ref: Ref<MenuKeys> }

const mostShown = 6

export function MentionMenu({ editor, asked, onClose, ref }: Props) {
  const id = useId()
  const { me } = useSignedIn()
  const { found = [] } = useFoundUsers(asked.query.trim())
  const [marked, mark] = useState(0)
  const users = found.filter((user) => user.id !== me.id && isMeant(user, asked.query)).slice(0, mostShown)
  const at = Math.min(marked, users.length - 1)
  const pick = ({ id, name }: User) => {
    const mention = { type: 'mention', attrs: { id, name } }
    editor
      .chain()
      .focus()
      .insertContentAt(asked, [mention, { type: 'text', text: ' ' }])
      .run()
  }
  useImperativeHandle(ref, () => ({
    press({ key }) {
      if (!users.length) return false
      if (key === 'ArrowDown' || key === 'ArrowUp') {
        mark((at + (key === 'ArrowDown' ? 1 : users.length - 1)) % users.length)
        return true
      }
      if (key === 'Enter' || key === 'Tab') pick(users[at]!)
      else if (key === 'Escape') onClose()
      else return false
      return true
    },
  }))
  useActiveOption(editor, id, users[at]?.id)
  useRenderOnScroll()
  if (!users.length) return null
  return (
    <Portal>
      <div id={id} role="listbox" aria-label="Teammates" className={css.people} style={placeOf(editor, asked.from)}>
        {users.map((user, index) => (
          <div
            key={user.id}
            id={`${id}-${user.id}`}
            role="option"
            className={css.person}
            tabIndex={-1}
            aria-selected={index === at}
            // The focus stays in the text.
            onMouseDown={(event) => event.preventDefault()}
            onMouseEnter={() => mark(index)}
            onClick={() => pick(user)}
            onKeyDown={() => {}}
          >
            {userPick(user).icon}
            <span className={css.personName}>{user.name}</span>
            <span className={css.detail}>{userPick(user).detail}</span>
          </div>
        ))}
      </div>
    </Portal>
  )
}

/** Answers for an earlier, shorter beginning are there until the next one. */
const isMeant = ({ name }: User, query: string) => plain(name).includes(plain(query.trim())) || query.trim() === ''
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A screen reader reads the marked user while the focus stays in the text. */
function useActiveOption({ view }: Editor, list: string, user: string | undefined) {
  useEffect(() => {
    if (!user) return
    view.dom.setAttribute('aria-controls', list)
    view.dom.setAttribute('aria-activedescendant', `${list}-${user}`)
    return () => {
      for (const name of ['aria-controls', 'aria-activedescendant']) view.dom.removeAttribute(name)
    }
  }, [view, list, user])
}

function useRenderOnScroll() {
  const [, render] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    window.addEventListener('scroll', render, true)
    return () => window.removeEventListener('scroll', render, true)
  }, [])
}

const [width, height] = [240, 230]

/** Below the line, or above it where there is no room. */
function placeOf({ view }: Editor, position: number) {
  const { left, top, bottom } = view.coordsAtPos(position)
  const isBelow = bottom + height < window.innerHeight
  return {
    left: Math.max(8, Math.min(left, window.innerWidth - width - 8)),
    width,
    ...(isBelow ? { top: bottom + 6 } : { bottom: window.innerHeight - top + 6 }),
  }
}
