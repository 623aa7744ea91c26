import { SkeinError } from '../core/errors.ts';
import type { EpisodicMemory } from '../memory/episodic-memory.ts';
import type { Reach } from '../memory/reach.ts';
import { asOfLabel, dayLabel, localDay, questionAsOf } from '../store/as-of.ts';
import type { AnswerRecord, AskRecord, AsOfChoice } from '../store/records.ts';
import { requireAsk } from '../store/thread-rules.ts';
import type { NewAnswer } from './contract.ts';
import type { EngineParts, ThreadWriting } from './thread-writing.ts';

/** Questions to a thread, what they recalled, and the answers that a language model gave. */
export class Asks {
  constructor(
    private readonly parts: EngineParts,
    private readonly writing: ThreadWriting,
  ) {}

  /** Recalls the episodes that decide a question, up to `asOf` where it is given, and keeps it beside the thread. */
  async ask(threadId: string, question: string, asOf?: AsOfChoice, signal?: AbortSignal): Promise<AskRecord> {
    const memory = await this.parts.memories.get(threadId);
    const begun = performance.now();
    const reach = asOf && (await reachOf(memory, asOf));
    if (asOf && reach?.turns === 0) throw await nothingSaid(memory, asOf);
    const vector = await memory.embedQuestion(question, signal, !reach);
    const embedded = performance.now();
    const episodes = await memory.recall(question, { vector, until: reach, signal });
    const ranked = performance.now();
    const record = await this.store(threadId).addAsk({
      text: question,
      askedAt: Date.now(),
      position: memory.turns,
      ingested: memory.ingested,
      configuration: memory.configuration.name,
      episodes,
      ...(asOf && reach && { asOf: { ...asOf, runs: reach.runs, placed: reach.placed } }),
      milliseconds: ranked - begun,
      rankMilliseconds: ranked - embedded,
    });
    this.tell(threadId);
    return record;
  }

  async reach(threadId: string, asOf: AsOfChoice): Promise<Reach> {
    return reachOf(await this.parts.memories.get(threadId), asOf);
  }

  list(threadId: string): Promise<AskRecord[]> {
    return this.store(threadId).listAsks();
  }

  async remove(threadId: string, askId: number): Promise<void> {
    await this.store(threadId).removeAsk(askId);
    this.tell(threadId);
  }

  /** Keeps an answer: the first one with its question as turns, a later one in place of the one that is shown. */
  async keepAnswer(threadId: string, askId: number, answer: NewAnswer): Promise<AskRecord> {
    const { text, ...version } = answer;
    const ask = await this.require(threadId, askId);
    if (ask.answer) {
      const versions = [...ask.answer.versions, version];
      await this.show(threadId, ask, ask.answer, { versions, place: versions.length - 1, text });
    } else {
      const turns = [
        { role: 'user' as const, text: questionAsOf(ask.text, ask.asOf), time: ask.askedAt },
        { role: 'model' as const, text, time: answer.answeredAt },
      ];
      await this.writing.append(threadId, turns, { askId, version });
      this.tell(threadId);
    }
    return this.require(threadId, askId);
  }

  /** Lets the answer's turn read as another of its versions. */
  async showAnswer(threadId: string, askId: number, version: number): Promise<void> {
    const ask = await this.require(threadId, askId);
    const { versions = [] } = ask.answer ?? {};
    const wanted = versions[version];
    if (!ask.answer || !wanted) {
      throw new SkeinError('not-found', `The answer has no version ${version}.`, 'Reload the thread.');
    }
    if (wanted.text === undefined) return;
    await this.show(threadId, ask, ask.answer, { versions, place: version, text: wanted.text });
  }

  /** The text that the turn had goes into the record, and the new one into the turn: one change, all or nothing. */
  private async show(threadId: string, ask: AskRecord, answer: AnswerRecord, shown: Shown): Promise<void> {
    const { versions, place, text } = shown;
    const [turn] = await this.store(threadId).readTurns(answer.turn, answer.turn + 1);
    const kept = versions.map(({ text: other, ...version }, i) => {
      if (i === place) return version;
      return { ...version, text: i === answer.shown ? turn!.text : other! };
    });
    const changed = { ...ask, answer: { ...answer, versions: kept, shown: place } };
    await this.writing.changeTexts(threadId, (memory) => memory.editTurn(answer.turn, text, [changed]));
  }

  private async require(threadId: string, askId: number): Promise<AskRecord> {
    return requireAsk(await this.store(threadId).readAsk(askId), askId);
  }

  private store(threadId: string) {
    return this.parts.database().getThreadStore(threadId);
  }

  private tell(threadId: string): void {
    this.parts.events.emit({ kind: 'asks', threadId });
  }
}

async function reachOf(memory: EpisodicMemory, asOf: AsOfChoice): Promise<Reach> {
  if (memory.ingested === 0) {
    throw new SkeinError('busy', 'No turn of this thread has been read yet.', 'Ask again in a moment.');
  }
  return memory.reach(asOf.kind === 'turn' ? { turns: asOf.turns } : { before: asOf.before });
}

async function nothingSaid(memory: EpisodicMemory, asOf: AsOfChoice): Promise<SkeinError> {
  const period = await memory.period();
  return new SkeinError(
    'bad-argument',
    `Nothing had been said in this thread by ${asOfLabel(asOf)}.`,
    asOf.kind === 'day' && period
      ? `It begins on ${dayLabel(localDay(period.first))}: choose that day or a later one.`
      : 'Choose a later turn.',
  );
}

/** The version whose text a turn gets. */
interface Shown {
  readonly versions: AnswerRecord['versions'];
  readonly place: number;
  readonly text: string;
}
