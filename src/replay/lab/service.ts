import type { AnswerEngine } from '../../answer/answer-engine.ts';
import type { AnswerModel } from '../../answer/models.ts';
import { countLabelProblems } from '../../bench/histories.ts';
import { readHistories } from '../../bench/history-reader.ts';
import { runHistories, selectQuestions } from '../../bench/history-run.ts';
import { historyLedger, historyReport, historyTable } from '../../bench/history-tables.ts';
import { SkeinError } from '../../core/errors.ts';
import { type Progress, ProgressMeter } from '../../core/progress.ts';
import { estimateTokens } from '../../core/tokens.ts';
import type { Embedder } from '../../embed/embedder.ts';
import { findHistorySystem } from '../../systems/history-systems.ts';
import { ANSWER_TOKENS, type ProbeAnswering } from '../answering.ts';
import { findCondition } from '../conditions.ts';
import type { Corpus } from '../corpus.ts';
import { readCorpus } from '../corpus-reader.ts';
import { ledger } from '../report.ts';
import { replay } from '../runner.ts';
import type {
  CorpusSource,
  CorpusSummary,
  HistoriesRequest,
  HistoriesResult,
  HistoriesSummary,
  ReplayApi,
  ReplayRequest,
} from './contract.ts';

/** Tokens that a prompt may have, as headless. */
export const DEFAULT_WINDOW = 32_000;

/** Chooses questions, as headless. */
const SEED = 1;

export interface ReplayPorts {
  /** Text of the bundled corpus. */
  readExample(): Promise<string>;
  openEmbedder(signal?: AbortSignal): Promise<Embedder>;
  /** An engine with the model loaded. */
  openAnswerEngine(model: AnswerModel, key: string | undefined, signal?: AbortSignal): Promise<AnswerEngine>;
  /** Version of this program, for the record. */
  readonly engine: string;
}

/** What the replay worker exposes. */
export class ReplayService implements ReplayApi {
  constructor(private readonly ports: ReplayPorts) {}

  async describe(source: CorpusSource): Promise<CorpusSummary> {
    const { name, histories } = await this.read(source);
    return {
      name,
      histories: histories.map(({ id, title, turns, checkpoints, probes }) => ({
        id,
        title,
        turns: turns.length,
        tokens: turns.reduce((sum, { text }) => sum + estimateTokens(text), 0),
        checkpoints: checkpoints.length,
        probes: probes.length,
      })),
    };
  }

  async run(
    { source, histories, conditions, queryEffects, answer }: ReplayRequest,
    onProgress: (progress: Progress, place: string) => void,
    signal?: AbortSignal,
  ): Promise<string> {
    if (histories.length === 0 || conditions.length === 0) {
      throw new SkeinError('bad-argument', 'Nothing is chosen.', 'Choose a history and a condition.');
    }
    const corpus = await this.read(source);
    const chosen = { ...corpus, histories: corpus.histories.filter(({ id }) => histories.includes(id)) };
    const engine = answer && (await this.ports.openAnswerEngine(answer.model, answer.key, signal));
    try {
      const result = await replay(chosen, {
        conditions: conditions.map(findCondition),
        embedder: await this.ports.openEmbedder(signal),
        queryEffects,
        window: windowOf(engine),
        answering: engine && answeringBy(engine),
        engine: this.ports.engine,
        signal,
        onProgress,
      });
      return ledger(result);
    } finally {
      await engine?.unload().catch(() => {});
    }
  }

  async describeHistories(file: File): Promise<HistoriesSummary> {
    const { name, histories, problems } = readHistories(await file.text(), file.name);
    const questions = histories.reduce((sum, history) => sum + history.questions.length, 0);
    return { name, histories: histories.length, questions, problems: countLabelProblems(problems) };
  }

  async runHistories(
    { file, systems, boundaries, questions }: HistoriesRequest,
    onProgress: (progress: Progress, place: string) => void,
    signal?: AbortSignal,
  ): Promise<HistoriesResult> {
    const set = selectQuestions(readHistories(await file.text(), file.name), questions, SEED);
    let meter: ProgressMeter | undefined;
    const lines = await runHistories(set, {
      systems: systems.map(findHistorySystem),
      boundaries,
      embedder: await this.ports.openEmbedder(signal),
      signal,
      onProgress: (done, total, place) => {
        meter ??= new ProgressMeter(total);
        onProgress(meter.at(done), place);
      },
    });
    return { table: historyTable(lines), report: historyReport(set, lines), ledger: historyLedger(lines) };
  }

  private async read(source: CorpusSource): Promise<Corpus> {
    if (source.kind === 'file') return readCorpus(await source.file.text(), source.file.name);
    return readCorpus(await this.ports.readExample(), 'example');
  }
}

/** Tokens that a prompt may have: as headless, or what the model's window leaves. */
function windowOf(engine: AnswerEngine | undefined): number {
  const window = engine?.loaded?.contextWindow;
  return window === undefined ? DEFAULT_WINDOW : Math.min(DEFAULT_WINDOW, window - ANSWER_TOKENS);
}

function answeringBy(engine: AnswerEngine): ProbeAnswering {
  const { model, backend } = engine.loaded!;
  return { engine, name: `${model.title} (${model.engine}, ${backend}), temperature 0` };
}
