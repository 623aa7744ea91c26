import { abortedError, SkeinError, throwIfAborted } from '../../core/errors.ts';
import { estimateTokens } from '../../core/tokens.ts';
import type { NewTurn, Turn } from '../../core/turn.ts';
import type {
  AsOfChoice,
  EmbedderChoice,
  EmbedderState,
  EngineApi,
  EngineEvent,
  EpisodeView,
  ImportOutcome,
  ImportTarget,
  NewAnswer,
  Period,
  Reach,
  SearchHit,
  StorageState,
  ThreadView,
} from '../../engine/contract.ts';
import { reachOfPlace, reachOfTime } from '../../memory/reach.ts';
import { periodOf } from '../../memory/turn-times.ts';
import { questionAsOf } from '../../store/as-of.ts';
import type {
  AnswerRecord,
  AskRecord,
  BackendChoice,
  ConfigurationName,
  RecalledEpisode,
} from '../../store/records.ts';
import { EXAMPLE_QUESTIONS, makeTurns } from './preview-data.ts';

interface PreviewThread {
  view: ThreadView;
  turns: Turn[];
  episodes: EpisodeView[];
  asks: AskRecord[];
  questions: string[];
}

/** Which state of the application the preview starts in (the value of `?preview=`). */
export interface PreviewStart {
  /** Turns of the ready-made thread; 0 for a first visit. */
  readonly turns: number;
  readonly reader?: boolean;
  readonly ingesting?: boolean;
}

/**
 * An engine in memory for working on the interface and for its tests. Recall here only counts shared words:
 * it stands for the real engine's shape, not for its result.
 */
export class PreviewEngine implements EngineApi {
  private readonly threads = new Map<string, PreviewThread>();
  private readonly listeners: ((event: EngineEvent) => void)[] = [];
  private nextId = 1;
  private embedder: EmbedderState = {
    kind: 'ready',
    stamp: { model: 'all-MiniLM-L6-v2', dtype: 'int8', dimension: 384 },
    backend: 'wasm',
    notice: 'This browser has no WebGPU, so the model runs on the processor (WASM).',
  };
  /** Milliseconds that an answer takes. */
  delay = 350;
  /** True lets an empty thread recall nothing, as the real engine does, in place of a failure to look at. */
  recallsEmpty = false;

  constructor(private readonly start: PreviewStart) {
    if (start.turns > 0)
      this.addThread('Front desk and everything else', makeTurns(start.turns), [...EXAMPLE_QUESTIONS]);
    if (start.turns > 0) this.addThread('Letters to the council', makeTurns(42), []);
  }

  async subscribe(listener: (event: EngineEvent) => void): Promise<void> {
    this.listeners.push(listener);
    listener({ kind: 'tab', role: this.start.reader ? 'reader' : 'leader' });
    const thread = [...this.threads.values()][0];
    if (this.start.ingesting && thread) {
      const total = thread.view.turns;
      const done = Math.round(total * 0.42);
      thread.view = { ...thread.view, ingested: done };
      const progress = { done, total, rate: 61, secondsLeft: (total - done) / 61 };
      listener({ kind: 'ingest', threadId: thread.view.id, progress, paused: false });
    }
  }

  async listThreads(): Promise<ThreadView[]> {
    return [...this.threads.values()].map(({ view }) => ({ ...view }));
  }

  async createThread(name: string): Promise<ThreadView> {
    const thread = this.addThread(name, { turns: [], starts: [] }, []);
    this.emit({ kind: 'threads' });
    return thread.view;
  }

  async renameThread(threadId: string, name: string): Promise<void> {
    this.update(threadId, { name });
  }

  async deleteThread(threadId: string): Promise<void> {
    this.threads.delete(threadId);
    this.emit({ kind: 'threads' });
  }

  async configureThread(threadId: string, configuration: ConfigurationName): Promise<void> {
    this.update(threadId, { configuration });
  }

  async loadDemo(): Promise<{ threadId: string; questions: string[] }> {
    const questions = [...EXAMPLE_QUESTIONS];
    const thread = this.addThread('Demo thread', makeTurns(1500), questions);
    this.emit({ kind: 'threads' });
    return { threadId: thread.view.id, questions };
  }

