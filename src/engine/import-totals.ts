import type { ImportCount, ImportReport } from '../import/contract.ts';

/** The account of several imports as one. */
export function addReports(reports: readonly ImportReport[]): ImportReport {
  return {
    files: addCounts(reports.map((r) => r.files)),
    formats: [...new Set(reports.flatMap((r) => r.formats))],
    conversations: addCounts(reports.map((r) => r.conversations)),
    messages: addCounts(reports.map((r) => r.messages)),
    problems: reports.flatMap((r) => r.problems),
    problemsLeftOut: reports.reduce((sum, r) => sum + r.problemsLeftOut, 0),
  };
}

function addCounts(counts: readonly ImportCount[]): ImportCount {
  const sum = (of: keyof ImportCount) => counts.reduce((total, count) => total + count[of], 0);
  return { found: sum('found'), imported: sum('imported'), skipped: sum('skipped'), failed: sum('failed') };
}
