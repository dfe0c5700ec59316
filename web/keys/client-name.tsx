import css from './client-name.module.css'

/** A client as it calls itself; browsers say so much that a short word serves better. */
export const ClientName = ({ of: client }: { of: string | null }) => (
  <bdi className={css.client} title={client ?? undefined}>
    {!client || client === 'unknown' ? 'Unnamed client' : client.startsWith('Mozilla/') ? 'A web browser' : client}
  </bdi>
)
