import type { AnswerModel } from '../../answer/models.ts';
import type { Arrangement } from '../../bench/arrange.ts';
import type { AnswerWay } from '../../bench/engine-answerer.ts';
import type { QueryMode } from '../../bench/exchange.ts';
import type {
  BuildPlan,
  BuildSummary,
  LabApi,
  LabFile,
  PackageRequest,
  PackageSource,
  PoolSummary,
  RunPlan,
} from '../../bench/lab/contract.ts';
import { type SkeinError, toSkeinError } from '../../core/errors.ts';
import { SHIPPED_MODEL } from '../../embed/registry.ts';

/** A pool that the site ships. */
export interface BundledPool {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

export const BUNDLED_POOLS: readonly BundledPool[] = [
  {
    name: 'scaleqa-dev',
    title: 'SCALE-QA development pool',
    summary: '300 conversations in ten topics, each with one question, four options and its evidence.',
  },
  {
    name: 'worlds-dev',
    title: 'Worlds',
    summary: '14 people over months; 140 questions whose evidence may span several conversations.',
  },
];

/** Distractors that the site ships. */
export const BUNDLED_NOISE = 'noise-chats';

/** Lengths offered, in tokens; undefined is everything in one thread. */
export const LENGTHS: readonly (number | undefined)[] = [
  16_000,
  32_000,
  64_000,
  128_000,
  256_000,
  512_000,
  1_000_000,
  undefined,
];

/** What the form holds. */
export interface SetupChoices {
  readonly source: PackageSource | undefined;
  readonly bundledNoise: boolean;
  readonly noiseFiles: readonly File[];
  readonly target: number | undefined;
  readonly arrangement: Arrangement;
  readonly masked: boolean;
  readonly seed: number;
  /** Questions asked; undefined: all. */
  readonly count: number | undefined;
  /** Undefined: all. */
  readonly topics: readonly string[] | undefined;
  readonly systems: readonly string[];
  readonly modes: readonly QueryMode[];
  readonly writeBack: boolean;
  readonly model: string;
  /** Undefined: retrieval only. */
  readonly answerModel: AnswerModel | undefined;
  readonly answerWay: AnswerWay;
  /** Most tokens of a prompt; undefined: the model's window. */
  readonly contextTokens: number | undefined;
  readonly buildsSystems: boolean;
}

const START: SetupChoices = {
  source: { kind: 'bundled', pool: 'scaleqa-dev' },
  bundledNoise: true,
  noiseFiles: [],
  target: 32_000,
  arrangement: 'blocks',
  masked: false,
  seed: 1,
  count: 50,
  topics: undefined,
  systems: ['bm25-256', 'tsim', 'tsim-fitted', 'skein'],
  modes: ['query', 'query+options'],
  writeBack: false,
  model: SHIPPED_MODEL,
  answerModel: undefined,
  answerWay: 'written',
  contextTokens: undefined,
  buildsSystems: false,
};

/** Settings follow one another quickly while a person types; the package is built when they pause. */
const BUILD_AFTER = 250;

/**
 * The form of the next run, and what its choices come to: the package as it was read and the threads as they would
 * be built. It outlives the view.
 */
export class Setup {
  choices = START;
  pool: PoolSummary | undefined;
  built: BuildSummary | undefined;
  /** Why the package could not be read or built. */
  problem: SkeinError | undefined;
  busy: 'reading' | 'building' | undefined;
  private round = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: LabApi,
    private readonly onChange: () => void,
  ) {}

  /** Reads and builds what is chosen, unless that is done. */
  begin(): void {
    if (!this.pool && !this.busy && !this.problem) this.read();
  }

  /** Takes choices; what they lead to is read and built anew. */
  choose(change: Partial<SetupChoices>): void {
    this.choices = { ...this.choices, ...change };
    if ('source' in change || 'bundledNoise' in change || 'noiseFiles' in change) this.read();
    else if (Object.keys(change).some((name) => BUILT_FROM.has(name as keyof SetupChoices))) this.rebuild();
    else this.onChange();
  }

  /** A package of the person's own files: a folder, a ZIP, or JSON Lines. */
  chooseFiles(files: readonly LabFile[]): void {
    const [first] = files;
    if (!first) return;
    const [folder = first.path] = first.path.split('/');
    this.choose({ source: { kind: 'files', name: folder, files }, topics: undefined });
  }

  get request(): PackageRequest | undefined {
    const { source, bundledNoise, noiseFiles } = this.choices;
    return source && { source, bundledNoise: bundledNoise ? [BUNDLED_NOISE] : [], noiseFiles };
  }

  get build(): BuildPlan {
    const { target, arrangement, masked, seed, count, topics } = this.choices;
    const all = count === undefined && topics === undefined;
    const selection = all
      ? undefined
      : { ...(count !== undefined && { count }), ...(topics && { topics }), seed };
    return { target, arrangement, masked, seed, selection };
  }

  get plan(): RunPlan {
    const { systems, modes, writeBack, model, answerModel, answerWay, contextTokens, buildsSystems } =
      this.choices;
    return {
      systems,
      modes,
      writeBack,
      model,
      ...(answerModel && { answer: { model: answerModel, way: answerWay, contextTokens, buildsSystems } }),
    };
  }

  /** Why the run can't start yet; undefined when it can. */
  get obstacle(): string | undefined {
    const { source, systems, modes } = this.choices;
    if (!source) return 'Choose a package.';
    if (this.problem) return 'The package could not be prepared.';
    if (systems.length === 0) return 'Choose at least one system.';
    if (modes.length === 0) return 'Choose how questions are asked.';
    return this.built && !this.busy ? undefined : 'The package is being prepared.';
  }

  private read(): void {
    this.pool = undefined;
    this.prepare('reading', 0);
  }

  private rebuild(): void {
    this.prepare(this.pool ? 'building' : 'reading', BUILD_AFTER);
  }

  private prepare(busy: 'reading' | 'building', after: number): void {
    clearTimeout(this.timer);
    const round = ++this.round;
    this.built = undefined;
    this.problem = undefined;
    this.busy = this.request && busy;
    this.onChange();
    if (this.request) this.timer = setTimeout(() => void this.work(round, this.request!), after);
  }

  private async work(round: number, request: PackageRequest): Promise<void> {
    const late = () => round !== this.round;
    try {
      const pool = this.pool ?? (await this.api.readPackage(request));
      if (late()) return;
      this.pool = pool;
      this.onChange();
      const built = await this.api.buildPackage(request, this.build);
      if (late()) return;
      this.built = built;
    } catch (error) {
      if (late()) return;
      this.problem = toSkeinError(error);
    }
    this.busy = undefined;
    this.onChange();
  }
}

const BUILT_FROM: ReadonlySet<keyof SetupChoices> = new Set([
  'target',
  'arrangement',
  'masked',
  'seed',
  'count',
  'topics',
]);
