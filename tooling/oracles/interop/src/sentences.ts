/** Undamaged multilingual text: words of many languages, with the punctuation of each. */
import type { Random } from './random.js';

/** Words of a language, and its punctuation. */
interface Language {
  readonly words: string;
  /** Opening and closing quotes, with the spaces that belong to them. */
  readonly quotes?: readonly [open: string, close: string];
  /** Ends of sentences, and separators that occur between words now and then. */
  readonly ends?: readonly string[];
  readonly between?: string;
}

const ENGLISH_QUOTES = ['“', '”'] as const;
const GERMAN_QUOTES = ['„', '“'] as const;
const GUILLEMETS = ['«', '»'] as const;
const FRENCH_QUOTES = ['«\u00A0', '\u00A0»'] as const;

/** Languages that the rules for mojibake were developed with. */
export const tuning: Readonly<Record<string, Language>> = {
  French: {
    words:
      "été déjà voilà où ça l'école œuvre cœur naïf Noël maïs garçon français être à même forêt hôtel août île goût À Élodie ÉTÉ CAFÉ QUALITÉ aïeul où là chanté passé très",
    quotes: FRENCH_QUOTES,
    ends: ['.', '\u00A0!', '\u00A0?', '…', '\u00A0: suite'],
  },
  German: {
    words:
      'für über Straße groß Größe Übung Äpfel Öl schön Mädchen müde Fuß Spaß heiß Grüße Köln München weiß Tür Bär MENÜ Österreich Ähre häufig können würde',
    quotes: GERMAN_QUOTES,
  },
  Spanish: {
    words:
      'mañana niño señor año corazón qué así también aquí España pingüino árbol último canción Ángel Íñigo Óscar PERÚ JOSÉ ASÍ está después ella vergüenza ñandú',
    quotes: GUILLEMETS,
    ends: ['.', '!', '?', '…', '—dijo'],
  },
  Portuguese: {
    words:
      'não coração irmã maçã amanhã pão ações você português está avó avô lã AMANHÃ IRMÃ MAÇÃ VOCÊ SÃO AVÔ PARANÁ Ângela água órgão à às pôr três país',
    quotes: ENGLISH_QUOTES,
  },
  Russian: {
    words:
      'привет мир сегодня хорошо человек время день жизнь Москва Ещё что это который год рука дело раз глаз слово место лицо друг и в я подъезд объём ЩУКА',
    quotes: GUILLEMETS,
  },
  Greek: {
    words:
      'καλημέρα κόσμος ελληνικά Αθήνα θάλασσα ημέρα νερό φως ζωή άνθρωπος χρόνος Ελλάδα δρόμος παιδί μητέρα ΩΡΑ ΗΛΙΟΣ ύδωρ ή',
    quotes: GUILLEMETS,
  },
  Japanese: {
    words:
      '日本 東京 こんにちは ありがとう カタカナ 漢字 時間 電車 食べる 大丈夫 会社 学校 先生 新しい 今日 明日 データベース ｶﾅ ＡＢＣ 年 月',
    quotes: ['「', '」'],
    ends: ['。', '！', '？'],
  },
  Turkish: {
    words:
      'İstanbul güneş çocuk ağaç şeker ılık öğretmen Türkçe kâğıt rüzgâr hâlâ KÂĞIT ÂŞIK ÇOCUK ĞÜZEL yıldız Iğdır Şişli gün için değil büyük küçük',
    quotes: ENGLISH_QUOTES,
  },
  'signs and units': {
    words:
      '10°C m² km³ 5€ £20 ¥300 ½ ¼ ±2 µm Å Å² 120Å³ Ø½″ α-helix β π≈3 ∑ √2 x→y ≤5 ∞ ½× 2×½ Â² Ĥ © ® ™ CAFÉ™ NESTLÉ® №5 §3 ¶ • ✓ █ ▀ ── ═╗ │ 😀 👍🏽 ❤️ 🇩🇪 N°2 1ª 2º ‰',
  },
};

