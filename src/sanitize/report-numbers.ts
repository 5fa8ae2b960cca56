/** Findings of numbers that went wrong. */
import { note, phrase } from "../diagnostics/diagnostic.ts";
import { layoutOf } from "../layout/layout.ts";
import { BufferView, type ViewValue } from "../layout/view.ts";
import { type ScalarType, typeName } from "../types/type.ts";
import { accessOf, type DispatchScope, draft, invocationText, resourceOf, valueText } from "./draft.ts";
import type { Finding } from "./finding.ts";
import type { NumericFound } from "./numbers.ts";

export function numericFinding(scope: DispatchScope, found: NumericFound): Finding {
  const { site, birth, reached, count } = found;
  const invocation = invocationText(scope, birth);
  const value = valueText(scalarOf(birth.bits, site.type));
  switch (site.kind) {
    case "division-by-zero":
      return draft(scope, site.kind, site.span, { value, invocation }, { count });
    case "shift-width":
      return draft(scope, site.kind, site.span, { value, invocation, width: 32 }, { count });
    case "conversion-saturates": {
      // spec: #floating-point-conversion
      const result = phrase(value === "NaN" ? "indeterminate-value" : "nearest-value");
      return draft(scope, site.kind, site.span, { value, invocation, type: typeName(site.to), result }, { count });
    }
    case "index-overflow":
      return draft(scope, site.kind, site.span, { value, invocation, type: typeName(site.to) }, { count });
    case "nan-origin": {
      const resource = reached === null ? null : resourceOf(scope, reached);
      const accesses = reached === null ? [] : [accessOf(scope, reached)];
      const notes = reached === null ? [] : [note("stored-here", reached.site.span, {})];
      const args = { value, invocation, path: resource?.path ?? "" };
      return draft(scope, site.kind, site.span, args, { resource, accesses, notes, count });
    }
    default:
      return site.kind satisfies never;
  }
}

function scalarOf(bits: number, type: ScalarType): ViewValue {
  return new BufferView(new Uint8Array(new Int32Array([bits]).buffer), layoutOf(type)).read();
}
