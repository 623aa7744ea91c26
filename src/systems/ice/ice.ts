import type { ChatMessage } from '../../answer/answer-engine.ts';
import { DenseList } from '../dense.ts';
import type { LongitudinalMemory, MaintenanceStep } from '../longitudinal.ts';
import { contextOf, type Span, spanText, toUnit } from '../retrieval.ts';
import { extractiveSummariser, type Summariser } from '../summariser.ts';
import { LISTED_UNITS, type Retrieval, type RetrievedUnit, type SystemPorts } from '../system.ts';
import { ThreadSystem } from '../thread-system.ts';
import { BatchSummaries } from './batches.ts';
import { Codex } from './codex.ts';
import { DecayClock, type DecaySnapshot } from './decay.ts';
import { DocumentStore } from './documents.ts';
import { EpisodicStore } from './episodic-store.ts';
import { patternExtractor, type RelationExtractor } from './extraction.ts';
import type { Stores } from './legs.ts';
import { makePlan, type Plan, type PlanGround } from './plan.ts';
import { ProceduralStore } from './procedural.ts';
import { icePrompt } from './prompt.ts';
import { SlotStore } from './slots.ts';
import type { Mechanism, Off } from './switches.ts';
import { IceTrace } from './trace.ts';

export interface IceOptions {
  /** Mechanisms that are left out. */
  readonly off?: readonly Mechanism[];
  /** Counts what each mechanism does; every question then costs a plan for each mechanism. */
  readonly traced?: boolean;
  /** Left out: sentence patterns. */
  readonly extractor?: RelationExtractor;
  /** Left out: extractive. */
  readonly summariser?: Summariser;
}

/** The reinforcement and the creative floor, on or off. */
const CLOCKS = [
  { reinforcement: true, creativeFloor: true },
  { reinforcement: false, creativeFloor: true },
  { reinforcement: true, creativeFloor: false },
  { reinforcement: false, creativeFloor: false },
];

/**
 * ICE v2: typed stores filled without a language model, six retrieval legs behind a rule classifier, weighted rank
 * fusion, curation and a budget that grows with the conversation. Conversations are told apart by the turns'
 * `source`. Time passes only through `advance`, and being asked counts only through `applyQuery`.
 */
export class Ice extends ThreadSystem implements LongitudinalMemory {
  /** Present when it is traced. */
  readonly activity: LongitudinalMemory['activity'];
  private readonly stores: Stores;
  private readonly slots = new SlotStore();
  private readonly clocks = CLOCKS.map((options) => new DecayClock(options));
  private readonly conversationTurns = new Map<string | undefined, number>();
  private readonly extractor: RelationExtractor;
  private readonly off: Off;
  private readonly trace: IceTrace | undefined;
  /** Plans of the retrievals that were given out. */
  private readonly plans = new WeakMap<Retrieval, Plan>();
  /** Turns before this one are counted, and their relations are in the codex. */
  private counted = 0;
  private extracted = 0;

  constructor(ports: SystemPorts, options: IceOptions = {}) {
    super(ports);
    const {
      off = [],
      traced = false,
      extractor = patternExtractor,
      summariser = extractiveSummariser,
    } = options;
    this.off = new Set(off);
    this.extractor = extractor;
    this.trace = traced ? new IceTrace(this.off) : undefined;
    this.activity = this.trace && (() => this.trace!.activity());
    this.stores = {
      thread: this.thread,
      episodic: new EpisodicStore(ports.embedder, summariser),
      codex: new Codex(),
      procedural: new ProceduralStore(),
      patternVectors: new DenseList(ports.embedder),
      documents: new DocumentStore(),
      chunkVectors: new DenseList(ports.embedder),
      batches: new BatchSummaries(summariser),
      batchVectors: new DenseList(ports.embedder),
    };
  }

  index(): RetrievedUnit[] {
    return this.stores.episodic.pairs.all.map(({ start, end }) => toUnit({ span: { start, end }, score: 0 }));
  }

  async advance(days: number): Promise<readonly MaintenanceStep[]> {
    if (this.off.has('decay')) return [];
    const { all } = this.stores.episodic.pairs;
    const [aged] = this.clocks.map((clock) => clock.advance(all, days));
    return [
      { mechanism: 'decay', changed: aged!.faded },
      { mechanism: 'creative-floor', changed: aged!.held },
      { mechanism: 'archive', changed: aged!.archived },
      { mechanism: 'cold', changed: aged!.cold },
    ];
  }