  async exampleQuestions(threadId: string): Promise<string[]> {
    return this.find(threadId).questions;
  }

  async append(threadId: string, turns: readonly NewTurn[]): Promise<{ from: number; to: number }> {
    const thread = this.find(threadId);
    const from = thread.turns.length;
    for (const turn of turns) thread.turns.push({ ...turn, index: thread.turns.length });
    const to = thread.turns.length;
    thread.episodes.push(this.episode(thread, thread.episodes.length, from, to));
    this.update(threadId, { turns: to, ingested: to });
    this.emit({ kind: 'turns', threadId, turns: to });
    this.emit({ kind: 'episodes', threadId });
    return { from, to };
  }

  async readTurns(threadId: string, from: number, to: number): Promise<Turn[]> {
    await pause(4);
    return this.find(threadId).turns.slice(from, to);
  }

  async editTurn(threadId: string, index: number, text: string): Promise<void> {
    const { turns } = this.find(threadId);
    turns[index] = { ...turns[index]!, text };
    this.emit({ kind: 'turns', threadId, turns: turns.length });
  }

  async eraseTurns(threadId: string, from: number, to: number): Promise<void> {
    const thread = this.find(threadId);
    for (let i = from; i < to; i++)
      thread.turns[i] = { index: i, role: thread.turns[i]!.role, text: '', erased: true };
    thread.asks = thread.asks.filter(
      (ask) => !ask.episodes.some(({ start, end }) => start < to && end > from),
    );
    this.emit({ kind: 'turns', threadId, turns: thread.turns.length });
    this.emit({ kind: 'episodes', threadId });
    this.emit({ kind: 'asks', threadId });
  }

  async resumeIngest(threadId: string): Promise<void> {
    this.emitIngest(threadId, false);
  }

  async pauseIngest(threadId: string): Promise<void> {
    this.emitIngest(threadId, true);
  }

  async prepare(threadId: string): Promise<void> {
    this.find(threadId);
  }

  async recall(threadId: string, question: string): Promise<RecalledEpisode[]> {
    return this.recalled(this.find(threadId), question);
  }

  async reach(threadId: string, asOf: AsOfChoice): Promise<Reach> {
    const { turns } = this.find(threadId);
    return asOf.kind === 'turn' ? reachOfPlace(asOf.turns, turns.length) : reachOfTime(asOf.before, turns);
  }

  async period(threadId: string): Promise<Period | undefined> {
    return periodOf(this.find(threadId).turns);
  }

