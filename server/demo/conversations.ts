// What customers write to a sales team, and what the team answers.

/** `in` and `out` in turns, beginning with the customer unless `isOurs`. {name} is the first name of the customer. */
export type DemoThread = {
  subject: string
  texts: string[]
  daysAgo: number
  state: 'open' | 'closed' | 'snoozed' | 'spam'
  labels?: string[]
  isOurs?: true
  note?: string
}

export const labels = [
  { name: 'Quote', color: 'violet' },
  { name: 'Billing', color: 'orange' },
  { name: 'Technical', color: 'blue' },
  { name: 'Renewal', color: 'green' },
] as const

export const templates = [
  {
    name: 'Thanks for your request',
    subject: 'Your request: {{ subject }}',
    text: 'Hello {{ first_name }},\n\nthank you for your message. I will get back to you by tomorrow.\n\nBest regards\n{{ my_name }}',
  },
  {
    name: 'Offer sent',
    subject: 'Our offer for {{ organization }}',
    text: 'Hello {{ first_name }},\n\nattached is our offer. It is valid for 30 days. Shall we go through it together this week?\n\nBest regards\n{{ my_name }}',
  },
  {
    name: 'Following up',
    subject: '',
    text: 'Hello {{ first_name }},\n\nI wanted to ask whether you had time to look at it. Is there anything that I can answer?\n\nBest regards\n{{ my_name }}',
  },
]

