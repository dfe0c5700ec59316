import { Skeleton } from '@mantine/core'
import css from './page.module.css'

export const PageSkeleton = () => (
  <div className={css.page} role="status" aria-label="Loading">
    <Skeleton height={24} width={160} radius="sm" />
    <Skeleton height={14} width="min(320px, 80%)" radius="sm" mt={12} mb={32} />
    <Skeleton height={220} radius="lg" />
  </div>
)