  async ask(threadId: string, question: string, asOf?: AsOfChoice, signal?: AbortSignal): Promise<AskRecord> {
    throwIfAborted(signal);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, this.delay);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(abortedError());
      });
    });
    const thread = this.find(threadId);
    if (thread.turns.length === 0 && !this.recallsEmpty) {
      throw new SkeinError(
        'empty-thread',
        'This thread has no turns to recall.',
        'Add some turns or import an export first.',
      );
    }
    const reach = asOf && (await this.reach(threadId, asOf));
    const ask: AskRecord = {
      id: this.nextId++,
      text: question,
      askedAt: Date.now(),
      position: thread.turns.length,
      ingested: thread.view.ingested,
      configuration: thread.view.configuration,
      episodes: this.recalled(thread, question, reach?.runs.at(-1)?.end),
      ...(asOf && reach && { asOf: { ...asOf, runs: reach.runs, placed: reach.placed } }),
      milliseconds: 43.4,
      rankMilliseconds: 2.2,
    };
    thread.asks.push(ask);
    this.emit({ kind: 'asks', threadId });
    return ask;
  }

  async listAsks(threadId: string): Promise<AskRecord[]> {
    return [...this.find(threadId).asks];
  }

  async removeAsk(threadId: string, askId: number): Promise<void> {
    const thread = this.find(threadId);
    thread.asks = thread.asks.filter(({ id }) => id !== askId);
    this.emit({ kind: 'asks', threadId });
  }

  async keepAnswer(threadId: string, askId: number, answer: NewAnswer): Promise<AskRecord> {
    const thread = this.find(threadId);
    const { text, ...version } = answer;
    const ask = thread.asks.find(({ id }) => id === askId);
    if (!ask) throw new SkeinError('not-found', 'The question is gone.', 'Ask it again.');
    if (ask.answer) {
      const versions = [...ask.answer.versions, version];
      this.show(thread, ask, { ...ask.answer, versions }, versions.length - 1, text);
    } else {
      const { from } = await this.append(threadId, [
        { role: 'user', text: questionAsOf(ask.text, ask.asOf), time: ask.askedAt },
        { role: 'model', text, time: answer.answeredAt },
      ]);
      const places = { question: from, turn: from + 1, versions: [version], shown: 0 };
      this.putAsk(thread, { ...ask, position: from + 2, answer: places });
    }
    return thread.asks.find(({ id }) => id === askId)!;
  }

  async showAnswer(threadId: string, askId: number, version: number): Promise<void> {
    const thread = this.find(threadId);
    const ask = thread.asks.find(({ id }) => id === askId)!;
    const { text } = ask.answer!.versions[version]!;
    if (text !== undefined) this.show(thread, ask, ask.answer!, version, text);
  }

  async branchThread(threadId: string, turns: number, name: string): Promise<ThreadView> {
    const source = this.find(threadId);
    const starts = source.episodes.map(({ start }) => start).filter((start) => start < turns);
    const branch = this.addThread(name, { turns: source.turns.slice(0, turns), starts }, []);
    branch.asks = source.asks.filter(({ position }) => position <= turns);
    branch.view = { ...branch.view, branchedFrom: { threadId, turns } };
    this.emit({ kind: 'threads' });
    return branch.view;
  }

  async listEpisodes(threadId: string): Promise<EpisodeView[]> {
    return this.find(threadId).episodes.map((episode) => ({ ...episode }));
  }

  async search(threadId: string, query: string, limit: number): Promise<SearchHit[]> {
    const thread = this.find(threadId);
    const words = wordsOf(query);
    const hits: SearchHit[] = [];
    for (const turn of thread.turns) {
      const score = words.filter((word) => turn.text.toLowerCase().includes(word)).length;
      if (score === 0) continue;
      const episode = thread.episodes.find(({ start, end }) => start <= turn.index && turn.index < end);
      hits.push({ turn: turn.index, episode: episode?.id ?? 0, excerpt: turn.text.slice(0, 200), score });
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async pinEpisode(threadId: string, episode: number, pinned: boolean): Promise<void> {
    this.changeEpisode(threadId, episode, { pinned });
  }

  async forgetEpisode(threadId: string, episode: number, forgotten: boolean): Promise<void> {
    this.changeEpisode(threadId, episode, { forgottenAt: forgotten ? Date.now() : undefined });
  }

  async importFiles(
    files: readonly File[],
    target: ImportTarget,
    signal?: AbortSignal,
  ): Promise<ImportOutcome> {
    for (let done = 0; done < 10; done++) {
      throwIfAborted(signal);
      this.emit({
        kind: 'import',
        file: files[0]?.name ?? '',
        progress: { done: done * 100, total: 1000, rate: 400 },
      });
      await pause(this.delay / 5);
    }
    const name = target.kind === 'one-thread' ? target.name : 'Imported';
    const thread =
      target.kind === 'append' ? this.find(target.threadId) : this.addThread(name, makeTurns(996), []);
    this.emit({ kind: 'threads' });
    return { report: PREVIEW_REPORT, threadIds: [thread.view.id] };
  }

  async exportThread(threadId: string): Promise<{ name: string; blob: Blob }> {
    return { name: 'thread.skein', blob: new Blob([JSON.stringify(this.find(threadId).turns)]) };
  }

  async exportEverything(): Promise<{ name: string; blob: Blob }> {
    return { name: 'everything.skein', blob: new Blob([JSON.stringify([...this.threads.values()])]) };
  }

  async eraseEverything(): Promise<void> {
    this.threads.clear();
    this.emit({ kind: 'threads' });
  }

  async storage(): Promise<StorageState> {
    return { usedBytes: 38_400_000, quotaBytes: 12_400_000_000, persisted: false };
  }

  async embedderChoices(): Promise<EmbedderChoice[]> {
    return PREVIEW_CHOICES;
  }

  async embedderState(): Promise<EmbedderState> {
    return this.embedder;
  }

  async chooseEmbedder(model: string): Promise<void> {
    const dimension = PREVIEW_CHOICES.find((choice) => choice.model === model)?.dimension ?? 384;
    this.embedder = { kind: 'ready', stamp: { model, dtype: 'int8', dimension }, backend: 'wasm' };
    this.emit({ kind: 'embedder', state: this.embedder });
  }

  async backendChoice(): Promise<BackendChoice> {
    return 'automatic';
  }

  async chooseBackend(): Promise<void> {}

  async reembedThread(threadId: string): Promise<void> {
    if (this.embedder.kind === 'ready') this.update(threadId, { stamp: this.embedder.stamp });
  }

  async takeOver(): Promise<void> {
    this.emit({ kind: 'tab', role: 'leader' });
  }

  /** For tests: what an engine sends by itself. */
  emit(event: EngineEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private addThread(
    name: string,
    { turns, starts }: { turns: Turn[]; starts: number[] },
    questions: string[],
  ): PreviewThread {
    const now = Date.now();
    const view: ThreadView = {
      id: `preview-${this.nextId++}`,
      name,
      createdAt: now,
      updatedAt: now,
      configuration: 'skein',
      turns: turns.length,
      ingested: turns.length,
      tokens: turns.length * 26,
      ingesting: false,
      stamp: { model: 'all-MiniLM-L6-v2', dtype: 'int8', dimension: 384 },
    };
    const thread: PreviewThread = { view, turns, episodes: [], asks: [], questions };
    thread.episodes = starts.map((start, id) =>
      this.episode(thread, id, start, starts[id + 1] ?? turns.length),
    );
    this.threads.set(view.id, thread);
    return thread;
  }

  private episode(thread: PreviewThread, id: number, start: number, end: number): EpisodeView {
    const turns = thread.turns.slice(start, end);
    const tokens = Math.round(turns.reduce((sum, { text }) => sum + estimateTokens(text), 0));
    const opening = turns[0]!.text.slice(0, 140);
    return { id, start, end, tokens, closed: true, opening, time: turns[0]!.time };
  }

  private recalled(thread: PreviewThread, question: string, until = thread.view.ingested): RecalledEpisode[] {
    const words = wordsOf(question);
    const seen = new Set<string>();
    return thread.episodes
      .filter(({ forgottenAt, end }) => forgottenAt === undefined && end <= until)
      .map((episode) => {
        const turns = thread.turns.slice(episode.start, episode.end);
        const matches = turns.map(({ text }) => words.filter((word) => text.toLowerCase().includes(word)));
        const terms = [...new Set(matches.flat())];
        const decisive = matches
          .map((found, place) => ({ turn: episode.start + place, count: found.length }))
          .filter(({ count }) => count > 0)
          .sort((a, b) => b.count - a.count)
          .slice(0, 2)
          .map(({ turn }) => turn);
        const score = terms.length / Math.max(1, words.length) + episode.start / thread.turns.length / 10;
        const parts = {
          'closest turn': 0.3 + 0.5 * score,
          episode: 0.2 + 0.4 * score,
          words: 3 * score,
          'character grams': 2.4 * score - 0.3,
        };
        return { episode: episode.id, start: episode.start, end: episode.end, score, parts, terms, decisive };
      })
      .sort((a, b) => b.score - a.score)
      .filter(({ start }) => {
        const text = thread.turns[start]!.text;
        return !seen.has(text) && seen.add(text);
      })
      .slice(0, 5);
  }

  private show(
    thread: PreviewThread,
    ask: AskRecord,
    answer: AnswerRecord,
    shown: number,
    text: string,
  ): void {
    const turn = thread.turns[answer.turn]!;
    const versions = answer.versions.map(({ text: other, ...version }, i) => {
      if (i === shown) return version;
      return { ...version, text: i === answer.shown ? turn.text : other! };
    });
    thread.turns[answer.turn] = { ...turn, text };
    this.putAsk(thread, { ...ask, answer: { ...answer, versions, shown } });
    this.emit({ kind: 'turns', threadId: thread.view.id, turns: thread.turns.length });
  }

  private putAsk(thread: PreviewThread, ask: AskRecord): void {
    thread.asks = thread.asks.map((old) => (old.id === ask.id ? ask : old));
    this.emit({ kind: 'asks', threadId: thread.view.id });
  }

  private changeEpisode(threadId: string, id: number, change: Partial<EpisodeView>): void {
    const thread = this.find(threadId);
    thread.episodes = thread.episodes.map((episode) =>
      episode.id === id ? { ...episode, ...change } : episode,
    );
    this.emit({ kind: 'episodes', threadId });
  }

  private emitIngest(threadId: string, paused: boolean): void {
    const { turns: total, ingested: done } = this.find(threadId).view;
    this.emit({
      kind: 'ingest',
      threadId,
      progress: { done, total, rate: 61, secondsLeft: (total - done) / 61 },
      paused,
    });
  }

  private update(threadId: string, change: Partial<ThreadView>): void {
    const thread = this.find(threadId);
    thread.view = { ...thread.view, ...change, updatedAt: Date.now() };
    this.emit({ kind: 'threads' });
  }

  private find(threadId: string): PreviewThread {
    const thread = this.threads.get(threadId);
    if (!thread)
      throw new SkeinError('not-found', 'There is no such thread.', 'Choose another one from the list.');
    return thread;
  }
}

/** The engine that `?preview=` asks for: empty, demo, reader, ingesting, or a number of turns. */
export function previewEngine(start: string): PreviewEngine {
  if (start === 'empty') return new PreviewEngine({ turns: 0 });
  if (start === 'reader') return new PreviewEngine({ turns: 1500, reader: true });
  if (start === 'ingesting') return new PreviewEngine({ turns: 9620, ingesting: true });
  return new PreviewEngine({ turns: Number(start) || 1500 });
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const wordsOf = (text: string): string[] => [
  ...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []),
];

const PREVIEW_REPORT: ImportOutcome['report'] = {
  files: { found: 1, imported: 1, skipped: 0, failed: 0 },
  formats: ['chatgpt'],
  conversations: { found: 43, imported: 41, skipped: 1, failed: 1 },
  messages: { found: 1024, imported: 996, skipped: 19, failed: 9 },
  problems: [
    {
      kind: 'skipped',
      place: 'conversations.json, "Untitled" (a41f)',
      reason: 'Hidden profile message',
      messages: 12,
    },
    {
      kind: 'skipped',
      place: 'conversations.json, "Holiday" (77c0)',
      reason: 'Only an attachment, no text',
      messages: 7,
    },
    {
      kind: 'failed',
      place: 'conversations.json, conversation 31',
      reason: 'The mapping has no root message',
      messages: 9,
    },
  ],
  problemsLeftOut: 0,
};

const PREVIEW_CHOICES: EmbedderChoice[] = [
  choice('all-MiniLM-L6-v2', 'MiniLM L6 v2', 384, 24_000_000, 'Apache-2.0', 'English', true),
  choice('bge-small-en-v1.5', 'BGE small', 384, 34_000_000, 'MIT', 'English', false),
  choice('bge-large-en-v1.5', 'BGE large', 1024, 337_000_000, 'MIT', 'English', false),
  choice(
    'multilingual-e5-small',
    'E5 small, multilingual',
    384,
    118_000_000,
    'MIT',
    'About 100 languages',
    false,
  ),
];

function choice(
  model: string,
  title: string,
  dimension: number,
  bytes: number,
  licence: string,
  languages: string,
  shipped: boolean,
): EmbedderChoice {
  return { model, title, dimension, bytes, licence, languages, shipped };
}
