import { dateOf } from '../../src/replay/corpus.ts';

/** What long pasted texts are made of: a seeded source and the day they are pasted on. */
export interface PasteGround {
  readonly random: () => number;
  readonly start: string;
  readonly day: number;
  /** Prefix of object numbers on that day. */
  readonly prefix: string;
}

/** A pasted text, what stands above it, and what comes back. */
export interface Paste {
  readonly intro: string;
  readonly text: string;
  readonly reply: string;
}

/** Makes a paste of about `words` words. */
export function paste(kind: string, words: number, ground: PasteGround): Paste {
  const { lines, intro, reply } = KINDS[kind]!;
  const out: string[] = [];
  let count = 0;
  for (let i = 0; count < words; i++) {
    const line = lines(ground, i);
    out.push(line);
    count += line.split(/\s+/).length;
  }
  return { intro: pick(intro, ground.random), text: out.join('\n'), reply: pick(reply, ground.random) };
}

function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)]!;
}

interface Kind {
  readonly intro: readonly string[];
  readonly reply: readonly string[];
  lines(ground: PasteGround, line: number): string;
}

const KINDS: Readonly<Record<string, Kind>> = {
  logger: {
    intro: [
      'Here is the climate logger, please look for outliers.',
      'The logger export of the last days:',
      'And the logs, as the climate people want them:',
    ],
    reply: [
      'No outlier beyond the band. The dips are the cleaning hours, see the lines with the remark.',
      'Steady. Two short peaks follow the door, the remarks in those lines say so.',
      'Case 2 drifts by a point towards noon, every day; that is the sun on the north window, oddly enough.',
    ],
    lines: ({ random, start, day }, i) => {
      const minute = i * 10;
      const at = `${dateOf({ start }, day - 2 + Math.floor(minute / 1440))} ${clock(minute % 1440)}`;
      const humidity = (46 + 6 * random()).toFixed(1);
      const remark = random() < 0.12 ? `  ${pick(REMARKS, random)}` : '';
      return `${at}  case ${1 + (i % 6)}  ${humidity} %RH  ${(19.5 + random()).toFixed(1)} C  ${Math.floor(30 + random() * 30)} lx${remark}`;
    },
  },
  loans: {
    intro: ['The draft of the loan agreement, all of it:', 'Loan papers, please read for surprises:'],
    reply: [
      'Read. The unusual ones are the clauses on photography and on the guard at night; the rest is standard.',
      'Nothing against you, but the clause on returning the crates has a date that you should put into your calendar.',
    ],
    lines: ({ random }, i) => `${i + 1}. ${pick(CLAUSES, random)} ${pick(CLAUSE_TAILS, random)}`,
  },
  catalogue: {
    intro: ['The catalogue file as of today:', 'Object list, exported this morning:'],
    reply: [
      'The list is consistent: no number twice. Some objects have no measurements yet.',
      'I count a handful of rows whose condition is "see report" without a report. The rest is complete.',
    ],
    lines: ({ random, prefix }, i) =>
      `${prefix}-${String(1 + (i % 9)).padStart(2, '0')}-${String(i + 1).padStart(3, '0')}; ${pick(OBJECTS, random)}, ${pick(MATERIALS, random)}; ${pick(PLACES, random)}, ${1480 + Math.floor(random() * 240)}; ${8 + Math.floor(random() * 90)} x ${6 + Math.floor(random() * 70)} cm; ${pick(CONDITIONS, random)}`,
  },
  minutes: {
    intro: [
      'Minutes of the project meeting, typed as people spoke:',
      'Transcript of this morning, unedited:',
    ],
    reply: [
      'Decisions in it: none that changes a date. Three tasks, all with you, I am afraid.',
      'They circle around the shop and the floor. What is agreed is agreed by silence, near the end.',
    ],
    lines: ({ random }) => `${pick(SPEAKERS, random)}: ${pick(REMARKED, random)} ${pick(REPLIED, random)}`,
  },
  survey: {
    intro: ['The visitors filled in our cards, I typed them all:', 'Survey cards of the week, every one:'],
    reply: [
      'Most speak of light and seats. The warmest words are for the attendant on the stairs.',
      'People want to touch things, sit down, and know what was eaten. In that order.',
    ],
    lines: ({ random }, i) =>
      `Card ${i + 1}, ${pick(VISITORS, random)}: ${pick(OPINIONS, random)} ${pick(WISHES, random)}`,
  },
  access: {
    intro: ['Door log of the store, the insurer asked for it:', 'The log of the alarm panel:'],
    reply: [
      'Nobody was in at night. One badge was used twice within a minute, that is the sticky door.',
      'All entries have an exit. The long stay is the photographer.',
    ],
    lines: ({ random, start, day }, i) =>
      `${dateOf({ start }, day - 1)} ${clock(Math.min(1439, 360 + i * 3))} door ${pick(DOORS, random)} badge ${100 + Math.floor(random() * 40)} ${pick(EVENTS, random)}`,
  },
};

export const PASTE_KINDS = Object.keys(KINDS);

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

const REMARKS = [
  'door open for deliveries',
  'cleaning',
  'sun on the glass',
  'school class in the room',
  'battery changed',
  'case opened by registrar',
  'film crew with lamps',
  'heating test',
];