export const threads: DemoThread[] = [
  {
    subject: 'Quote for 40 seats',
    texts: [
      'Hello,\n\nwe are 40 people and would like to start next quarter. Could you send us a quote, including training for two groups?\n\nThanks\n{name}',
      'Hello {name},\n\nof course. Do both groups need the same training, or should we plan one for managers?',
      'One for managers and one for everyone else, please. And is there a discount if we pay yearly?',
    ],
    daysAgo: 0,
    state: 'open',
    labels: ['Quote'],
  },
  {
    subject: 'Invoice shows the wrong address',
    texts: [
      'Hi,\n\nour last invoice still has the old address. Could you correct it and send it again? Our accounting cannot book it like this.\n\n{name}',
    ],
    daysAgo: 0,
    state: 'open',
    labels: ['Billing'],
  },
  {
    subject: 'Import stops at row 1,200',
    texts: [
      'Hello,\n\nthe import of our price list stops at row 1,200 with "value too long". What can we do?',
      'Hello {name},\n\none of the descriptions has more than 2,000 characters. Could you send us the file? Then we will let you know which one.',
      'I have just uploaded it. Thank you for looking into it so quickly!',
    ],
    daysAgo: 1,
    state: 'open',
    labels: ['Technical'],
    note: 'Row 1,201 has a description of 3,400 characters. I will write to them after lunch.',
  },
  {
    subject: 'Renewal in December',
    texts: [
      'Hello {name},\n\nyour contract ends on 31 December. Shall we talk about the next year? I can offer you the same price for two years.',
      'Hello,\n\nyes, gladly. Next week is fine, but please send me the numbers before.',
    ],
    daysAgo: 1,
    state: 'open',
    labels: ['Renewal'],
    isOurs: true,
  },
  {
    subject: 'Appointment on Thursday',
    texts: ['Good morning,\n\nsomething came up on Thursday. Could we move our call to Friday, same time?\n\n{name}'],
    daysAgo: 1,
    state: 'open',
  },
  {
    subject: 'Does it work with our phone system?',
    texts: [
      'Hello,\n\nwe use our own phone system. Can calls be logged automatically?',
      'Hello {name},\n\nyes, by the REST API: your phone system sends a request after each call. I attach an example.',
      'Great, our IT will look at it. Is there a test account?',
    ],
    daysAgo: 2,
    state: 'open',
    labels: ['Technical'],
  },
  {
    subject: 'Two offers for the same project?',
    texts: ['Hi,\n\nwe got two offers from you, with different prices. Which one is right?\n\n{name}'],
    daysAgo: 2,
    state: 'open',
    labels: ['Quote'],
    note: 'The first one had the old price list. The second is right.',
  },
  {
    subject: 'References in our industry',
    texts: [
      'Hello,\n\nbefore we decide, we would like to talk to one of your customers from our industry. Is that possible?',
      'Hello {name},\n\nyes. I will ask one of them and introduce you next week.',
    ],
    daysAgo: 3,
    state: 'snoozed',
  },
  {
    subject: 'Data protection agreement',
    texts: [
      'Hello,\n\nour legal department needs the data protection agreement, signed by you, before we can order.',
      'Hello {name},\n\nit is with our management. You will have it by Friday.',
    ],
    daysAgo: 4,
    state: 'snoozed',
  },
  {
    subject: 'Thank you!',
    texts: [
      'Hi,\n\nI just wanted to say that the training was excellent. Everyone is using it now.\n\n{name}',
      'Thank you very much, {name}. I will pass it on to our trainer!',
    ],
    daysAgo: 4,
    state: 'closed',
  },
  {
    subject: 'Change of contact',
    texts: [
      'Hello,\n\nfrom next month, my colleague will be responsible for purchasing. I will introduce you by email.\n\n{name}',
      'Thank you, {name}. It was a pleasure to work with you.',
    ],
    daysAgo: 5,
    state: 'closed',
  },
  {
    subject: 'Payment by instalments',
    texts: [
      'Hello,\n\ncould we pay the second half in January? Our budget for this year is used up.',
      'Hello {name},\n\nthat is fine. I have changed the invoice.',
      'Wonderful, thank you.',
    ],
    daysAgo: 6,
    state: 'closed',
    labels: ['Billing'],
  },
  {
    subject: 'Login does not work',
    texts: [
      'Hello,\n\none of our users cannot sign in since this morning.',
      'Hello {name},\n\nthe account was locked after wrong passwords. It is open again.',
      'It works. Thanks!',
    ],
    daysAgo: 7,
    state: 'closed',
    labels: ['Technical'],
  },
  {
    subject: 'Offer 2041',
    texts: [
      'Hello {name},\n\nhere is our offer for the second location. It is valid until the end of the month.',
      'Thank you. We will discuss it on Monday.',
    ],
    daysAgo: 8,
    state: 'open',
    labels: ['Quote'],
    isOurs: true,
  },
  {
    subject: 'Visit at your office',
    texts: [
      'Hello,\n\nmay we visit you on the 12th with three people?\n\n{name}',
      'Gladly! Please ask for me at the reception.',
    ],
    daysAgo: 9,
    state: 'closed',
  },
  {
    subject: 'Delivery note missing',
    texts: [
      'Hi,\n\nthe parcel came without a delivery note. Could you send it as a PDF?',
      'Hello {name},\n\nhere it is. Sorry for the trouble.',
    ],
    daysAgo: 11,
    state: 'closed',
    labels: ['Billing'],
  },
  {
    subject: 'Questions about the contract',
    texts: [
      'Hello,\n\nin section 4 it says three months, in the offer one month. What applies?',
      'Hello {name},\n\none month, as in the offer. I will send you a corrected contract.',
      'Perfect. Then we sign tomorrow.',
    ],
    daysAgo: 13,
    state: 'closed',
  },
  {
    subject: 'Workshop in spring',
    texts: [
      'Hello {name},\n\nwe plan a workshop for customers in April. Would you like to present your project?',
      'What an honor! Yes, please send me the details.',
    ],
    daysAgo: 15,
    state: 'open',
    isOurs: true,
  },
  {
    subject: 'API limits',
    texts: [
      'Hello,\n\nhow many requests per second may we send?',
      'Hello {name},\n\n50 per key. If you need more, let us know what for.',
      'That is enough for us.',
    ],
    daysAgo: 18,
    state: 'closed',
    labels: ['Technical'],
  },
  {
    subject: 'Price increase?',
    texts: [
      'Hello,\n\nwe heard that prices will rise. Does it concern us?',
      'Hello {name},\n\nno, your price is fixed until the end of your contract.',
    ],
    daysAgo: 21,
    state: 'closed',
    labels: ['Renewal'],
  },
  {
    subject: 'Second location',
    texts: [
      'Hi,\n\nwe open a second office in autumn with about 15 people. What would that cost?',
      'Hello {name},\n\ncongratulations! I will make you an offer this week.',
    ],
    daysAgo: 24,
    state: 'closed',
    labels: ['Quote'],
  },
  {
    subject: 'Out of office',
    texts: ['I am out of the office until Monday. In urgent cases, please call our reception.\n\n{name}'],
    daysAgo: 26,
    state: 'closed',
  },
  {
    subject: 'Export for our tax advisor',
    texts: [
      'Hello,\n\nour tax advisor needs all invoices of last year. Is there a way to download them together?',
      'Hello {name},\n\nyes, under Billing, Download year. I have made the file for you.',
    ],
    daysAgo: 30,
    state: 'closed',
    labels: ['Billing'],
  },
  {
    subject: 'Feedback on the demo',
    texts: [
      'Hello,\n\nthank you for the demo. The team liked it; the board decides next month.\n\n{name}',
      'Thank you, {name}. I will call you in four weeks.',
    ],
    daysAgo: 34,
    state: 'closed',
  },
  {
    subject: 'You have been selected for a prize',
    texts: ['Congratulations! Click the link to claim your prize within 24 hours.'],
    daysAgo: 3,
    state: 'spam',
  },
]

export const proposed = {
  text: 'Hello {name},\n\nwith yearly payment you get a discount of 10 %. For 40 people and both trainings I would suggest the Team plan; the quote is attached to your customer record and I can send it today.\n\nShall we talk on Thursday at 10?',
  reason: 'The customer asked for a discount for yearly payment. The price list says 10 %.',
}
