// Names as people write them, each with its spelling in an email address.
type Name = readonly [written: string, latin: string]
export type Culture = {
  language: string
  given: readonly Name[]
  family: readonly Name[]
  familyFirst?: true
  /** Between the given and the family name. */
  gap?: string
  cities: readonly (readonly [city: string, country: string, timeZone: string])[]
}

const names = (text: string): Name[] =>
  text.split(', ').map((pair) => {
    const [written, latin] = pair.split('/') as [string, string?]
    return [written, latin ?? written.toLowerCase()] as const
  })

export const cultures: readonly Culture[] = [
  {
    language: 'en-US',
    given: names('Maya, Owen, Harper, Julian, Naomi, Theo, Camille, Desmond'),
    family: names("Whitfield, Okafor, Sandoval, Brooks, Delaney, O'Rourke/orourke, Castellano, Hargrove"),
    cities: [
      ['Chicago', 'US', 'America/Chicago'],
      ['Portland', 'US', 'America/Los_Angeles'],
    ],
  },
  {
    language: 'de-DE',
    given: names('Jürgen/juergen, Anneliese, Björn/bjoern, Käthe/kaethe, Matthias, Frieda, Sören/soeren, Lena'),
    family: names(
      'Müller/mueller, Schönfeld/schoenfeld, Weiß/weiss, Bäcker/baecker, Hofmann, Krüger/krueger, Vogt, Groß/gross',
    ),
    cities: [
      ['Leipzig', 'DE', 'Europe/Berlin'],
      ['Zürich', 'CH', 'Europe/Zurich'],
    ],
  },
  {
    language: 'es-ES',
    given: names(
      'Lucía/lucia, Iñaki/inaki, Sofía/sofia, Andrés/andres, Belén/belen, Joaquín/joaquin, Ximena, Raúl/raul',
    ),
    family: names(
      'Núñez/nunez, Ibarra, Fernández/fernandez, Peña/pena, Echeverría/echeverria, Solís/solis, Vidal, Cárdenas/cardenas',
    ),
    cities: [
      ['Valencia', 'ES', 'Europe/Madrid'],
      ['Guadalajara', 'MX', 'America/Mexico_City'],
    ],
  },
  {
    language: 'pl-PL',
    given: names(
      'Łukasz/lukasz, Małgorzata/malgorzata, Paweł/pawel, Zofia, Wojciech, Agnieszka, Grażyna/grazyna, Mikołaj/mikolaj',
    ),
    family: names(
      'Wiśniewska/wisniewska, Dąbrowski/dabrowski, Zieliński/zielinski, Wójcik/wojcik, Kamińska/kaminska, Król/krol, Pawlak, Żak/zak',
    ),
    cities: [['Wrocław', 'PL', 'Europe/Warsaw']],
  },
  {
    language: 'tr-TR',
    given: names('Ayşe/ayse, Çağlar/caglar, Işıl/isil, Mehmet, Zeynep, Gökhan/gokhan, Elif, Barış/baris'),
    family: names('Yıldız/yildiz, Öztürk/ozturk, Şahin/sahin, Demir, Kılıç/kilic, Aydın/aydin, Çelik/celik, Koç/koc'),
    cities: [['İzmir', 'TR', 'Europe/Istanbul']],
  },
  {
    language: 'uk-UA',
    given: names(
      'Олена/olena, Тарас/taras, Соломія/solomiia, Андрій/andrii, Ірина/iryna, Богдан/bohdan, Ярина/yaryna, Максим/maksym',
    ),
    family: names(
      'Шевчук/shevchuk, Коваленко/kovalenko, Бондар/bondar, Лисенко/lysenko, Гнатюк/hnatiuk, Мороз/moroz, Савчук/savchuk, Ткач/tkach',
    ),
    cities: [['Львів', 'UA', 'Europe/Kyiv']],
  },
  {
    language: 'ar-EG',
    given: names('ليلى/layla, يوسف/youssef, مريم/mariam, عمر/omar, نور/nour, كريم/karim, هدى/huda, طارق/tarek'),
    family: names(
      'منصور/mansour, الشافعي/elshafei, حداد/haddad, خليل/khalil, فاروق/farouk, سالم/salem, ناصر/nasser, رشدي/rushdy',
    ),
    cities: [['القاهرة', 'EG', 'Africa/Cairo']],
  },
  {
    language: 'he-IL',
    given: names('נועה/noa, איתן/eitan, תמר/tamar, יונתן/yonatan, שירה/shira, אורי/uri, מיכל/michal, דניאל/daniel'),
    family: names('לוי/levi, פרידמן/friedman, ברק/barak, שפירא/shapira, אלון/alon, כהן/cohen, גולן/golan, רוזן/rosen'),
    cities: [['חיפה', 'IL', 'Asia/Jerusalem']],
  },
  {
    language: 'hi-IN',
    given: names(
      'अनन्या/ananya, रोहन/rohan, दीपिका/deepika, अर्जुन/arjun, मीरा/meera, विक्रम/vikram, कविता/kavita, समीर/sameer',
    ),
    family: names('शर्मा/sharma, वर्मा/verma, अय्यर/iyer, जोशी/joshi, गुप्ता/gupta, नायर/nair, मेहता/mehta, राव/rao'),
    cities: [['पुणे', 'IN', 'Asia/Kolkata']],
  },
  {
    language: 'ja-JP',
    given: names('美咲/misaki, 健太/kenta, 陽菜/hina, 大輔/daisuke, 千尋/chihiro, 直樹/naoki, 葵/aoi, 翔/sho'),
    family: names(
      '高橋/takahashi, 渡辺/watanabe, 山本/yamamoto, 小林/kobayashi, 石川/ishikawa, 森/mori, 藤田/fujita, 岡田/okada',
    ),
    familyFirst: true,
    cities: [['京都', 'JP', 'Asia/Tokyo']],
  },
  {
    language: 'ko-KR',
    given: names('지우/jiwoo, 서연/seoyeon, 민준/minjun, 하은/haeun, 도윤/doyun, 수빈/subin, 예린/yerin, 태현/taehyun'),
    family: names('김/kim, 박/park, 최/choi, 정/jung, 윤/yoon, 한/han, 오/oh, 류/ryu'),
    familyFirst: true,
    gap: '',
    cities: [['부산', 'KR', 'Asia/Seoul']],
  },
  {
    language: 'zh-CN',
    given: names('伟/wei, 秀英/xiuying, 子涵/zihan, 浩然/haoran, 梦洁/mengjie, 雨桐/yutong, 建国/jianguo, 欣怡/xinyi'),
    family: names('王/wang, 李/li, 欧阳/ouyang, 陈/chen, 赵/zhao, 周/zhou, 林/lin, 徐/xu'),
    familyFirst: true,
    gap: '',
    cities: [['成都', 'CN', 'Asia/Shanghai']],
  },
]
