import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import css from './tabs.module.css'

type Props<Tab extends string> = {
  label: string
  /** In the order in which they are shown, with their names. */
  of: Record<Tab, string>
  parts: Record<Tab, ReactNode>
  tab: Tab
  onTab: (tab: Tab) => void
  /** Beside the name, such as a count. */
  marks?: Partial<Record<Tab, ReactNode>>
  /** Over the whole width. */
  grow?: boolean
}

/** Parts of a page of which one is shown. */
export function PageTabs<Tab extends string>({ label, of, parts, tab, onTab, marks, grow = false }: Props<Tab>) {
  const tabs = Object.keys(of) as Tab[]
  const list = useRef<HTMLDivElement>(null)
  // On a phone, not all of them fit.
  useEffect(() => {
    list.current?.querySelector(`[data-tab="${tab}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  return (
    <Tabs
      value={tab}
      onChange={(next) => next && onTab(next as Tab)}
      keepMounted={false}
      classNames={{ list: css.tabs, tab: css.tab, panel: css.panel }}
    >
      <Tabs.List ref={list} aria-label={label} grow={grow}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one} data-tab={one} rightSection={marks?.[one]}>
            {of[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          {parts[one]}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
