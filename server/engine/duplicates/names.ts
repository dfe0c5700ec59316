// Names of people and organizations as they are compared: without titles, legal forms, and differences of writing.
import { fold } from '../../../contract/filter/index.ts'

const words = (text: string) => new Set(text.split(' '))

const titles = words(
  'mr mrs ms miss mx dr dra prof professor sir dame lady lord herr frau fraulein hr fr ing ir drs dipl mag mgr bc judr mudr rndr phd md mba bsc msc ba ma jr sr ii iii iv esq sig sra srta don dona lic arq eng m mme mlle monsieur madame pan pani dhr mevr mw bay bayan hanim smt shri sri',
)
const legalForms = words(
  'ag gmbh mbh ug private pvt kg kgaa ohg gbr ev eg se co cie company inc incorporated corp corporation llc llp lp plc ltd limited sarl sas sa sasu eurl srl sl slu spa snc sro as asa ab oy oyj aps bv nv cv vof kft zrt bt doo dd sp zoo ooo oao zao pao ip kk yk pte pty bhd holding group gruppe groupe',
)
/** Between the parts of a person's name. Single letters are initials. */
const particles = words(
  'vd van von der den de da do dos das di del della la le el al bin ibn ben ter ten zu zur af av mac mc',
)
/** Between the parts of a name, and at the start of one. */
const fillers = words('and und et y e en i the of der die das le la les el los von van de du da di')

