import { seededRandom } from '../../core/random.ts';
import type { Turn } from '../../core/turn.ts';

/** Made-up conversations for working on the interface; nothing here is shipped. */
const CONVERSATIONS: readonly (readonly string[])[] = [
  [
    'Desk rules for Larkfold from Gwenda, can you keep them in order: late patients for Dr Sorrel are seen up to 12 minutes late, after that rebook. Dr Amadi up to 7 minutes, then the next slot with Nurse Pell.',
    'Noted. Sorrel: 12 minutes, then rebook. Amadi: 7 minutes, then Nurse Pell next door.',
    'And sample pots go with the van at 13:15.',
    'Added: sample pots leave with the lab van at 13:15.',
  ],
  [
    'The allotment committee wants beds numbered from the gate. Ours is 17, we share the water butt with 18.',
    'Bed 17, counted from the gate, with a water butt shared with bed 18.',
    'Broad beans went in on the north side, garlic on the south. Do not let me plant onions after garlic again.',
    'Broad beans north, garlic south. No onions on the south side next season, since they would follow garlic.',
  ],
  [
    'What is a good way to soften a wool jumper that feels scratchy?',
    'Soak it in cool water with a little hair conditioner for half an hour, press the water out in a towel, and dry it flat.',
  ],
  [
    'From today late patients for Dr Sorrel: 10 minutes, not 12. Gwenda changed it after the audit.',
    'Changed: Dr Sorrel now sees patients up to 10 minutes late, where it was 12.',
    'If somebody shows a number 14 bus ticket the limit is 20, for both doctors, because of the roadworks.',
    'So a number 14 ticket extends the limit to 20 minutes for both Sorrel and Amadi while the roadworks last.',
  ],
  [
    'Choir: rehearsal moves to Thursdays at 19:30 in the small hall. Marta has the key.',
    'Thursdays, 19:30, small hall; Marta has the key.',
    'Altos were flat in the second verse again, we should start that one lower.',
    'You could take it down a tone. The sopranos lose a little brightness, but the altos keep their line.',
  ],
  [
    'نكتب الدعوة بالعربية من فضلك: العشاء يوم الجمعة الساعة السابعة.',
    'بالطبع: «ندعوكم إلى العشاء يوم الجمعة عند الساعة السابعة مساءً».',
  ],
  [
    'Recall letters for the foot checks: batches of 35 every Tuesday, green paper.',
    'Batches of 35, Tuesdays, on green paper.',
    'thanks',
    'You are welcome.',
  ],
  [
    'The bike lock code is the year of the flood plus two. Tobi forgets it every time.',
    'Understood. I keep the hint and not the number: the year of the flood plus two.',
    'How do I true a wheel without a stand?',
    'Turn the bike upside down, fix a zip tie to the stay so that it almost touches the rim, and spin. Where it rubs, loosen the spoke on that side a quarter turn and tighten its neighbour across.\n\nSmall steps: a quarter turn at a time, and check again after each.',
  ],
];

export const EXAMPLE_QUESTIONS: readonly string[] = [
  'A patient of Dr Sorrel is eleven minutes late. What do I do?',
  'How many foot check letters go out, and on which day?',
  'What may I plant on the south side of bed 17 next season?',
  'Who has the key to the small hall?',
];

const DAY = 86_400_000;

export interface PreviewThreadData {
  readonly turns: Turn[];
  /** First turn of each episode. */
  readonly starts: number[];
}

/** A thread of `count` turns: the conversations again and again in a seeded order, two a day. */
export function makeTurns(count: number): PreviewThreadData {
  const random = seededRandom(7);
  const turns: Turn[] = [];
  const starts: number[] = [];
  let time = Date.UTC(2024, 2, 4, 9, 12);
  while (turns.length < count) {
    const conversation = CONVERSATIONS[Math.floor(random() * CONVERSATIONS.length)]!;
    starts.push(turns.length);
    for (const [place, text] of conversation.entries()) {
      if (turns.length === count) break;
      turns.push({ index: turns.length, role: place % 2 === 0 ? 'user' : 'model', text, time });
      time += 40_000 + random() * 90_000;
    }
    time += DAY * (0.3 + random() * 0.4);
  }
  return { turns, starts };
}