/** Languages that were added after the rules. */
export const heldOut: Readonly<Record<string, Language>> = {
  Polish: {
    words:
      'zażółć gęślą jaźń łódź żaba śnieg ćma ręka pięć książka wąż źródło Łukasz Żaneta ŚWIĘTO być może chłopiec dzień próg sześć',
    quotes: ['„', '”'],
  },
  Czech: {
    words:
      'příliš žluťoučký kůň úpěl ďábelské ódy řeka čtyři šťastný zeď můžu dům večer VÝŠKA PÍŠE ÚŽAS Ústí Ťuhýk děti někdo hráč ňadra MÍŽE',
    quotes: GERMAN_QUOTES,
  },
  Slovak: {
    words:
      'môže môj nôž kôň MÔŽE NÔŽ dĺžka vŕba ľudia šťastie čerešňa päť mäso ĎALEJ úžera Ôsmy býk káva',
    quotes: GERMAN_QUOTES,
  },
  Hungarian: {
    words:
      'árvíztűrő tükörfúrógép őszi idő gyűrű hűség köszönöm születésnap erdő Őr Ű ajtó szőlő nő fű könyv',
    quotes: ['„', '”'],
  },
  Swedish: {
    words:
      'räksmörgås på så Ö Å ålder är för öl gå många hjälp Göteborg Malmö Åsa ÄR PÅ SÅ smörgås fråga själv två år',
    quotes: ['”', '”'],
  },
  Finnish: {
    words:
      'hyvää päivää kylä KYLLÄ pöytä yö tänään ÄITI SÄÄ hän mitä metsä järvi tähti KESÄ työ Šakki',
    quotes: ['”', '”'],
  },
  Danish: {
    words: 'rødgrød med fløde Århus blåbær æble ø å ÅR PÅ Ærø smør hår lægge gå SMÅ være også både',
    quotes: ['»', '«'],
  },
  Icelandic: {
    words:
      'það er Þór sæll góðan daginn ég veit ekki hvað MEÐ SÍÐ Ísland bjór maður fjörður æði það ð þú hús tvö fáni',
    quotes: GERMAN_QUOTES,
  },
  Vietnamese: {
    words:
      'Việt Nam tiếng người được không của những đường phố Hà Nội phở bánh mì cảm ơn mẹ ÂM NHÃ Trần Nguyễn Đà Nẵng lễ hội thế giới ngày',
    quotes: ENGLISH_QUOTES,
  },
  Italian: {
    words:
      'perché città è più così però già là Università CITTÀ È PERCHÉ virtù caffè lunedì andrò CAFFÈ né ciò',
    quotes: GUILLEMETS,
  },
  Catalan: {
    words:
      'col·legi intel·ligent Barça això què més països llengües avi àvia òrgan ENYORANÇA ÀNIMA È raó camió cançó',
    quotes: GUILLEMETS,
  },
  Romanian: {
    words:
      'în țară șoarece România pâine câine mâine înger ÎN ROMÂNIA COBORÎ a coborî știu știință încă ăsta să și hotărî',
    quotes: ['„', '”'],
  },
  Estonian: {
    words: 'õhtu jäääär öö ÜÖ täna küsimus GARAAŽ žanr tšekk sõber mõte KÜÜS rõõm hääl šokolaad',
    quotes: ['„', '”'],
  },
  Azerbaijani: {
    words: 'Azərbaycan gəlmək dəniz şəhər çörək ağac gözəl üç İçərişəhər nə Əli ƏLA mən sən hə',
    quotes: GUILLEMETS,
  },
  Ukrainian: {
    words: 'Україна їжа ґанок є Київ Львів щастя любов пісня місто ЇЖАК їй і ще зірка небо ніч',
    quotes: GUILLEMETS,
  },
  Hebrew: {
    words: 'שלום עולם תודה ירושלים בוקר טוב לילה אני אתה ספר ילד מים יום',
    quotes: ['״', '״'],
  },
  Arabic: {
    words: 'مرحبا العالم شكرا كتاب مدرسة ماء يوم ليلة سلام مدينة طالب لغة أنا',
    quotes: GUILLEMETS,
    ends: ['.', '؟', '،'],
  },
  Hindi: { words: 'नमस्ते दुनिया भारत पानी किताब धन्यवाद समय दिन रात हिन्दी मैं', ends: ['।', '?', '!'] },
  Thai: { words: 'สวัสดี โลก ขอบคุณ น้ำ หนังสือ เวลา วัน ประเทศไทย กิน ข้าว ไป' },
  Korean: {
    words: '안녕하세요 세계 한국어 사랑 시간 사람 학교 물 책 밤 하늘 값 잘 뷁',
    quotes: ['‘', '’'],
  },
  Chinese: {
    words: '你好 世界 中文 时间 数据库 谢谢 朋友 學校 今天 明天 水 書 北京 香港',
    quotes: ['“', '”'],
    ends: ['。', '！', '？', '……'],
  },
  Georgian: {
    words: 'გამარჯობა საქართველო თბილისი წყალი წიგნი დღე მადლობა',
    quotes: GERMAN_QUOTES,
  },
  'units and pictures': {
    words:
      '25°C 3m² €9 ¢5 ¾ ⅓ ≥7 ≠ ∂x ∫ ‖v‖ ε θ Ω 4Ω 3Å·s Ñ° É² Û² Ê³ ×3 3×4 ÷2 Ø40 Ø½ Ö… ✔ ☆ ♥ ♫ ← ⇒ ┌─┐ ░▒▓ 🎉 👨‍👩‍👧 🇫🇷 🧪 ☕️ 🏳️‍🌈 𝒳 𠮷',
  },
};