  /** Every pair that stands in the prompt is accessed once more. */
  async applyQuery(_question: string, retrieval: Retrieval): Promise<void> {
    const plan = this.plans.get(retrieval);
    const pairs = new Set(
      plan?.chosen.flatMap(({ fragment: { pair } }) => (pair === undefined ? [] : [pair])),
    );
    for (const clock of this.clocks) clock.reinforce(pairs);
  }

  snapshot(): readonly DecaySnapshot[] {
    return this.clocks.map((clock) => clock.snapshot());
  }

  restore(snapshot: unknown): void {
    for (const [i, own] of (snapshot as readonly DecaySnapshot[]).entries()) this.clocks[i]!.restore(own);
  }

  prompt(question: string, retrieval: Retrieval): readonly ChatMessage[] {
    const plan = this.plans.get(retrieval);
    const { recent } = plan ?? {};
    const turns = recent ? Array.from({ length: recent.end - recent.start }, (_, i) => recent.start + i) : [];
    const retrieved = contextOf(plan?.chosen.map(({ fragment }) => fragment.span) ?? []);
    return icePrompt({
      slots: plan?.slots ?? '',
      recent: turns.map((turn) => this.thread.at(turn)),
      retrieved: retrieved.map((part) => (part.kind === 'text' ? part.text : this.dated(part))),
      question,
    });
  }

  protected async catchUp(signal?: AbortSignal): Promise<void> {
    const { thread, stores } = this;
    const { episodic, batches, documents, procedural } = stores;
    for (; this.counted < thread.size; this.counted++) {
      const { source } = thread.at(this.counted);
      this.conversationTurns.set(source, (this.conversationTurns.get(source) ?? 0) + 1);
    }
    for (; this.extracted < thread.size; this.extracted++) await this.extract(this.extracted, signal);
    documents.extend(thread);
    procedural.extend(thread);
    this.slots.extend(thread);
    await episodic.extend(thread);
    await batches.extend(episodic.pairs.all, episodic.pairs.closed, (pair) =>
      episodic.shownText(thread, pair),
    );
    await episodic.embed(thread, signal);
    await stores.chunkVectors.catchUp(documents.chunks.length, (i) => documents.chunks[i]!.text, signal);
    await stores.patternVectors.catchUp(
      procedural.patterns.length,
      (i) => procedural.patterns[i]!.trigger,
      signal,
    );
    await stores.batchVectors.catchUp(batches.batches.length, (i) => batches.batches[i]!.text, signal);
  }

  protected async search(question: string, signal?: AbortSignal): Promise<Retrieval> {
    const vector = await this.embedQuestion(question, signal);
    const ground = this.ground();
    const plan = makePlan(ground, question, vector, this.off, (leg, error) => {
      // Only where a ledger tells of it may an answer come from the other legs alone.
      if (!this.trace) throw error;
      this.trace.legFailed(leg, error);
    });
    this.trace?.note(ground, question, vector, plan);
    const { ranked, chosen, slots, recent } = plan;
    const spans: Span[] = chosen.map(({ fragment }) => fragment.span);
    if (recent) spans.push(recent);
    const context = contextOf(spans);
    const retrieval: Retrieval = {
      units: ranked
        .slice(0, LISTED_UNITS)
        .map(({ fragment, score, parts }) => toUnit({ span: fragment.span, score, parts })),
      context: slots === '' ? context : [{ kind: 'text', text: slots }, ...context],
    };
    this.plans.set(retrieval, plan);
    return retrieval;
  }

  private async extract(turn: number, signal?: AbortSignal): Promise<void> {
    const { role, text } = this.thread.at(turn);
    if (role !== 'user') return;
    for (const assertion of await this.extractor.extract(text, signal))
      this.stores.codex.assert(assertion, turn);
  }

  private ground(): PlanGround {
    const { thread } = this;
    const clockOf = (off: Off) => {
      const at = CLOCKS.findIndex(
        ({ reinforcement, creativeFloor }) =>
          reinforcement !== off.has('reinforcement') && creativeFloor !== off.has('creative-floor'),
      );
      return this.clocks[at]!;
    };
    return {
      stores: this.stores,
      slots: this.slots,
      clockOf,
      conversationTurns: this.conversationTurns.get(thread.at(thread.size - 1).source)!,
    };
  }

  /** Turns with the day on which they were said, where that is known. */
  private dated({ start, end }: { start: number; end: number }): string {
    const { time } = this.thread.at(start);
    const date = time === undefined ? '' : `[${new Date(time).toISOString().slice(0, 10)}] `;
    return `${date}${spanText(this.thread, { start, end })}`;
  }
}
