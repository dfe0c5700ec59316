import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './results.module.css'

type Pages = {
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** What has come of a list so far, and the way to more; paler while another search is under way. */
export const Results = ({ of: pages, children }: { of: Pages; children: ReactNode }) => (
  <div className={css.results} data-stale={pages.isPlaceholderData || undefined}>
    {children}
    {pages.hasNextPage && (
      <Button variant="default" mt="md" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
        Load more
      </Button>
    )}
  </div>
)
