/** Texts of captions, signs and screens, by script, and the fonts that have its letters. */
import type { FontName } from './lettering.ts';

export interface Language {
  readonly fonts: readonly FontName[];
  readonly sentences: readonly string[];
  /** Characters a line may hold. */
  readonly longestLine: number;
  /** Written without spaces. */
  readonly isUnspaced: boolean;
}

const LATIN: readonly FontName[] = ['inter', 'interRegular', 'montserrat', 'anton', 'serif', 'hand'];
const CYRILLIC: readonly FontName[] = ['inter', 'interRegular', 'montserrat', 'serif', 'hand'];

export const LANGUAGES: readonly Language[] = [
  {
    fonts: LATIN,
    longestLine: 30,
    isUnspaced: false,
    sentences: [
      'I never thought it would work',
      'Look at this place',
      'You have to see it with your own eyes before you believe a word of it',
      'Wait for it',
      'We left at five in the morning',
      'The secret is in the water',
      'Nobody told me about the stairs',
      'And then everything changed at once',
      'First you take a handful of flour and a little salt',
      'What happens next will surprise you',
      'He said he would be back by noon',
      'This is the best part',
      'Keep your hands warm',
      'Three days later we were home again',
    ],
  },
  {
    fonts: LATIN,
    longestLine: 30,
    isUnspaced: false,
    sentences: [
      'Été comme hiver il pleut ici',
      'Ça marche très bien à présent',
      'Über den Dächern von Zürich',
      'Größer wird es nicht mehr',
      'Mañana será otro día señor',
      'Das ist doch unmöglich',
      'Où est passée la clé',
      'Não há mais pão em casa',
      'Źródło było głęboko w lesie',
      'Şimdi eve dönüyoruz',
    ],
  },
  {
    fonts: CYRILLIC,
    longestLine: 30,
    isUnspaced: false,
    sentences: [
      'Привет всем кто меня слышит',
      'Сегодня мы едем на море',
      'Никто не знал что будет дальше',
      'Это самое красивое место',
      'Подожди ещё немного',
      'Щедрый вечер добрый вечер',
      'Где ты был всё это время',
      'Смотри внимательно',
    ],
  },
  {
    fonts: ['gothic'],
    longestLine: 14,
    isUnspaced: true,
    sentences: [
      '今日はいい天気です',
      '一緒に海へ行きましょう',
      '誰も知らなかった',
      'これは本当に美味しい',
      '東京の夜はとても長い',
      'もう少し待ってください',
      '新しい一日が始まる',
      '電車で三時間かかります',
    ],
  },
];

export const SIGNS = [
  'OPEN',
  'BAKERY',
  'HOTEL PARK',
  'NO PARKING',
  'Coffee & Tea',
  'EXIT 14',
  'Central Station',
  'PIZZA',
  'SALE',
] as const;

/** Text of a screen: labels and sentences of any kind. */
export const SCREEN_LINES = [
  'File   Edit   View   Window   Help',
  'The report is due on Friday and holds four parts',
  'const total = items.reduce(add)',
  'Inbox (14)   Drafts   Sent   Archive',
  'Settings are kept between sessions',
  'Download finished   3 files   120 MB',
  'return response.status === 200',
  'Name          Size          Modified',
  'Press any key to continue',
  'Notes from the meeting of the fourth of May',
  'Are you sure that you want to leave this page?',
  'import numbers from the table above',
] as const;

export const CREDITS = [
  'Directed by',
  'JANE MILLER',
  'Written by',
  'PAUL ORTEGA',
  'Camera',
  'Lena Hoffmann   Tom Reed',
  'Sound',
  'ANDREA ROSSI',
  'Costumes',
  'Maria Silva',
  'Thanks to the city of Lyon',
  'Music by the Blue Quartet',
] as const;
