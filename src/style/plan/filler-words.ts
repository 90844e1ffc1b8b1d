/** Words that only fill a pause. A word of one language fills nothing in another ("um" is German and Portuguese, too). */
const LANGUAGES = [
  { common: 'the and to of that is you it in a we', fillers: 'um umm uh uhh uhm er erm hmm' },
  { common: 'der die und das ist ich nicht ein zu es wir', fillers: 'äh ähm öh öhm ehm hm' },
  { common: 'le la et les de est je que un pas vous', fillers: 'euh heu euhm hum' },
  { common: 'el la y que de es no los un por lo', fillers: 'eh em ehm mmm' },
  { common: 'il la e che di è non un per si sono', fillers: 'ehm eh uhm mmm' },
  { common: 'o a e que de é não um uma os para', fillers: 'hã ahn hum éé ãh' },
  { common: 'de het en een is dat ik niet van je we', fillers: 'eh ehm uh uhm' },
  { common: 'и в не что на я это он как мы с', fillers: 'э ээ эээ эм ммм' },
].map(({ common, fillers }) => ({
  common: new Set(common.split(' ')),
  fillers: new Set(fillers.split(' ')),
}));

/** A language is known if so many of the words are its usual ones, and this share. */
const MIN_COMMON = 5;
const MIN_COMMON_SHARE = 0.08;

/** Fillers of the language that the words are in; none if it is not known. Words as `plainWord` writes them. */
export function fillersOf(words: readonly string[]): ReadonlySet<string> {
  const counts = LANGUAGES.map(({ common }) => words.filter((word) => common.has(word)).length);
  const most = Math.max(...counts);
  const isKnown = most >= MIN_COMMON && most >= MIN_COMMON_SHARE * words.length;
  return isKnown ? LANGUAGES[counts.indexOf(most)].fillers : new Set();
}

/** Lower case, letters and digits only. */
export function plainWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}