const CLAUSES = [
  'The borrower keeps the object under the conditions agreed in the facility report and tells the lender at once of any departure from them.',
  'No part of the object may be removed from its mount, reproduced in relief, or brought into contact with adhesive of any kind.',
  'Photography for the catalogue is allowed with the lamps listed in the annex; visitors may photograph without flash.',
  'The crates remain the property of the lender, are stored in a dry place, and go back with the object they came with.',
  'A courier of the lender attends the opening of the crate, the installation, the removal and the closing of the crate.',
  'In the event of fire, water or theft, the object is taken to the place named in the emergency plan before anything else.',
  'The name of the lender appears on the label, in the catalogue and wherever the object is shown, in the wording of the annex.',
  'The guard at night passes the room every two hours and notes the state of the case in a book that the lender may read.',
  'The borrower bears the costs of packing, of the journey in both directions, of the courier and of the daily allowance.',
  'A change of the period of the loan needs the written consent of both parties no later than thirty days before the change.',
  'The lender may ask for the return of the object if the borrower moves it to another room without consent.',
  'Both parties name one person who answers letters, and another who answers when the first one is ill.',
  'Damage is described on the form of the annex by the courier and the registrar together, before anybody cleans anything.',
];
const CLAUSE_TAILS = [
  'This holds during transport as well.',
  'Exceptions need a letter.',
  'The annex gives the details.',
  'A breach ends the loan.',
  'Costs that arise from it are shared.',
  "The courts at the lender's seat decide.",
  'It survives the end of the agreement by one year.',
  'The registrar confirms it with the condition report.',
];

const OBJECTS = [
  'salt cellar',
  'balance beam',
  'seal matrix',
  'pack saddle',
  'bill of lading',
  'portrait of a factor',
  'brine ladle',
  'boiling pan rivet',
  'toll token',
  'harbour plan',
  'tally stick',
  'letter in cipher',
  'strongbox lid',
  'mule bell',
  'sack stencil',
  'boundary stone rubbing',
  "sailor's chest",
  'herring knife',
  'tavern sign',
  'prayer card',
];
const MATERIALS = [
  'pewter',
  'oak',
  'brass',
  'iron, corroded',
  'laid paper',
  'vellum',
  'oil on panel',
  'limestone',
  'linen',
  'leather and horsehair',
  'earthenware',
  'horn',
  'wax on parchment',
  'lead',
];
const PLACES = [
  'Hallein',
  'Reval',
  'Setubal',
  'Bruges',
  'Wismar',
  'Trapani',
  'Bergen',
  'Kampen',
  'Nantwich',
  'Riga',
  'Ibiza',
  'Stettin',
  'unknown, by sea',
];
const CONDITIONS = [
  'sound',
  'sound, old repair',
  'worn at the edges',
  'one corner missing',
  'stable, do not clean',
  'see report',
  'surface dirt',
  'warped, stable',
  'two losses, filled',
  'fragile, carry on the board',
];

const SPEAKERS = [
  'Helena',
  'Ruth',
  'the carpenter',
  'Anselm from the shop',
  'the treasurer',
  'Mirjam from education',
  'the caretaker',
  'the intern',
];
const REMARKED = [
  'If we put the bench there, nobody can pass with a pushchair.',
  'I still think the first room is too clever and the last one too long.',
  'Somebody has to tell the choir that they cannot rehearse under the mule.',
  'The floor takes eight hundred kilos there, I would not bet on more.',
  'We sold eleven mugs last year, I am not ordering salt in jars for three hundred.',
  "The children's route needs things at ninety centimetres, not at a metre forty.",
  'Can the lift carry the big crate if we take the handles off?',
  'I would rather have one good map than four screens that somebody must dust.',
  'The sponsor asks for the logo at the entrance, and I ask for it by the toilets.',
  'The lamp over the stairs has been flickering since the flood.',
  'People come in from the bright street and see nothing for five minutes.',
  'We could hang the sacks from the beam, it has hooks from the brewery days.',
];
const REPLIED = [
  'Nobody disagreed.',
  'We leave it for next week.',
  'The caretaker will measure it again.',
  'That costs money we do not have.',
  'I will draw it, then we can argue about something.',
  'Then let us try it with a cardboard one on Friday.',
  'It was like that in the glass show, and they complained.',
  'Fine, but not before the fire inspection.',
  'Put it in the minutes that I said so.',
  'The intern offered to stand there for an hour and count.',
];

const VISITORS = [
  'woman, 34',
  'man, 71',
  'girl, 9',
  'boy, 12',
  'couple in their fifties',
  'student',
  'teacher with a class',
  'tourist from Lyon',
  'retired pilot',
  'grandmother, 80',
  'father of three',
  'sailor',
];
const OPINIONS = [
  'I came for the ships and stayed for the stairs.',
  'Too dark for my eyes, but the attendant lent me her torch.',
  'My son asked forty questions and two of them were answered on the wall.',
  'I have never thought about salt for more than a second before today.',
  'The smell of the old wood was the best part of it.',
  'Not enough chairs, and the ones there are too near the draught.',
  'The story of the widow who ran the pans on her own should be a film.',
  'I liked that one may touch the rope.',
  'Labels at the height of my chin again, I am not a giraffe.',
  'It explains money better than my school did.',
  'We got lost twice and enjoyed it both times.',
  'Your café closes too early for people who read everything.',
  'The map helped, once I had found out where north was.',
];
const WISHES = [
  'Please show what the people ate.',
  'More about the animals.',
  'I would pay for a printed guide.',
  'A bench in the second room would be kind.',
  'Could you open on one evening a week?',
  'Let the children weigh something.',
  'A recording of the work songs would be fine.',
  'Nothing to add, thank you.',
  'Say who found these things and how.',
  'Turn the fan down, it hums in B flat.',
  'Bring back the postcards.',
  'Less about kings.',
];

const DOORS = ['north', 'loading bay', 'paper store', 'workshop', 'stairs', 'gallery 2'];
const EVENTS = [
  'opened',
  'closed',
  'held open 40 s',
  'denied, wrong floor',
  'opened with key',
  'closed by wind',
  'opened, two persons',
];
