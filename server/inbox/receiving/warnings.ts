// Signs that the sender of a message, or a link in it, is not what it seems.
import { domainToASCII, domainToUnicode } from 'node:url'
import { isVisitorAddress } from '../../../contract/shared/visitor-address.ts'
import type { Envelope, Party } from '../channels/channel.ts'
import { isOurs, type Ours } from '../channels/our-addresses.ts'
import { type FalseLink, isSameSite } from '../content/false-links.ts'

/** `isForged`: the sender pretends to be someone else. `warnings`: for people and agents, in words. */
export type Doubts = { isForged: boolean; warnings: string[] }

export function doubtsAbout(mail: Envelope, links: FalseLink[], ours: Ours): Doubts {
  const { from, replyTo = null, direction, thread } = mail
  if (direction === 'out' || thread !== undefined) return { isForged: false, warnings: [] }
  const forged = [
    // The thread shows that what a visitor of a website entered is not verified.
    ...(from && falseName(from) && !isVisitorAddress(from.address)
      ? [`The sender claims to be ${falseName(from)}, but wrote from ${from.address}.`]
      : []),
    ...[...new Set([from?.address ?? '', replyTo?.address ?? ''])]
      .filter(isLookAlike)
      .map(
        (address) => `The address ${address} contains letters of another alphabet that look like ${plain(address)}.`,
      ),
  ]
  const others = [
    ...(from && replyTo && isElsewhere(from, replyTo) && !isOurs(ours, from.address) && !mail.isAutomatic
      ? [`Replies go to ${replyTo.address}, not to the sender ${from.address}.`]
      : []),
    ...links.map(({ shown, real }) => `A link shown as ${shown} goes to ${real}.`),
  ]
  return { isForged: forged.length > 0, warnings: [...forged, ...others] }
}

/** The address that a sender has as a name, if it is not its own. */
export function falseName({ address, name }: Party) {
  const found = /[^\s<>()[\]"',;:@]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/u.exec(name ?? '')?.[0].toLowerCase()
  return found && found !== address ? found : undefined
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const isElsewhere = (from: Party, replyTo: Party) =>
  !isSameSite(domainToASCII(domainOf(from.address)), domainToASCII(domainOf(replyTo.address)))

/** With the domain as computers write it. */
const plain = (address: string) => `${address.slice(0, address.lastIndexOf('@'))}@${domainToASCII(domainOf(address))}`

/** Letters that look like Latin ones in most fonts. */
const alike = /^[аеорсухіјѕһԁԛԝүѵӏкмнтвгпαβγικνορτυχοϲϳ\p{N}_-]+$/u
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

/** In each word of the address by itself: people may have a name in one alphabet at a domain in another. */
function isLookAlike(address: string) {
  const words = `${address.slice(0, address.lastIndexOf('@'))}.${domainToUnicode(domainOf(address))}`.split(/[.@+]/)
  const isAmongLatin = /^[a-z]+$/i.test(words.at(-1)!)
  return words.some((word) => {
    const used = alphabets.filter((alphabet) => alphabet.test(word))
    return used.length > 1 || (isAmongLatin && used.length === 1 && used[0] !== alphabets[0] && alike.test(word))
  })
}