/** Languages with a legacy encoding of their own, which neither of the others has. */
export const regional: Readonly<Record<string, Language>> = {
  Bulgarian: {
    words:
      'България София здравей свят хубав ден нощ вода хляб ЪГЪЛ щастие жълт гълъб път със ѝ ще който човек',
    quotes: ['„', '“'],
  },
  Serbian: {
    words:
      'Србија Београд љубав њива ћерка џеп ђак ЈЕ ОЊЕГИН Љиљана кућа међу чаша што ноћ дан вода један',
    quotes: ['„', '“'],
  },
  Belarusian: {
    words: 'Беларусь Мінск ўсё дзень ноч вада ЎСЁ хлеб дзякуй слова мову ёсць і ў гэта чалавек',
    quotes: GUILLEMETS,
  },
  Croatian: {
    words: 'Hrvatska Zagreb čaša ćup žena šuma đak kuća ČAŠA ŽENA Đorđe riječ noć može još dječak',
    quotes: ['„', '”'],
  },
  Latvian: {
    words:
      'Rīga Latvija ūdens zeme ģimene ķīmija ļoti ņemt šodien žogs čells ĒKA ŪDENS Āfrika māja bērns vārds',
    quotes: ['“', '”'],
  },
  Lithuanian: {
    words:
      'Lietuva Vilnius ąžuolas čia ęsti ėjo įdomu šiandien ųgis ūkis žmogus ĄŽUOLAS ŽMOGUS gražus Ąžuolyne',
    quotes: ['„', '“'],
  },
  Persian: {
    words: 'ایران تهران سلام دنیا کتاب گل پدر چشم ژاله آب روز شب زبان فارسی خانه',
    quotes: GUILLEMETS,
    ends: ['.', '؟', '،'],
  },
};

const ENDS = ['.', '!', '?', '…', '', '', ''];
const BETWEEN = [' ', ' ', ' ', ' ', ' ', ' ', ', ', ' – ', '—', ': ', '; ', ' / ', ' 12 ', ' ok '];
const AFTER_WORD = [
  '™',
  '®',
  '†',
  '²',
  '³',
  '°',
  '’s',
  '´s',
  '…',
  '–',
  '—',
  '\u00A0:',
  '\u00AD',
  '*',
  '©',
  '¹',
];

/** Generates a text: a word, some, or a sentence; one in five is in capitals. */
export function writeText(random: Random, { words, quotes, ends = ENDS }: Language): string {
  const all = words.split(' ');
  const count = random.below(3) === 0 ? 1 + random.below(2) : 3 + random.below(9);
  let text = '';
  for (let i = 0; i < count; i++) {
    let word = random.pick(all);
    if (random.below(12) === 0) word += random.pick(AFTER_WORD);
    if (quotes && random.below(8) === 0) word = quotes[0] + word + quotes[1];
    else if (random.below(10) === 0) word = `"${word}"`;
    // A quote that began elsewhere.
    else if (quotes && random.below(25) === 0) word += quotes[1];
    text += (i === 0 ? '' : random.pick(BETWEEN)) + word;
  }
  text += random.pick(ends);
  return random.below(5) === 0 ? text.toUpperCase() : text;
}
