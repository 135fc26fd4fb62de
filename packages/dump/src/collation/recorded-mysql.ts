// biome-ignore-all format: generated
/** Characters that MySQL treats as equal by UCA 9.0, written by `UTF8_TIER=night npm test -- tooling/systems/databases/test/collations-mysql.test.ts -u`. */
export const languages: Readonly<Record<string, string>> = {
  de_pb: "ae\tÄ ä Ǟ ǟ\noe\tÖ ö Ȫ ȫ\nue\tÜ ü Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ",
  is: "á\tÁ á\nä\tÄ Æ ä æ Ǟ ǟ Ǣ ǣ Ǽ ǽ\nå\tÅ å Ǻ ǻ Å\né\tÉ é\ní\tÍ í\nð\tÐ ð\nó\tÓ ó Ớ ớ\nö\tÖ Ø ö ø Ǿ ǿ Ȫ ȫ\nú\tÚ ú Ứ ứ\ný\tÝ ý",
  lv: "i\tY y Ý ý ÿ Ŷ ŷ Ÿ Ȳ ȳ Ẏ ẏ ẙ Ỳ ỳ Ỵ ỵ Ỷ ỷ Ỹ ỹ\nč\tČ č\nģ\tĢ ģ\nķ\tĶ ķ\nļ\tĻ ļ\nņ\tŅ ņ\nŗ\tŖ ŗ\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  ro: "â\tÂ â Ấ ấ Ầ ầ Ẩ ẩ Ẫ ẫ Ậ ậ\nî\tÎ î\nă\tĂ ă Ắ ắ Ằ ằ Ẳ ẳ Ẵ ẵ Ặ ặ\nş\tŞ ş Ș ș\nţ\tŢ ţ Ț ț",
  sl: "ć\tĆ ć Ḉ ḉ\nč\tČ č\nđ\tĐ đ\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  pl: "ó\tÓ ó Ớ ớ\ną\tĄ ą\nć\tĆ ć Ḉ ḉ\nę\tĘ ę\nł\tŁ ł\nń\tŃ ń\nś\tŚ ś Ṥ ṥ\nź\tŹ ź\nż\tŻ ż",
  et: "ź\tZ z Ź ź Ż ż Ẑ ẑ Ẓ ẓ Ẕ ẕ\nä\tÄ ä Ǟ ǟ\nõ\tÕ õ Ȭ ȭ Ṍ ṍ Ṏ ṏ Ỡ ỡ\nö\tÖ ö Ȫ ȫ\nü\tÜ ü Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  es: "ñ\tÑ ñ",
  sv: "y\tÜ ü Ű ű Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ\nä\tÄ Æ ä æ Ę ę Ǟ ǟ Ǣ ǣ Ǽ ǽ\nå\tÅ å Ǻ ǻ Å\nô\tÔ Ö Ø ô ö ø Ő ő Œ œ Ǿ ǿ Ȫ ȫ Ố ố Ồ ồ Ổ ổ Ỗ ỗ Ộ ộ\nth\tÞ þ",
  tr: "ì\tI Ì Í Î Ï Ĩ Ī Ĭ Į ı Ǐ Ȉ Ȋ Ḭ Ḯ Ỉ Ị\nç\tÇ ç Ḉ ḉ\nö\tÖ ö Ȫ ȫ\nü\tÜ ü Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ\nğ\tĞ ğ\nş\tŞ ş",
  cs: "č\tČ č\nř\tŘ ř\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  da: "y\tÜ ü Ű ű Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ\nä\tÄ Æ ä æ Ǟ ǟ Ǣ ǣ Ǽ ǽ\nå\tÅ å Ǻ ǻ Å aa\nö\tÖ Ø ö ø Ő ő Œ œ Ǿ ǿ Ȫ ȫ\nth\tÞ þ",
  lt: "i\tY y Ý ý ÿ Ŷ ŷ Ÿ Ȳ ȳ Ẏ ẏ ẙ Ỳ ỳ Ỵ ỵ Ỷ ỷ Ỹ ỹ\nč\tČ č\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  sk: "ä\tÄ ä Ǟ ǟ\nô\tÔ ô Ố ố Ồ ồ Ổ ổ Ỗ ỗ Ộ ộ\nč\tČ č\nř\tŘ ř\nš\tŠ š Ṧ ṧ\nž\tŽ ž",
  es_trad: "ñ\tÑ ñ",
  la: "i\tJ j Ĵ ĵ ǰ\nv\tU u Ù Ú Û Ü ù ú û ü Ũ ũ Ū ū Ŭ ŭ Ů ů Ű ű Ų ų Ư ư Ǔ ǔ Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ Ȕ ȕ Ȗ ȗ Ṳ ṳ Ṵ ṵ Ṷ ṷ Ṹ ṹ Ṻ ṻ Ụ ụ Ủ ủ Ứ ứ Ừ ừ Ử ử Ữ ữ Ự ự",
  eo: "ĉ\tĈ ĉ\nĝ\tĜ ĝ\nĥ\tĤ ĥ\nĵ\tĴ ĵ\nŝ\tŜ ŝ\nŭ\tŬ ŭ",
  hu: "ö\tÖ ö Ő ő Ȫ ȫ\nü\tÜ ü Ű ű Ǖ ǖ Ǘ ǘ Ǚ ǚ Ǜ ǜ",
  hr: "ć\tĆ ć Ḉ ḉ\nč\tČ č\nđ\tĐ đ\nš\tŠ š Ṧ ṧ\nž\tŽ ž\nǆ\tǄ ǅ ǆ dž\nѝ\tЍ И и ѝ Ӣ ӣ Ӥ ӥ\nй\tЙ й",
  vi: "â\tÂ â Ấ ấ Ầ ầ Ẩ ẩ Ẫ ẫ Ậ ậ\nê\tÊ ê Ế ế Ề ề Ể ể Ễ ễ Ệ ệ\nô\tÔ ô Ố ố Ồ ồ Ổ ổ Ỗ ỗ Ộ ộ\nă\tĂ ă Ắ ắ Ằ ằ Ẳ ẳ Ẵ ẵ Ặ ặ\nđ\tĐ đ\nơ\tƠ ơ Ớ ớ Ờ ờ Ở ở Ỡ ỡ Ợ ợ\nư\tƯ ư Ứ ứ Ừ ừ Ử ử Ữ ữ Ự ự",
};
