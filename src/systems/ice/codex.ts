import { words } from '../../index/analyzers.ts';
import { STOP_WORDS } from '../stop-words.ts';
import { ICE } from './constants.ts';
import type { Assertion } from './extraction.ts';

/** A thing that turns speak of. */
interface Entity {
  readonly name: string;
  readonly aliases: Set<string>;
  /** What it is now, by relation; an earlier value is only in the log. */
  readonly properties: Map<string, Stated>;
}

interface Stated {
  readonly value: string;
  readonly turn: number;
  readonly confidence: number;
}

/** An edge holds from the turn that stated it until the one that expired it; it is never deleted. */
export interface CodexEdge {
  readonly id: number;
  readonly source: string;
  readonly relation: string;
  readonly target: string;
  readonly confidence: number;
  readonly validFrom: number;
  validUntil: number | undefined;
}

/** What happened to the graph, in order; times are turns. */
export type CodexEvent =
  | {
      readonly kind: 'property';
      readonly turn: number;
      readonly entity: string;
      readonly relation: string;
      readonly value: string;
      readonly confidence: number;
    }
  | { readonly kind: 'asserted'; readonly turn: number; readonly edge: number }
  | { readonly kind: 'expired'; readonly turn: number; readonly edge: number };

/** What the graph gives for a question. */
export interface CodexFact {
  readonly text: string;
  readonly turn: number;
  readonly depth: number;
  readonly confidence: number;
}

/** Events between two snapshots. */
const SNAPSHOT_EVENTS = 64;

/** A temporally versioned graph of entities and relations with an append-only log. Turns serve as its clock. */
export class Codex {
  readonly events: CodexEvent[] = [];
  readonly edges: CodexEdge[] = [];
  private readonly entities = new Map<string, Entity>();
  /** Open edges after so many events. */
  private readonly snapshots: { readonly events: number; readonly open: readonly number[] }[] = [];
  private readonly touching = new Map<string, number[]>();

  /** Takes what turn `turn` states. */
  assert(assertion: Assertion, turn: number): void {
    const replaced = assertion.replaces === undefined ? undefined : this.openEdgeTo(assertion.replaces);
    if (assertion.replaces !== undefined && !replaced) return;
    const source = this.entity(replaced?.source ?? assertion.source);
    const { relation, target, kind, confidence } = assertion;
    if (kind === 'property') {
      source.properties.set(relation, { value: target, turn, confidence });
      this.log({ kind: 'property', turn, entity: source.name, relation, value: target, confidence });
      return;
    }
    const own = replaced?.relation ?? relation;
    const open = this.edges.filter(
      (edge) => edge.source === source.name && edge.relation === own && edge.validUntil === undefined,
    );
    if (open.some((edge) => edge.target === target)) return;
    if (kind === 'single') {
      for (const edge of open) {
        edge.validUntil = turn;
        this.log({ kind: 'expired', turn, edge: edge.id });
      }
    }
    if (own === 'called') source.aliases.add(target);
    this.connect(source, own, target, confidence, turn);
  }

  /** Edges that held after turn `turn`, from the nearest snapshot and the log. */
  openAt(turn: number): CodexEdge[] {
    const at = this.events.findIndex((event) => event.turn > turn);
    const until = at < 0 ? this.events.length : at;
    const snapshot = this.snapshots.findLast(({ events }) => events <= until);
    const open = new Set(snapshot?.open);
    for (const event of this.events.slice(snapshot?.events ?? 0, until)) {
      if (event.kind === 'asserted') open.add(event.edge);
      if (event.kind === 'expired') open.delete(event.edge);
    }
    return [...open].sort((a, b) => a - b).map((id) => this.edges[id]!);
  }

  get size(): number {
    return this.entities.size;
  }

  /** Edges that a later one has taken the place of. */
  get superseded(): number {
    return this.edges.filter(({ validUntil }) => validUntil !== undefined).length;
  }

