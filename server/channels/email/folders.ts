// Which folders of a mailbox are read.
import type { ListResponse, StatusObject } from 'imapflow'
import type { Imap } from './connect.ts'

export type FolderRole = 'inbox' | 'sent' | 'archive' | 'other'
export type Folder = { path: string; role: FolderRole; status: StatusObject | undefined }

const mostFolders = 200
const order: FolderRole[] = ['inbox', 'sent', 'archive', 'other']
/** Never read. Flagged mail is shown a second time there; it is in another folder, too. */
const left = new Set(['\\Trash', '\\Junk', '\\Drafts', '\\Flagged', '\\Important'])
/** What changes when something happens in a folder. */
export const statusQuery = { messages: true, uidNext: true, uidValidity: true, unseen: true } as const

/** The folders with how many messages they have, in one command where the server can do so. */
export async function foldersOf(client: Imap): Promise<Folder[]> {
  const listed = await client.list({ statusQuery })
  return listed
    .filter(isRead)
    .map((folder) => ({ path: folder.path, role: roleOf(folder), status: folder.status || undefined }))
    .toSorted((a, b) => order.indexOf(a.role) - order.indexOf(b.role))
    .slice(0, mostFolders)
}

const isRead = ({ specialUse, flags }: ListResponse) =>
  !flags.has('\\Noselect') && !flags.has('\\NonExistent') && !(specialUse && left.has(specialUse))

/** Gmail has all mail in one folder, and labels as folders. */
const roles: Record<string, FolderRole> = {
  '\\Inbox': 'inbox',
  '\\Sent': 'sent',
  '\\Archive': 'archive',
  '\\All': 'archive',
}
const roleOf = ({ specialUse, path }: ListResponse): FolderRole =>
  roles[specialUse ?? ''] ?? (path.toUpperCase() === 'INBOX' ? 'inbox' : 'other')
