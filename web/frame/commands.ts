import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import {
  Building2,
  CircleUserRound,
  CopyCheck,
  Keyboard,
  Link2,
  LogOut,
  type LucideIcon,
  Merge,
  Moon,
  Plus,
  Sun,
  SunMoon,
  Table2,
  Trash2,
  Upload,
} from 'lucide-react'
import { inSentence } from '../../contract/shared/in-sentence.ts'
import { own } from '../../contract/shared/own.ts'
import { pages } from '../../contract/shared/pages.ts'
import { useThemeChoice } from '../account/choices.ts'
import { areas, companySections as company, objectKeys, openTo, profileSections as profile } from '../client/areas.ts'
import { useSignedIn, useSignOut } from '../client/session.ts'
import { isBuiltIn } from '../records/data/built-in.ts'
import { isCompared } from '../records/data/compared.ts'
import { openCreate } from '../records/data/open-create.ts'
import { openMerge } from '../records/data/open-merge.ts'
import { type ObjectShape, useSchema } from '../records/data/schema.ts'
import type { Look } from '../records/fields/object-icon.tsx'
import { type ListSearch, lastList } from '../records/lists/list-search.ts'
import { allViewsQuery, ordered, useNavigation } from '../records/lists/navigation.ts'
import { complain, say } from '../ui/basics/notices.tsx'
import { copyText } from '../ui/text/code.tsx'
import { openShortcuts } from './overlay.ts'

export type Command = {
  id: string
  group: 'Go to' | 'Lists' | 'Views' | 'Create' | 'Actions' | 'Conversations'
  label: string
  /** Further words by which it is found. */
  words?: string
  icon: LucideIcon | Look
  keys?: string[]
  run: () => void
}

/** Everything but records that the palette can find. */
export function useCommands(): Command[] {
  return [...useLists(), ...useCreating(), ...usePlaces(), ...useMerging(), ...useActions(), ...useImports()]
}

function useCreating(): Command[] {
  const objects = useSchema().filter(({ rights }) => rights.create)
  return objects.map((object) => ({
    id: `create ${object.key}`,
    group: 'Create',
    label: `New ${inSentence(object.label)}`,
    words: 'create add',
    icon: Plus,
    ...(isBuiltIn(object, 'people') && { keys: ['c'] }),
    run: () => openCreate(object.key),
  }))
}

function useImports(): Command[] {
  const navigate = useNavigate()
  const objects = useSchema().filter(({ rights }) => rights.create)
  const move: Command = {
    id: 'move',
    group: 'Actions',
    label: 'Move from another CRM',
    words: 'import files csv pipedrive hubspot salesforce attio twenty google outlook migrate',
    icon: Upload,
    run: () => void navigate({ to: pages.move }),
  }
  const imports = objects.map(
    ({ key, label_plural }): Command => ({
      id: `import ${key}`,
      group: 'Actions',
      label: `Import ${inSentence(label_plural)}`,
      words: 'csv upload file',
      icon: Upload,
      run: () => void navigate({ to: '/import/$object', params: { object: key } }),
    }),
  )
  return objects.length ? [move, ...imports] : []
}

/** Of the record that is open, as a page or beside its list, and the duplicates of each object. */
function useMerging(): Command[] {
  const navigate = useNavigate()
  const { object: key, id } = useParams({ strict: false }) as { object?: string; id?: string }
  const { record = id } = useSearch({ strict: false }) as { record?: string }
  const objects = useSchema().filter(isCompared)
  const mayMerge = ({ rights }: ObjectShape) => rights.edit !== 'none' && rights.delete !== 'none'
  const here = objects.find((object) => object.key === key && mayMerge(object))
  return [
    ...(here && record
      ? [
          {
            id: 'merge',
            group: 'Actions' as const,
            label: `Merge this ${inSentence(here.label)} with…`,
            words: 'duplicates combine join dedupe',
            icon: Merge,
            run: () => openMerge({ object: here.key, ids: [record] }),
          },
        ]
      : []),
    ...objects.map(
      (object): Command => ({
        id: `duplicates ${object.key}`,
        group: 'Go to',
        label: `Find duplicate ${inSentence(object.label_plural)}`,
        words: 'merge dedupe double',
        icon: CopyCheck,
        run: () => void navigate({ to: '/duplicates/$object', params: { object: object.key } }),
      }),
    ),
  ]
}

