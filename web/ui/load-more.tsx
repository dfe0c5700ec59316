import { Button } from '@mantine/core'

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }

export const LoadMore = ({ pages }: { pages: Pages }) =>
  pages.hasNextPage && (
    <Button variant="default" mt="md" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
      Load more
    </Button>
  )
