// What may open over any page, fetched when first asked for; where records are worked on, ahead: later there may be no connection.
import { fetchPart } from '../../ui/lazy-part.tsx'

export const fetchCreate = () => fetchPart(() => import('../records/create/quick-create.tsx'))
export const fetchPalette = () => fetchPart(() => import('../palette/palette.tsx'))

export const overlayParts = {
  prepare: () => {
    for (const fetch of [fetchCreate, fetchPalette]) fetch().catch(() => {})
  },
}
