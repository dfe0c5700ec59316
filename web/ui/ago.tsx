import { asAgo, asFull } from './moments.ts'

/** How long ago, with the exact time for those who point at it. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={asFull(at)}>
    {asAgo(at)}
  </time>
)
