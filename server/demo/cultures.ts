// Names of people and organizations as they write them, each with its spelling in an address.
type Name = readonly [written: string, latin: string]
export type Trade = readonly [written: string, latin: string, industry: string]
export type Culture = {
  language: string
  /** Where people of this culture are from, unless the company itself is from another country with the same language. */
  country: string
  given: readonly Name[]
  family: readonly Name[]
  /** What follows the name of a family in the name of a company. */
  trades: readonly Trade[]
  familyFirst?: true
  /** Between the given and the family name. */
  gap?: string
}

export const ascii = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')

/** `Müller/mueller`, or just `Vogt`. */
const names = (text: string): Name[] =>
  text.split(', ').map((pair) => {
    const [written, latin] = pair.split('/') as [string, string?]
    return [written, latin ?? ascii(written).replaceAll('-', '')] as const
  })

/** `Logistik GmbH/Logistics`, or with the spelling for the address in between. */
const trades = (text: string): Trade[] =>
  text.split(', ').map((entry) => {
    const parts = entry.split('/')
    return [parts[0]!, parts.length > 2 ? parts[1]! : ascii(parts[0]!.split(' ')[0]!), parts.at(-1)!] as const
  })

export const cultures: readonly Culture[] = [
  {
    language: 'en-US',
    country: 'US',
    given: names('Maya, Owen, Harper, Julian, Naomi, Theo, Camille, Desmond, Grace, Marcus, Eleanor, Simon'),
    family: names(
      "Whitfield, Okafor, Sandoval, Brooks, Delaney, O'Rourke, Castellano, Hargrove, Bennett, Mercer, Lindqvist, Ashby",
    ),
    trades: trades(
      'Freight/Logistics, Architects/Architecture, Dental Supply/Healthcare, Foods/Food, Software/Software, Tools/Manufacturing, Energy/Energy',
    ),
  },
  {
    language: 'de-DE',
    country: 'DE',
    given: names(
      'Jürgen/juergen, Anneliese, Björn/bjoern, Käthe/kaethe, Matthias, Frieda, Sören/soeren, Lena, Katharina, Tobias, Johanna, Florian',
    ),
    family: names(
      'Müller/mueller, Schönfeld/schoenfeld, Weiß/weiss, Bäcker/baecker, Hofmann, Krüger/krueger, Vogt, Groß/gross, Steiner, Brandt, Huber, Lindner',
    ),
    trades: trades(
      'Maschinenbau GmbH/Manufacturing, Logistik GmbH/Logistics, Solar AG/Energy, Software GmbH/Software, Medizintechnik GmbH/Healthcare, Möbelwerk/moebelwerk/Furniture, Druck & Verlag/Printing',
    ),
  },
  {
    language: 'fr-FR',
    country: 'FR',
    given: names('Chloé, Antoine, Élodie, Mathieu, Camille, Thomas, Inès, Julien, Margaux, Nicolas, Aurélie, Hugo'),
    family: names(
      'Lefèvre, Moreau, Garnier, Roussel, Chevalier, Marchand, Delacroix, Fontaine, Perrin, Gauthier, Besson, Carpentier',
    ),
    trades: trades(
      'Industries SA/Manufacturing, Transports/Logistics, Énergie/Energy, Logiciels/Software, Santé SAS/Healthcare, Ameublement/Furniture, & Fils/fils/Food',
    ),
  },
  {
    language: 'es-ES',
    country: 'ES',
    given: names('Lucía, Iñaki, Sofía, Andrés, Belén, Joaquín, Ximena, Raúl, Carmen, Diego, Marta, Álvaro'),
    family: names(
      'Núñez, Ibarra, Fernández, Peña, Echeverría, Solís, Vidal, Cárdenas, Molina, Serrano, Aguilar, Rosales',
    ),
    trades: trades(
      'Talleres SL/Manufacturing, Logística SA/Logistics, Energía/Energy, Software SL/Software, Salud/Healthcare, Alimentos SA/Food, Muebles/Furniture',
    ),
  },
  {
    language: 'it-IT',
    country: 'IT',
    given: names('Giulia, Marco, Chiara, Alessandro, Francesca, Matteo, Elena, Davide, Martina, Simone, Ilaria, Paolo'),
    family: names(
      'Ricci, Ferrari, Colombo, Moretti, Galli, Fontana, Bianchi, Marini, Lombardi, Costa, Barbieri, Vitale',
    ),
    trades: trades(
      'Meccanica Srl/Manufacturing, Trasporti/Logistics, Energia SpA/Energy, Software Srl/Software, Salute/Healthcare, Alimentari/Food, Arredi/Furniture',
    ),
  },
  {
    language: 'nl-NL',
    country: 'NL',
    given: names('Sanne, Daan, Femke, Bram, Lotte, Thijs, Anouk, Sander, Marieke, Joris, Eva, Niels'),
    family: names(
      'de Vries, Jansen, van Dijk, Bakker, Visser, Smit, Mulder, de Boer, Hendriks, Dekker, Kuiper, van den Berg',
    ),
    trades: trades(
      'Techniek BV/Manufacturing, Transport BV/Logistics, Energie/Energy, Software BV/Software, Zorg/Healthcare, Meubelen/Furniture, Bloemen/Retail',
    ),
  },
  {
    language: 'pt-PT',
    country: 'PT',
    given: names('Inês, Tiago, Beatriz, João, Mariana, Rui, Catarina, Pedro, Sofia, André, Joana, Miguel'),
    family: names(
      'Carvalho, Almeida, Nogueira, Teixeira, Moreira, Pinto, Barros, Fonseca, Rocha, Tavares, Leal, Antunes',
    ),
    trades: trades(
      'Indústria Lda/Manufacturing, Logística/Logistics, Energia SA/Energy, Software Lda/Software, Saúde/Healthcare, Alimentos/Food, Móveis/Furniture',
    ),
  },
  {
    language: 'pl-PL',
    country: 'PL',
    given: names(
      'Łukasz/lukasz, Małgorzata/malgorzata, Paweł/pawel, Zofia, Wojciech, Agnieszka, Grażyna, Mikołaj/mikolaj, Hanna, Piotr, Ewa, Jakub',
    ),
    family: names('Wójcik, Król/krol, Pawlak, Żak, Nowak, Mazur, Zając, Wrona, Sikora, Baran, Duda, Kubiak'),
    trades: trades(
      'Maszyny/Manufacturing, Transport/Logistics, Energia/Energy, Software/Software, Zdrowie/Healthcare, Meble/Furniture, Targ/Retail',
    ),
  },
  {
    language: 'cs-CZ',
    country: 'CZ',
    given: names('Tereza, Jakub, Lucie, Ondřej, Markéta, Tomáš, Barbora, Petr, Klára, Martin, Eliška, Vojtěch'),
    family: names('Krejčí, Kočí, Dolejší, Hořejší, Petrů, Janů, Martinů, Pavlů, Jakubů, Šimků, Vrchní, Tichá'),
    trades: trades(
      'Strojírny/Manufacturing, Doprava/Logistics, Energie/Energy, Software/Software, Zdraví/Healthcare, Nábytek/Furniture, Pekárny/Food',
    ),
  },
  {
    language: 'sv-SE',
    country: 'SE',
    given: names('Astrid, Erik, Maja, Oskar, Ebba, Gustav, Linnea, Axel, Saga, Nils, Elin, Viktor'),
    family: names(
      'Lindström, Bergqvist, Sandberg, Holmgren, Nyström, Forsberg, Ekman, Sjögren, Wallin, Åkesson, Hedlund, Norén',
    ),
    trades: trades(
      'Mekaniska AB/Manufacturing, Frakt AB/Logistics, Energi/Energy, Data AB/Software, Vård/Healthcare, Möbler/Furniture, Bageri/Food',
    ),
  },
  {
    language: 'da-DK',
    country: 'DK',
    given: names('Freja, Mads, Signe, Rasmus, Ida, Kasper, Maren, Jonas, Laura, Emil, Karen, Anders'),
    family: names(
      'Nørgaard/noergaard, Kjær/kjaer, Holm, Lund, Bruun, Dalsgaard, Vestergaard, Bech, Skov, Friis, Thorsen, Winther',
    ),
    trades: trades(
      'Maskiner ApS/Manufacturing, Transport ApS/Logistics, Energi/Energy, Software ApS/Software, Sundhed/Healthcare, Møbler/moebler/Furniture, Bageri/Food',
    ),
  },
  {
    language: 'nb-NO',
    country: 'NO',
    given: names('Ingrid, Henrik, Solveig, Magnus, Kari, Sindre, Silje, Eirik, Tuva, Lars, Marit, Håkon'),
    family: names('Haugen, Solberg, Dahl, Bakken, Strand, Myhre, Lie, Aasen, Nygård, Vik, Rønning/roenning, Eide'),
    trades: trades(
      'Mekaniske AS/Manufacturing, Frakt AS/Logistics, Energi/Energy, Data AS/Software, Helse/Healthcare, Møbler/moebler/Furniture, Sjømat/sjoemat/Food',
    ),
  },
  {
    language: 'fi-FI',
    country: 'FI',
    given: names('Aino, Mikko, Emilia, Juha, Sanni, Antti, Helmi, Ville, Noora, Eetu, Kaisa, Lauri'),
    family: names(
      'Virtanen, Mäkinen, Heikkinen, Koskinen, Salonen, Rantanen, Laine, Niemi, Lehtonen, Kallio, Hämäläinen, Aalto',
    ),
    trades: trades(
      'Konepaja Oy/Manufacturing, Kuljetus Oy/Logistics, Energia/Energy, Ohjelmistot Oy/Software, Terveys/Healthcare, Kalusteet/Furniture, Leipomo/Food',
    ),
  },
  {
    language: 'tr-TR',
    country: 'TR',
    given: names('Ayşe, Çağlar, Işıl/isil, Mehmet, Zeynep, Gökhan, Elif, Barış/baris, Selin, Emre, Derya, Kerem'),
    family: names(
      'Yıldız/yildiz, Öztürk, Şahin, Demir, Kılıç/kilic, Aydın/aydin, Çelik, Koç, Arslan, Polat, Güneş, Erdem',
    ),
    trades: trades(
      'Tekstil/Textiles, Denizcilik/Shipping, Gıda/gida/Food, Yazılım/yazilim/Software, Makine/Manufacturing, Enerji/Energy, Mobilya/Furniture',
    ),
  },
  {
    language: 'uk-UA',
    country: 'UA',
    given: names(
      'Олена/olena, Тарас/taras, Соломія/solomiia, Андрій/andrii, Ірина/iryna, Богдан/bohdan, Ярина/yaryna, Максим/maksym, Оксана/oksana, Юрій/yurii, Марія/mariia, Назар/nazar',
    ),
    family: names(
      'Шевчук/shevchuk, Коваленко/kovalenko, Бондар/bondar, Лисенко/lysenko, Гнатюк/hnatiuk, Мороз/moroz, Савчук/savchuk, Ткач/tkach, Кравець/kravets, Гончар/honchar, Поліщук/polishchuk, Дяченко/diachenko',
    ),
    trades: trades(
      'Софт/soft/Software, Агро/ahro/Farming, Буд/bud/Construction, Транс/trans/Logistics, Енерго/enerho/Energy, Меблі/mebli/Furniture, Мед/med/Healthcare',
    ),
  },
  {
    language: 'ar-EG',
    country: 'EG',
    given: names(
      'ليلى/layla, يوسف/youssef, مريم/mariam, عمر/omar, نور/nour, كريم/karim, هدى/huda, طارق/tarek, سلمى/salma, حسن/hassan, دينا/dina, مازن/mazen',
    ),
    family: names(
      'منصور/mansour, الشافعي/elshafei, حداد/haddad, خليل/khalil, فاروق/farouk, سالم/salem, ناصر/nasser, رشدي/rushdy, عزيز/aziz, شاكر/shaker, فهمي/fahmy, زكي/zaki',
    ),
    trades: trades(
      'للنشر/books/Publishing, للتغليف/pack/Packaging, للبرمجيات/soft/Software, للنقل/trans/Logistics, للأغذية/food/Food, للأثاث/home/Furniture, للطاقة/energy/Energy',
    ),
  },
  {
    language: 'he-IL',
    country: 'IL',
    given: names(
      'נועה/noa, איתן/eitan, תמר/tamar, יונתן/yonatan, שירה/shira, אורי/uri, מיכל/michal, דניאל/daniel, יעל/yael, עומר/omer, רוני/roni, גיא/guy',
    ),
    family: names(
      'לוי/levi, פרידמן/friedman, ברק/barak, שפירא/shapira, אלון/alon, כהן/cohen, גולן/golan, רוזן/rosen, שגיא/sagi, נבון/navon, הראל/harel, דגן/dagan',
    ),
    trades: trades(
      'תוכנה/soft/Software, מים/water/Water, עיצוב/design/Design, לוגיסטיקה/log/Logistics, מזון/food/Food, אנרגיה/energy/Energy, רהיטים/home/Furniture',
    ),
  },
  {
    language: 'hi-IN',
    country: 'IN',
    given: names(
      'अनन्या/ananya, रोहन/rohan, दीपिका/deepika, अर्जुन/arjun, मीरा/meera, विक्रम/vikram, कविता/kavita, समीर/sameer, नेहा/neha, आदित्य/aditya, प्रिया/priya, करण/karan',
    ),
    family: names(
      'शर्मा/sharma, वर्मा/verma, अय्यर/iyer, जोशी/joshi, गुप्ता/gupta, नायर/nair, मेहता/mehta, राव/rao, देसाई/desai, कपूर/kapoor, मिश्रा/mishra, पटेल/patel',
    ),
    trades: trades(
      'फार्मा/pharma/Healthcare, ऑटो पार्ट्स/parts/Manufacturing, चाय/tea/Food, सॉफ्टवेयर/soft/Software, लॉजिस्टिक्स/log/Logistics, ऊर्जा/energy/Energy, फर्नीचर/home/Furniture',
    ),
  },
  {
    language: 'ja-JP',
    country: 'JP',
    given: names(
      '美咲/misaki, 健太/kenta, 陽菜/hina, 大輔/daisuke, 千尋/chihiro, 直樹/naoki, 葵/aoi, 翔/sho, 彩/aya, 誠/makoto, 結衣/yui, 拓也/takuya',
    ),
    family: names(
      '高橋/takahashi, 渡辺/watanabe, 山本/yamamoto, 小林/kobayashi, 石川/ishikawa, 森/mori, 藤田/fujita, 岡田/okada, 中村/nakamura, 斎藤/saito, 松本/matsumoto, 原田/harada',
    ),
    familyFirst: true,
    trades: trades(
      '精密株式会社/seimitsu/Electronics, 商店/shoten/Retail, 旅行社/ryoko/Travel, 運輸/unyu/Logistics, 食品/shokuhin/Food, 電力/denryoku/Energy, 家具/kagu/Furniture',
    ),
  },
  {
    language: 'ko-KR',
    country: 'KR',
    given: names(
      '지우/jiwoo, 서연/seoyeon, 민준/minjun, 하은/haeun, 도윤/doyun, 수빈/subin, 예린/yerin, 태현/taehyun, 지민/jimin, 현우/hyunwoo, 은지/eunji, 준호/junho',
    ),
    family: names(
      '김/kim, 박/park, 최/choi, 정/jung, 윤/yoon, 한/han, 오/oh, 류/ryu, 송/song, 임/lim, 신/shin, 강/kang',
    ),
    familyFirst: true,
    gap: '',
    trades: trades(
      '물산/trading/Trade, 물류/logis/Logistics, 소프트/soft/Software, 식품/food/Food, 정밀/tech/Electronics, 에너지/energy/Energy, 가구/home/Furniture',
    ),
  },
  {
    language: 'zh-CN',
    country: 'CN',
    given: names(
      '伟/wei, 秀英/xiuying, 子涵/zihan, 浩然/haoran, 梦洁/mengjie, 雨桐/yutong, 建国/jianguo, 欣怡/xinyi, 思远/siyuan, 嘉怡/jiayi, 俊杰/junjie, 晓雯/xiaowen',
    ),
    family: names(
      '王/wang, 李/li, 欧阳/ouyang, 陈/chen, 赵/zhao, 周/zhou, 林/lin, 徐/xu, 孙/sun, 高/gao, 郭/guo, 何/he',
    ),
    familyFirst: true,
    gap: '',
    trades: trades(
      '氏软件/soft/Software, 氏医疗/med/Healthcare, 氏物流/logis/Logistics, 氏食品/food/Food, 氏电子/tech/Electronics, 氏能源/energy/Energy, 氏家具/home/Furniture',
    ),
  },
]

const baseOf = (language: string) => language.split('-')[0]

/** The culture of people who speak this language, whatever their country. */
export const cultureOf = (language: string) =>
  cultures.find((one) => one.language === language) ?? cultures.find((one) => baseOf(one.language) === baseOf(language))
