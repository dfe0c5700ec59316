import { useEffect } from 'react'
import { countryOfLanguage } from '../../../contract/regions/countries.ts'
import { useSignedIn } from '../../client/session.ts'
import { createStore, useStore } from '../../client/store.ts'

type Library = typeof import('libphonenumber-js/min')

// The library comes after the first rows: until then, and without it, numbers show as they are stored.
const library = createStore<Library | undefined>(undefined)
let isAsked = false

function load() {
  if (isAsked) return
  isAsked = true
  import('libphonenumber-js/min').then(library.set, () => {
    isAsked = false
  })
}

const known = new Map<string, string>()
const mostKnown = 2000

/** As it is dialed at home, with its code from other countries: "030 123456", "+43 1 58858". */
function written({ parsePhoneNumberFromString }: Library, number: string, country: string) {
  const key = `${country} ${number}`
  const before = known.get(key)
  if (before !== undefined) return before
  const read = parsePhoneNumberFromString(number)
  const text = read ? (read.country === country ? read.formatNational() : read.formatInternational()) : number
  if (known.size >= mostKnown) known.clear()
  known.set(key, text)
  return text
}

export function usePhoneText(number: string) {
  const { company } = useSignedIn()
  const loaded = useStore(library)
  useEffect(load, [])
  return loaded ? written(loaded, number, company.country ?? countryOfLanguage(company.language) ?? '') : number
}
