import "./catalogue-beyond.ts";
import { expect, test } from "vitest";
import { diagnostic } from "./diagnostic.ts";
import { applyFilters, type DiagnosticFilter, filteredSeverity, isKnownRule } from "./filter.ts";

const RULE = "derivative_uniformity";

function filter(start: number, end: number, severity: DiagnosticFilter["severity"], rule = RULE): DiagnosticFilter {
  return { range: { start, end }, severity, rule };
}

test("the smallest range that holds the place decides", () => {
  const filters = [filter(0, 100, "off"), filter(10, 20, "info"), filter(12, 15, "warning")];
  expect([5, 11, 13, 20].map((offset) => filteredSeverity(filters, RULE, offset, "error"))).toEqual([
    "off",
    "info",
    "warning",
    "off",
  ]);
});

test("a filter reaches its own rule only", () => {
  expect(filteredSeverity([filter(0, 9, "off", "subgroup_uniformity")], RULE, 5, "error")).toBe("error");
});

test("ordinary errors cannot be filtered, warnings and findings can", () => {
  const span = { start: 3, end: 4 };
  const error = diagnostic("unresolved-identifier", span, { name: "a" });
  const warning = diagnostic("unknown-diagnostic-rule", span, { rule: "a" });
  const filters = [
    filter(0, 9, "off", "halay.unresolved_identifier"),
    filter(0, 9, "off", "halay.unknown_diagnostic_rule"),
  ];
  expect(applyFilters([error, warning], filters)).toEqual([error]);
});

test("rules of other makers are left to them, ours are known", () => {
  const rules = [RULE, "chromium.unreachable_code", "halay.layout_mismatch", "halay.nonsense", "nonsense"];
  expect(rules.map(isKnownRule)).toEqual([true, true, true, false, false]);
});
