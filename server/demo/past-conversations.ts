// What customers wrote in the last weeks, and what they were told. {name} is their first name, {n} a number.

export type Topic = { subject: string; question: string; answer: string }

export const salesTopics: Topic[] = [
  {
    subject: 'Order {n}',
    question: 'Hello,\n\nwhen will our order {n} arrive? We would like to plan the installation.',
    answer: 'Hello {name},\n\nit leaves our warehouse tomorrow and should be with you within three days.',
  },
  {
    subject: 'Offer {n}',
    question: 'Hi,\n\nwe would like to accept offer {n}, but with ten more licenses. Could you update it?',
    answer: 'Hello {name},\n\ngladly. The new offer is attached; the price for each license is the same.',
  },
  {
    subject: 'Prices for next year',
    question: 'Hello,\n\nwe are planning our budget. Will your prices change next year?',
    answer: 'Hello {name},\n\nthey stay as they are for existing customers. I have attached the price list.',
  },
  {
    subject: 'Call this week?',
    question: 'Hello,\n\ndo you have half an hour this week? We have some questions before we decide.',
    answer: 'Hello {name},\n\nof course. Does Thursday at 2 pm suit you?',
  },
  {
    subject: 'Discount for several years',
    question: 'Hello,\n\nis there a discount if we sign for three years?',
    answer: 'Hello {name},\n\nyes, 12 % for three years. Shall I send you an offer?',
  },
  {
    subject: 'Trial for another team',
    question: 'Hi,\n\nour marketing team would also like to try it. Can they have a trial?',
    answer: 'Hello {name},\n\ntheir trial is ready and runs for 30 days.',
  },
  {
    subject: 'Certificates',
    question: 'Hello,\n\nour purchasing department asks for your certificates. Could you send them?',
    answer: 'Hello {name},\n\nplease find them attached. Let me know if anything is missing.',
  },
  {
    subject: 'Brochure',
    question: 'Hello,\n\nwe met at the fair. Could you send me your brochure?',
    answer: 'Hello {name},\n\nit was nice to meet you. Here it is.',
  },
]

export const supportTopics: Topic[] = [
  {
    subject: 'Invoice {n}',
    question: 'Hello,\n\ninvoice {n} has the wrong tax number. Could you send a corrected one?',
    answer: 'Hello {name},\n\nsorry about that. The corrected invoice is attached.',
  },
  {
    subject: 'Password',
    question: 'Hi,\n\nI cannot sign in. The link to choose a new password does not arrive.',
    answer: 'Hello {name},\n\nyour mail server refused it. I have sent you another one.',
  },
  {
    subject: 'Export does not finish',
    question: 'Hello,\n\nthe export of our orders has been running for an hour. Is that normal?',
    answer: 'Hello {name},\n\nno, it was stuck. I have started it again, and the file is ready now.',
  },
  {
    subject: 'Another user',
    question: 'Hello,\n\nwe have a new colleague. How do I add her?',
    answer: 'Hello {name},\n\nunder Members, with Invite. She gets an email with a link.',
  },
  {
    subject: 'Error {n}',
    question: 'Hello,\n\nsince this morning we get error {n} when we save a contact.',
    answer: 'Hello {name},\n\na field had too many characters. It works again; thank you for telling us.',
  },
  {
    subject: 'Return of item {n}',
    question: 'Hi,\n\nitem {n} does not fit. How can we return it?',
    answer: 'Hello {name},\n\nthe label for the return is attached. You get a credit within a week.',
  },
  {
    subject: 'Notifications by phone',
    question: 'Hello,\n\ncan we get notifications on our phones?',
    answer: 'Hello {name},\n\nyes, switch them on in your profile, under Notifications.',
  },
  {
    subject: 'Wrong address',
    question: 'Hello,\n\nthe parcel went to our old address. Can it be redirected?',
    answer: 'Hello {name},\n\nI have asked the carrier. It should reach you the day after tomorrow.',
  },
]

export const thanks = [
  'Thank you, that helped!',
  'Great, thanks for the quick answer.',
  'Perfect. Thank you!',
  'Thanks, that is all I needed.',
]
