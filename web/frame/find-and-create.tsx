import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core'
import { Plus, Search } from 'lucide-react'
import { openCreate } from '../records/open-create.ts'
import { modKey } from '../ui/mod-key.ts'
import css from './find-and-create.module.css'
import { openPalette } from './palette/open-palette.ts'

/** Beside the navigation: the two things one can do from anywhere. */
export const FindAndCreate = () => (
  <div className={css.both}>
    <UnstyledButton className={css.find} aria-haspopup="dialog" onClick={openPalette}>
      <Search size={15} aria-hidden="true" />
      <span>Search</span>
      <span className={css.keys} aria-hidden="true">
        <Kbd size="xs">{modKey}</Kbd>
        <Kbd size="xs">K</Kbd>
      </span>
    </UnstyledButton>
    <CreateButton size={32} />
  </div>
)

/** In the bar of a narrow screen. */
export const FindAndCreateIcons = () => (
  <>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={40}
      aria-label="Search"
      aria-haspopup="dialog"
      onClick={openPalette}
    >
      <Search size={19} aria-hidden="true" />
    </ActionIcon>
    <CreateButton size={40} />
  </>
)

const CreateButton = ({ size }: { size: number }) => (
  <ActionIcon
    variant={size > 32 ? 'subtle' : 'default'}
    color="gray"
    size={size}
    aria-label="New record"
    aria-haspopup="dialog"
    title="New record (c)"
    onClick={() => openCreate()}
  >
    <Plus size={size > 32 ? 20 : 16} aria-hidden="true" />
  </ActionIcon>
)
