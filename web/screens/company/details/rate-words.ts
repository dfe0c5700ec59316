import { asNumber } from '../../../ui/numbers.ts'

type Rate = { currency: string; rate: number }

/** `1 USD = 0.92 EUR` */
export const rateInWords = ({ currency, rate }: Rate, own: string) => `1 ${currency} = ${asNumber(rate)} ${own}`
