// Fictional organizations: their name, domain and industry.
export type Organization = { name: string; domain: string; industry: string; language: string }

const written: Record<string, string> = {
  'en-US':
    'Lakeshore Freight/lakeshore-freight/Logistics, Alder & Finch/alder-finch/Architecture, Prairie Dental Supply/prairie-dental/Healthcare',
  'de-DE':
    'Schönfeld Maschinenbau GmbH/schoenfeld-maschinenbau/Manufacturing, Elbaue Solar AG/elbaue-solar/Energy, Druckerei Weiß & Söhne/weiss-druck/Printing',
  'es-ES':
    'Almazara del Turia/almazara-turia/Food, Puente Azul Logística/puente-azul/Logistics, Talleres Echeverría/talleres-echeverria/Manufacturing',
  'pl-PL':
    'Nadodrze Software/nadodrze/Software, Fabryka Mebli Dąb/meble-dab/Furniture, Zielony Targ/zielony-targ/Retail',
  'tr-TR':
    'Körfez Tekstil/korfez-tekstil/Textiles, Mavi Rıhtım Denizcilik/mavi-rihtim/Shipping, Çınaraltı Gıda/cinaralti/Food',
  'uk-UA':
    'Левада Софт/levada-soft/Software, Карпатський Дім/karpatskyi-dim/Construction, Захід Агро/zakhid-ahro/Farming',
  'ar-EG':
    'دار الضفاف للنشر/daraldifaf/Publishing, نخيل للتغليف/nakheel-pack/Packaging, مختبرات سيناء الزرقاء/blue-sinai/Healthcare',
  'he-IL': 'כרמלית תוכנה/carmelit-soft/Software, מים חכמים/mayim-hahamim/Water, גלריה נמל/gallery-namal/Design',
  'hi-IN':
    'सह्य फार्मा/sahya-pharma/Healthcare, देक्कन ऑटो पार्ट्स/deccan-parts/Manufacturing, नीलगिरि चाय/neelgiri-chai/Food',
  'ja-JP':
    '鴨川精密株式会社/kamogawa-seimitsu/Electronics, 東山茶舗/higashiyama-chaho/Food, みやこ旅行社/miyako-ryoko/Travel',
  'ko-KR': '달맞이물산/dalmaji/Trade, 푸른항구 물류/pureun-harbor/Logistics, 갈매기소프트/galmaegi-soft/Software',
  'zh-CN': '锦里软件/jinli-soft/Software, 青城医疗器械/qingcheng-med/Healthcare',
}

export const organizations: readonly Organization[] = Object.entries(written).flatMap(([language, text]) =>
  text.split(', ').map((entry) => {
    const [name, stem, industry] = entry.split('/') as [string, string, string]
    return { name, domain: `${stem}.example`, industry, language }
  }),
)