  /**
   * Breadth-first from the entities that the question names, over edges that hold (with `expired`, over all of them
   * and earlier property values): nearest first, then the surest, then the newest.
   */
  search(question: string, { expired = false }: { expired?: boolean } = {}): CodexFact[] {
    const facts: CodexFact[] = [];
    const seenEdges = new Set<number>();
    let level = this.named(question);
    const seen = new Set(level);
    for (let depth = 0; depth < ICE.codexDepth && level.length > 0; depth++) {
      const next: string[] = [];
      for (const name of level) {
        facts.push(...this.propertiesOf(name, depth, expired));
        for (const id of this.touching.get(name) ?? []) {
          const edge = this.edges[id]!;
          if (seenEdges.has(id) || (edge.validUntil !== undefined && !expired)) continue;
          seenEdges.add(id);
          facts.push(factOf(edge, depth));
          for (const other of [edge.source, edge.target]) {
            if (seen.has(other)) continue;
            seen.add(other);
            next.push(other);
          }
        }
      }
      level = next;
    }
    return facts.sort((a, b) => a.depth - b.depth || b.confidence - a.confidence || b.turn - a.turn);
  }

  /** Entities of which the question holds a telling word of the name or an alias; those with most first. */
  private named(question: string): string[] {
    const asked = new Set(
      words(question)
        .filter((word) => !STOP_WORDS.has(word))
        .map(stem),
    );
    const scored: { name: string; shared: number }[] = [];
    for (const { name, aliases } of this.entities.values()) {
      const own = new Set([name, ...aliases].flatMap((text) => words(text).map(stem)));
      const shared = [...own].filter((word) => asked.has(word)).length;
      if (shared > 0) scored.push({ name, shared });
    }
    return scored.sort((a, b) => b.shared - a.shared).map(({ name }) => name);
  }

  private propertiesOf(name: string, depth: number, expired: boolean): CodexFact[] {
    if (expired) {
      return this.events.flatMap((event) =>
        event.kind === 'property' && event.entity === name
          ? [propertyFact(name, event.relation, event, depth)]
          : [],
      );
    }
    const { properties } = this.entities.get(name)!;
    return [...properties].map(([relation, stated]) => propertyFact(name, relation, stated, depth));
  }

  private openEdgeTo(target: string): CodexEdge | undefined {
    const wanted = target.toLowerCase();
    return this.edges.findLast(
      (edge) => edge.validUntil === undefined && edge.target.toLowerCase() === wanted,
    );
  }

  private entity(name: string): Entity {
    let entity = this.entities.get(name);
    if (!entity) {
      entity = { name, aliases: new Set(), properties: new Map() };
      this.entities.set(name, entity);
    }
    return entity;
  }

  private connect(source: Entity, relation: string, target: string, confidence: number, turn: number): void {
    const id = this.edges.length;
    this.entity(target);
    this.edges.push({
      id,
      source: source.name,
      relation,
      target,
      confidence,
      validFrom: turn,
      validUntil: undefined,
    });
    for (const end of new Set([source.name, target])) {
      this.touching.set(end, [...(this.touching.get(end) ?? []), id]);
    }
    this.log({ kind: 'asserted', turn, edge: id });
  }

  private log(event: CodexEvent): void {
    this.events.push(event);
    if (this.events.length % SNAPSHOT_EVENTS > 0) return;
    const open = this.edges.filter(({ validUntil }) => validUntil === undefined).map(({ id }) => id);
    this.snapshots.push({ events: this.events.length, open });
  }
}

const PHRASES: Readonly<Record<string, string>> = {
  at: 'with or at',
  by: 'done by',
  is: 'is',
  when: 'when',
  amount: 'amount',
};

function factOf(
  { source, relation, target, confidence, validFrom, validUntil }: CodexEdge,
  depth: number,
): CodexFact {
  const past = validUntil === undefined ? '' : ' (no longer)';
  return {
    text: `${source}: ${PHRASES[relation] ?? relation} ${target}${past}`,
    turn: validFrom,
    depth,
    confidence,
  };
}

function propertyFact(
  name: string,
  relation: string,
  { value, turn, confidence }: Stated,
  depth: number,
): CodexFact {
  return { text: `${name}: ${PHRASES[relation] ?? relation} ${value}`, turn, depth, confidence };
}

function stem(word: string): string {
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