type Section = { to: string; label: string; words?: string }

function usePlaces(): Command[] {
  const navigate = useNavigate()
  const { may } = useSignedIn()
  const go = (to: string) => () => void navigate({ to })
  const inCompany = Object.values(company).filter((one) => !('needs' in one) || may(one.needs))
  const section = (area: string, icon: LucideIcon, { to, label, words }: Section): Command => ({
    id: `go ${to}`,
    group: 'Go to',
    label: `${area}: ${label}`,
    ...(words && { words }),
    icon,
    run: go(to),
  })
  return [
    ...openTo(areas, may).map(
      ({ label, to, icon, key, words }): Command => ({
        id: `go ${to}`,
        group: 'Go to',
        label,
        ...(words && { words }),
        icon,
        keys: ['g', key],
        run: go(to),
      }),
    ),
    ...inCompany.slice(1).map((one) => section('Company', Building2, one)),
    ...profile.slice(1).map((one) => section('Profile', CircleUserRound, one)),
  ]
}

function useLists(): Command[] {
  const navigate = useNavigate()
  const objects = ordered(useSchema(), useNavigation())
  const { data: views = [] } = useQuery(allViewsQuery)
  const open = (object: string, search: ListSearch) =>
    void navigate({ to: '/records/$object', params: { object }, search })
  return [
    ...objects.map(
      ({ key, built_in_key = key, label_plural, icon, color }): Command => ({
        id: `list ${key}`,
        group: 'Lists',
        label: label_plural,
        words: 'list records',
        icon: { icon, color },
        ...(own(objectKeys, built_in_key) && { keys: ['g', own(objectKeys, built_in_key)!] }),
        run: () => open(key, lastList(key)),
      }),
    ),
    ...views.flatMap((view): Command[] => {
      const object = objects.find(({ key }) => key === view.object)
      if (!object) return []
      const label = `${object.label_plural}: ${view.name}`
      return [
        {
          id: `view ${view.id}`,
          group: 'Views',
          label,
          words: 'view',
          icon: Table2,
          run: () => open(view.object, { view: view.id }),
        },
      ]
    }),
    ...objects
      .filter((object) => object.rights.delete !== 'none')
      .map(
        ({ key, label_plural }): Command => ({
          id: `trash ${key}`,
          group: 'Go to',
          label: `Trash: ${label_plural}`,
          words: 'deleted restore',
          icon: Trash2,
          run: () => void navigate({ to: '/trash/$object', params: { object: key } }),
        }),
      ),
  ]
}

const themes = [
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
  { theme: 'system', label: 'System theme', icon: SunMoon },
] as const

function useActions(): Command[] {
  const { theme, choose } = useThemeChoice()
  const signOut = useSignOut()
  const copy = async () => say((await copyText(location.href)) ? 'Link copied.' : 'Copy it from the address bar.')
  return [
    ...themes
      .filter((one) => one.theme !== theme)
      .map(
        ({ theme, label, icon }): Command => ({
          id: `theme ${theme}`,
          group: 'Actions',
          label,
          words: 'switch toggle appearance mode',
          icon,
          run: () => choose(theme),
        }),
      ),
    { id: 'copy link', group: 'Actions', label: 'Copy link to this page', words: 'share url', icon: Link2, run: copy },
    {
      id: 'shortcuts',
      group: 'Actions',
      label: 'Keyboard shortcuts',
      words: 'help keys',
      icon: Keyboard,
      keys: ['?'],
      run: openShortcuts,
    },
    {
      id: 'sign out',
      group: 'Actions',
      label: 'Sign out',
      words: 'log out leave',
      icon: LogOut,
      run: () => signOut.mutate(undefined, { onError: (error) => complain('You are still signed in', error) }),
    },
  ]
}