/** One name, written in several ways: short forms, and the same name in other languages. */
const sameNames = [
  'alexander alex sascha sasha aleksandr oleksandr alejandro alessandro alexandre xander',
  'alexandra alex sascha sasha sandra aleksandra oleksandra alessandra alejandra',
  'andrew andy andi andreas andrea andrej andrey andrzej andre andres drew',
  'anna ann anne anja anya ania hannah hanna ana',
  'anthony tony anton antonio antoine toni',
  'barbara barb babs basia',
  'benjamin ben benny benoit',
  'carl karl kalle charles charlie carlo carlos charly karel chuck',
  'catherine katherine katharina kathi kate katie cathy kathy katja katya catalina caterina kasia katarzyna katrin kati katka katerina ekaterina kateryna',
  'christian chris cristian kristian',
  'christina chris tina cristina kristina krystyna christine',
  'christopher chris christoph cristobal cristoforo krzysztof kit',
  'daniel dan danny dani',
  'david dave davide dawid',
  'dmitri dmitry dima dmytro dmitro dmitrij',
  'edward ed eddie ted eduard eduardo edoardo ned',
  'elizabeth liz lisa beth betty elisabeth elsa elisa isabel isabella eliza lizzie liesl lisbeth erzsebet elzbieta',
  'emil emile emilio',
  'evgeny yevgeny zhenya eugene eugen evgenij yevhen',
  'francis frank francois francisco francesco franz paco franciszek frankie',
  'frederick fred freddy friedrich frederic federico fritz fryderyk',
  'gabriel gabe gabriele',
  'george georg jorge giorgio georges jerzy jurgen juri yuri georgios',
  'gregory greg gregor gregorio grzegorz grigori',
  'gunther gunter guenter',
  'henry harry hank heinrich henri enrique enrico henryk hendrik heinz',
  'helen helena helene elena olena yelena lena ellen',
  'ignatius ignacio nacho ignazio',
  'irene irina iryna irena',
  'jacob jake jakob jacques jacopo jakub giacomo',
  'james jim jimmy jamie',
  'joachim jochen joaquin achim',
  'john johnny jack jon johann johannes hannes hans jean juan giovanni ivan jan johan janos ioannis gianni',
  'jonathan jon jonny',
  'joseph joe joey ze josef jose giuseppe jozef pepe sepp beppe josip jozsef',
  'julia giulia julie yulia julija',
  'kenneth ken kenny',
  'laurence lawrence larry lars laurent lorenzo lorenz',
  'leonard leo leonardo leon len',
  'louis lewis ludwig luis luigi lou ludwik',
  'lucas luke luca lukas luc lukasz',
  'margaret maggie meg peggy margarete margarita margherita gosia malgorzata greta marguerite margit',
  'maria marie mary marija mariya mia maja manuela masha',
  'mark marcus markus marco marc marek marcos',
  'martin martino marcin',
  'matthew matt matthias matteo mateo mathieu mateusz mats',
  'maximilian max maxime massimiliano maks maxim maksim maksym',
  'michael mike mick michel miguel michele michal mikhail mykhailo mihail misha mikael micha',
  'natalia natalie nathalie natasha nataliya',
  'nicholas nick nicolas niklas nicola klaus nico nikolai mikolaj mykola niko nikolaus claus nicolo',
  'oliver ollie olivier oliviero',
  'pamela pam',
  'panagiotis panos takis',
  'birgitta birgit brigitte britta gitta gittan bridget',
  'guadalupe lupita lupe',
  'rebecca becky',
  'teresa tere',
  'victoria vicky vicki viktoria',
  'eva ewa',
  'matthias mats',
  'vincent vincenzo enzo',
  'katharina kathrin katrin',
  'patrick pat paddy padraig patrice patricio patryk',
  'paul pablo paolo pavel pawel paulo pavlo',
  'peter pete pedro pierre pietro piotr petr petra pyotr petro',
  'philip phil philipp filip felipe filippo philippe',
  'rebecca becky',
  'richard rick dick rich ricardo riccardo ryszard richie',
  'robert bob rob bobby roberto bert robbie',
  'samuel sam sammy samuele',
  'sebastian seb basti sebastien sebastiano',
  'serge sergei sergey sergio serhiy sergej serhii',
  'sophie sofia sophia zofia sonja sonya',
  'stephen steven steve stefan stephan stefano esteban etienne szczepan stepan',
  'susan sue susi susanna suzanne susanne zuzanna sanne suzy',
  'tatiana tanja tanya tetiana',
  'theodore ted theo teodor fedor fyodor teo',
  'theresa teresa tess terry therese',
  'thomas tom tommy tomas tommaso tomasz toma',
  'timothy tim timo timofey',
  'veronica vera veronika weronika',
  'victor viktor vittorio wiktor vic',
  'vincent vince vincenzo vicente vinzenz',
  'vladimir volodymyr wladimir vova vlad wlodzimierz',
  'walter walt gualtiero',
  'william bill will willy wilhelm guillaume guillermo guglielmo willem billy wim liam',
  'wolfgang wolf',
  'xavier javier saverio ksawery',
  'mohammed muhammad mohamed mohammad mehmet mohamad',
  'yusuf yousef joseph youssef jusuf',
  'ahmed ahmad ahmet achmed',
]
const cyrillic: Record<string, string> = Object.fromEntries(
  'а a,б b,в v,г g,ґ g,д d,е e,є ye,ж zh,з z,и i,і i,ї yi,й y,к k,л l,м m,н n,о o,п p,р r,с s,т t,у u,ф f,х kh,ц ts,ч ch,ш sh,щ shch,ъ ,ы y,ь ,э e,ю yu,я ya'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
const greek: Record<string, string> = Object.fromEntries(
  'α a,β v,γ g,δ d,ε e,ζ z,η i,θ th,ι i,κ k,λ l,μ m,ν n,ξ x,ο o,π p,ρ r,σ s,τ t,υ y,φ f,χ ch,ψ ps,ω o'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)

/** In Latin letters, with Mueller and Müller, Sergey and Sergei alike. */
const alike = (text: string) =>
  [...fold(text)]
    .map((letter) => cyrillic[letter] ?? greek[letter] ?? letter)
    .join('')
    .replace(/ae/g, 'a')
    .replace(/oe/g, 'o')
    .replace(/ue/g, 'u')
    .replace(/aa/g, 'a')
    .replace(/kh/g, 'h')
    .replace(/(?<=[aeiou])[yj]/g, 'i')
    .replace(/ph/g, 'f')
    .replace(/(.)\1/g, '$1')

/** By how each name is compared. */
const groupsOf = new Map<string, Set<number>>()
for (const [group, names] of sameNames.entries())
  for (const name of names.split(' ').map(alike)) groupsOf.set(name, (groupsOf.get(name) ?? new Set()).add(group))

const tokens = (text: string) =>
  alike(text.replace(/\(.*?\)/g, ' '))
    .replace(/['’`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const without = (text: string, left: Set<string>[]) => {
  const all = tokens(text)
  const some = all.filter((token) => !left.some((set) => set.has(token)))
  return some.length ? some : all
}

/** Such as MBA or Jr. */
export const isNameTitle = (text: string) => tokens(text).every((token) => titles.has(token))
/** Such as GmbH or Inc. */
export const isLegalForm = (text: string) => tokens(text.replaceAll('.', '')).every((token) => legalForms.has(token))
/** "Dr. Müller, Anna" and "Anna Mueller": the same words, in any order. */
export const personWords = (name: string) => without(name, [titles, particles])
/** Without spaces, so that El Gendawy and Elgendawy are alike. */
export const joinedName = (name: string) => without(name, [titles]).join('')
/** Whether a name has letters that are not written as Latin ones here, so that it cannot be compared with others. */
export const isOtherScript = (some: string[]) => some.some((word) => /[^\p{Script=Latin}\p{N}]/u.test(word))
/** "ACME GmbH & Co. KG" and "Acme". Dots of abbreviations do not matter: S.A.R.L. */
export const companyWords = (name: string) =>
  without(name.replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1').replace(/(?<=\p{L})\.(?=\s|,|$)/gu, ''), [legalForms, fillers])

export const keyOfWords = (some: string[]) => [...some].sort().join(' ')

/** Of given names: the same, a short form of it, an initial, or with one letter changed. */
export const isSameGiven = (a: string, b: string) => a === b || isShort(a, b) || isSameWord(a, b)

/** A short form or an initial. */
export const isShort = (a: string, b: string) =>
  isNickname(a, b) || isStartOfGiven(a, b) || ((a.length === 1 || b.length === 1) && a[0] === b[0])

/** Deb and Deborah, but not Stefan and Stefanie. */
function isStartOfGiven(a: string, b: string) {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const rest = long.slice(short.length)
  return (
    short.length > 2 && long.startsWith(short) && !/^(a|e|o|ia|ie|in|ina|ine|ana|ita|ne|elle|ella|ette)?$/.test(rest)
  )
}

export const isNickname = (a: string, b: string) => {
  const groups = groupsOf.get(b)
  return groups !== undefined && [...(groupsOf.get(a) ?? [])].some((group) => groups.has(group))
}

/**
 * What a word has in common with those that it is compared with: the name it stands for, or its first letter and consonants,
 * because most mistakes are in vowels.
 */
export const stemsOf = (word: string) => {
  const groups = groupsOf.get(word)
  return groups ? [...groups].map((group) => `~${group}`) : [consonantsOf(word)]
}
/** Of a whole name, whatever its spaces: Mac Donald and MacDonald. */
export const stemOfName = (name: string) => consonantsOf(joinedName(name))
const consonantsOf = (word: string) => {
  const sound = soundOf(word)
  return sound.charAt(0) + sound.slice(1).replace(/[aeiou]/g, '')
}

/** Of family names and names of companies: written as they sound, or names of four letters may differ by one. */
export const isSameWord = (a: string, b: string) =>
  a === b ||
  (a.length > 2 && b.length > 2 && soundOf(a) === soundOf(b)) ||
  (a.length > 3 && b.length > 3 && a[0] === b[0] && isOneEdit(a, b) && !isOtherGender(a, b)) ||
  (a.length > 4 && b.length > 4 && isOneEdit(a, b) && !isOtherGender(a, b))

/** Luiz and Luis, Erik and Eric, Lakshmi and Laxmi, Thais and Tais. */
const soundOf = (word: string) =>
  word
    .replace(/x/g, 'ks')
    .replace(/s[hz]|sch|z/g, 's')
    .replace(/th|dt/g, 't')
    .replace(/c[kh]?(?![eih])|k/g, 'k')
    .replace(/[vw]/g, 'f')
    .replace(/y|j/g, 'i')
    .replace(/(.)\1/g, '$1')

/** Daniel and Daniela, Antonio and Antonia, Kowalski and Kowalska are different people. */
const isOtherGender = (a: string, b: string) => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long === `${short}a`) return true
  return (
    short.length === long.length &&
    short.slice(0, -1) === long.slice(0, -1) &&
    (short.endsWith('a') || long.endsWith('a'))
  )
}

/** One letter more, less or different, or two that changed places. */
export function isOneEdit(a: string, b: string): boolean {
  if (a.length > b.length) return isOneEdit(b, a)
  if (b.length - a.length > 1) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  if (a.length < b.length) return a.slice(i) === b.slice(i + 1)
  const isSwapped = a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2)
  return isSwapped || a.slice(i + 1) === b.slice(i + 1)
}
