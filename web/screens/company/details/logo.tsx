import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import { sessionQuery, useSignedIn } from '../../../client/session.ts'
import { PictureField } from '../../../ui/picture-field.tsx'
import css from './details.module.css'

export function Logo() {
  const { company } = useSignedIn()
  const client = useQueryClient()
  const set = async (image: string | null) => {
    const changed = await api.setCompanyLogo({ image })
    client.setQueryData(sessionQuery.queryKey, (old) =>
      old?.state === 'signed_in' ? { ...old, company: changed } : old,
    )
  }
  return (
    <div className={css.logo}>
      <PictureField label="Logo" pictureId={company.logo_id} onChange={set} />
    </div>
  )
}
