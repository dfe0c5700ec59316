// Replies as mail programs write them in many languages: the author's own words, and what is quoted.

export type Reply = { name: string; own: string; quote: string; earlier?: string[] }

const offer = 'Dear team,\nplease send us an offer for ten licenses until Friday.\nKind regards\nAda'
const quoted = (text: string) => text.replace(/^/gm, '> ')

export const replies: Reply[] = [
  {
    name: 'Gmail in English',
    own: 'Sure, here it is.\n\n',
    quote: `On Mon, Nov 16, 2026 at 9:14 AM Ada Lovelace <ada@example.com> wrote:\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Gmail in English, wrapped',
    own: 'Sure, here it is.\n\n',
    quote: `On Mon, Nov 16, 2026 at 9:14 AM Ada Lovelace of the Analytical Engine Company\n<ada.lovelace@analytical.example.com> wrote:\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Outlook in English',
    own: 'Sure, here it is.\n\n',
    quote: `From: Ada Lovelace <ada@example.com>\nSent: Monday, November 16, 2026 9:14 AM\nTo: Support\nSubject: Offer\n\n${offer}\n`,
  },
  {
    name: 'Outlook in English with a line above',
    own: 'Sure, here it is.\n\n',
    quote: `-----Original Message-----\nFrom: Ada Lovelace\nSent: Monday, November 16, 2026 9:14 AM\nTo: Support\nSubject: Offer\n\n${offer}\n`,
  },
  {
    name: 'Outlook in Danish',
    own: 'Selvfølgelig, her er det.\n\n',
    quote: `Fra: Ada Lovelace <ada@example.com>\nSendt: 16. november 2026 09:14\nTil: Support <support@kith.example>\nEmne: Tilbud\n\n${offer}\n`,
  },
  {
    name: 'Outlook in German',
    own: 'Gerne.\n\n',
    quote: `Von: Ada Lovelace <ada@example.com>\nGesendet: Montag, 16. November 2026 09:14\nAn: Support\nBetreff: Angebot\n\n${offer}\n`,
  },
  {
    name: 'Thunderbird in German',
    own: 'Gerne.\n\n',
    quote: `Am 16.11.26 um 09:14 schrieb Ada Lovelace:\n${quoted(offer)}\n`,
  },
  {
    name: 'Gmail in French',
    own: 'Bien sûr.\n\n',
    quote: `Le lun. 16 nov. 2026 à 09:14, Ada Lovelace <ada@example.com> a écrit :\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Outlook in French, with a space before the colon',
    own: 'Bien sûr.\n\n',
    quote: `De : Ada Lovelace <ada@example.com>\nEnvoyé : lundi 16 novembre 2026 09:14\nÀ : Support\nObjet : Offre\n\n${offer}\n`,
  },
  {
    name: 'Gmail in Spanish',
    own: 'Claro.\n\n',
    quote: `El lun, 16 nov 2026 a las 9:14, Ada Lovelace (<ada@example.com>) escribió:\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Gmail in Polish',
    own: 'Oczywiście.\n\n',
    quote: `pon., 16 lis 2026 o 09:14 Ada Lovelace <ada@example.com> napisał(a):\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Gmail in Japanese',
    own: 'かしこまりました。\n\n',
    quote: `2026年11月16日(月) 9:14 Ada Lovelace <ada@example.com>:\n\n${quoted('お見積もりをお願いします。\nよろしくお願いいたします。')}\n`,
  },
  {
    name: 'Outlook in Chinese',
    own: '好的，请看附件。\n\n',
    quote: `发件人: Ada Lovelace <ada@example.com>\n发送时间: 2026年11月16日 9:14\n收件人: Support\n主题: 报价\n\n请在星期五之前给我们报价。\n`,
  },
  {
    name: 'Apple Mail in Chinese, without marks',
    own: '好的。\n\n',
    quote: '在 2026年11月16日，上午9:14，Ada Lovelace <ada@example.com> 写道：\n\n请在星期五之前给我们报价。\n',
  },
  {
    name: 'Gmail in Russian',
    own: 'Конечно.\n\n',
    quote: `пн, 16 нояб. 2026 г. в 09:14, Ada Lovelace <ada@example.com>:\n\n${quoted('Пришлите предложение.')}\n`,
  },
  {
    name: 'Gmail in Dutch',
    own: 'Natuurlijk.\n\n',
    quote: `Op ma 16 nov 2026 om 09:14 schreef Ada Lovelace <ada@example.com>:\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Gmail in Italian',
    own: 'Certo.\n\n',
    quote: `Il giorno lun 16 nov 2026 alle ore 09:14 Ada Lovelace <ada@example.com> ha scritto:\n\n${quoted(offer)}\n`,
  },
  {
    name: 'Outlook in Finnish, by what was written before',
    own: 'Tietenkin.\n\n',
    quote: `Ada Lovelace kirjoitti 16.11.2026 klo 9:14:\n\n${offer}\n`,
    earlier: [offer],
  },
  {
    name: 'a program without any mark, by what was written before',
    own: 'Sure, here it is.\n\n',
    quote: `${offer.replaceAll('\n', ' ')}\n`,
    earlier: ['Something else that was said much earlier in this conversation', offer],
  },
]

/** Nothing of these may be hidden. */
export const visible: Reply[] = [
  {
    name: 'answers between the lines',
    own: `On Mon, Nov 16, 2026 at 9:14 AM Ada <ada@example.com> wrote:\n> Can you do ten?\nYes.\n> Until Friday?\nNo, Monday.\n`,
    quote: '',
  },
  {
    name: 'an answer below the quote',
    own: `Am 16.11.26 um 09:14 schrieb Ada Lovelace:\n${quoted(offer)}\n\nGerne, im Anhang.\n`,
    quote: '',
  },
  {
    name: 'answers between the lines of an Outlook quote',
    own: 'See below.\n\nFrom: Ada <ada@example.com>\nSent: Monday, November 16, 2026 9:14 AM\nTo: Support\nSubject: Offer\n\nDear team,\nplease send us an offer for ten licenses until Friday.\nMonday is the best we can do.\nKind regards\nAda\n',
    quote: '',
    earlier: [offer],
  },
  {
    name: 'a signature that is the same in every message',
    own: 'New words this time.\n\nKind regards\nAda Lovelace\nAnalytical Engine Company, London, Phone +44 20 123456\n',
    quote: '',
    earlier: ['Old words.\n\nKind regards\nAda Lovelace\nAnalytical Engine Company, London, Phone +44 20 123456'],
  },
  {
    name: 'the fields of a form',
    own: 'New lead\n\nName: Ada Lovelace\nEmail: ada@example.com\nPhone: 12.34.56\nMessage: Call me at 10:30\n',
    quote: '',
  },
  { name: 'a message that was sent again', own: offer, quote: '', earlier: [offer] },
  {
    name: 'a forwarded message without own words',
    own: `From: A <a@b.c>\nSent: 1.1.2026 09:14\nTo: B\nSubject: C\n\nText\n`,
    quote: '',
  },
  {
    name: 'a message that Gmail forwarded',
    own: 'Can you answer?\n\n---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nDate: Mon, Nov 16, 2026 at 9:14 AM\nSubject: Offer\nTo: <b@x.y>\n\nPlease call me.\n',
    quote: '',
  },
  { name: 'an answer that repeats a word', own: 'Yes, ten licenses.\n', quote: '', earlier: [offer] },
]
