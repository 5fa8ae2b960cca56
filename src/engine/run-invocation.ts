/**
 * The interpreter's inner loop. Case labels are the numbers of `OPCODES` written out, because V8 makes a jump table of
 * literals only; `run-invocation.test.ts` compares the comments behind them with that list.
 */
import { f16FromBits, f16ToBits } from "../numeric/float16.ts";
import type { Execution } from "./execution.ts";
import type { Shape } from "./flat.ts";
import { SCALAR_FUNCTIONS } from "./scalar-functions.ts";
import type { Workgroup } from "./workgroup.ts";

/**
 * Why an invocation stopped: its fuel (instructions) ran out; it stands before a shared access that it may not make in
 * this turn; it waits at a barrier or at a subgroup operation; it ended.
 */
export type Stop = "fuel" | "turn" | "barrier" | "subgroup" | "end";

/** Runs one invocation until it stops, at most `execution.fuel` instructions and `execution.accesses` shared accesses. */
export function runInvocation(execution: Execution, workgroup: Workgroup, local: number): Stop {
  const { program, oob, probe, sizes } = execution;
  const { code, shapes, slotLists, switches } = program;
  const { memory, views } = workgroup;
  const [i32, u32, f32] = views;
  const base = local * workgroup.frameSize;
  const redirectReads = oob !== "zero";
  const redirectWrites = oob === "clamp";
  let { fuel, accesses } = execution;
  let pc = workgroup.positions[local];
  let stop: Stop = "fuel";

  run: while (fuel > 0) {
    fuel--;
    switch (code[pc]) {
      case 0: // end
        stop = "end";
        break run;
      case 1: // jump
        pc = code[pc + 1];
        break;
      case 2: // jump-if-zero
        pc = i32[base + code[pc + 1]] === 0 ? code[pc + 2] : pc + 3;
        break;
      case 3: // jump-if-not-zero
        pc = i32[base + code[pc + 1]] !== 0 ? code[pc + 2] : pc + 3;
        break;
      case 4: {
        // switch
        const { targets, otherwise } = switches[code[pc + 2]];
        pc = targets.get(i32[base + code[pc + 1]]) ?? otherwise;
        break;
      }
      case 5: // call
        i32[base + code[pc + 1]] = pc + 3;
        pc = code[pc + 2];
        break;
      case 6: // return
        pc = i32[base + code[pc + 1]];
        break;
      case 7: // turn
        if (accesses === 0) {
          fuel++; // it counts when it is passed
          stop = "turn";
          break run;
        }
        accesses--;
        pc += 1;
        break;
      case 8: // barrier
        pc += 2;
        stop = "barrier";
        break run;
      case 9: // subgroup
        pc += 2;
        stop = "subgroup";
        break run;

      case 10: // move
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]];
        pc += 3;
        break;
      case 11: {
        // copy
        const from = base + code[pc + 2];
        i32.copyWithin(base + code[pc + 1], from, from + code[pc + 3]);
        pc += 4;
        break;
      }
      case 12: {
        // fill
        const d = base + code[pc + 1];
        i32.fill(i32[base + code[pc + 2]], d, d + code[pc + 3]);
        pc += 4;
        break;
      }
      case 13: // select
        i32[base + code[pc + 1]] = i32[base + (i32[base + code[pc + 2]] !== 0 ? code[pc + 3] : code[pc + 4])];
        pc += 5;
        break;
      case 14: {
        // extract
        const d = base + code[pc + 1];
        const index = u32[base + code[pc + 2]];
        const count = code[pc + 5];
        const from = base + code[pc + 3] + index * count;
        if (index < code[pc + 4]) for (let k = 0; k < count; k++) i32[d + k] = i32[from + k];
        else {
          for (let k = 0; k < count; k++) i32[d + k] = 0;
          if (probe !== null) probe.extract(workgroup, local, pc);
        }
        pc += 7;
        break;
      }

      case 15: // add-i32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] + i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 16: // subtract-i32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] - i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 17: // multiply-i32
        i32[base + code[pc + 1]] = Math.imul(i32[base + code[pc + 2]], i32[base + code[pc + 3]]);
        pc += 4;
        break;
      case 18: // and
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] & i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 19: // or
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] | i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 20: // xor
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] ^ i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 21: // shift-left
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] << i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 22: // shift-right-i32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] >> i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 23: // shift-right-u32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] >>> i32[base + code[pc + 3]];
        pc += 4;
        break;
      case 24: // equal
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] === i32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 25: // not-equal
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] !== i32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 26: // less-i32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] < i32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 27: // less-equal-i32
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] <= i32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 28: // less-u32
        i32[base + code[pc + 1]] = u32[base + code[pc + 2]] < u32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 29: // less-equal-u32
        i32[base + code[pc + 1]] = u32[base + code[pc + 2]] <= u32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 30: // not-bool
        i32[base + code[pc + 1]] = i32[base + code[pc + 2]] ^ 1;
        pc += 3;
        break;

      case 31: // add-f32
        f32[base + code[pc + 1]] = f32[base + code[pc + 2]] + f32[base + code[pc + 3]];
        pc += 4;
        break;
      case 32: // subtract-f32
        f32[base + code[pc + 1]] = f32[base + code[pc + 2]] - f32[base + code[pc + 3]];
        pc += 4;
        break;
      case 33: // multiply-f32
        f32[base + code[pc + 1]] = f32[base + code[pc + 2]] * f32[base + code[pc + 3]];
        pc += 4;
        break;
      case 34: // divide-f32
        f32[base + code[pc + 1]] = f32[base + code[pc + 2]] / f32[base + code[pc + 3]];
        pc += 4;
        break;
      case 35: // equal-f32
        i32[base + code[pc + 1]] = f32[base + code[pc + 2]] === f32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 36: // not-equal-f32
        i32[base + code[pc + 1]] = f32[base + code[pc + 2]] !== f32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 37: // less-f32
        i32[base + code[pc + 1]] = f32[base + code[pc + 2]] < f32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 38: // less-equal-f32
        i32[base + code[pc + 1]] = f32[base + code[pc + 2]] <= f32[base + code[pc + 3]] ? 1 : 0;
        pc += 4;
        break;
      case 39: // scalar
        SCALAR_FUNCTIONS[code[pc + 1]](
          views,
          base + code[pc + 2],
          base + code[pc + 3],
          base + code[pc + 4],
          base + code[pc + 5],
          base + code[pc + 6],
        );
        pc += 7;
        break;

      case 40: {
        // access
        let index = u32[base + code[pc + 4]];
        const count = u32[base + code[pc + 5]];
        let fault = i32[base + code[pc + 3]];
        if (index >= count) {
          index = count === 0 ? 0 : count - 1;
          if (fault === 0) fault = pc;
        }
        const d = base + code[pc + 1];
        i32[d] = i32[base + code[pc + 2]] + Math.imul(index, code[pc + 6]);
        i32[d + 1] = fault;
        pc += 8;
        break;
      }
      case 41: {
        // load-frame
        const fault = i32[base + code[pc + 2]];
        const from = base + i32[base + code[pc + 1]] + code[pc + 3];
        const d = base + code[pc + 4];
        const count = code[pc + 5];
        if (fault !== 0 && probe !== null) probe.frame(workgroup, local, pc, fault);
        if (fault === 0 || redirectReads) for (let k = 0; k < count; k++) i32[d + k] = i32[from + k];
        else for (let k = 0; k < count; k++) i32[d + k] = 0;
        pc += 6;
        break;
      }
      case 42: {
        // store-frame
        const fault = i32[base + code[pc + 2]];
        const d = base + i32[base + code[pc + 1]] + code[pc + 3];
        const slots = slotLists[code[pc + 4]];
        if (fault !== 0 && probe !== null) probe.frame(workgroup, local, pc, fault);
        if (fault === 0 || redirectWrites) for (let k = 0; k < slots.length; k++) i32[d + k] = i32[base + slots[k]];
        pc += 5;
        break;
      }

      default: {
        // Memory that others see: all these begin with root, address, fault, offset, extent.
        const root = code[pc + 1];
        const offset = i32[base + code[pc + 2]] + code[pc + 4];
        const fault = i32[base + code[pc + 3]];
        const fits = offset + code[pc + 5] <= sizes[root];
        const reads = fits && (fault === 0 || redirectReads);
        const writes = fits && (fault === 0 || redirectWrites);
        const view = memory[root];
        if (probe !== null) probe.enter(workgroup, local, pc, fits, fault);
        switch (code[pc]) {
          case 43: // load-word
            i32[base + code[pc + 6]] = reads ? view.getInt32(offset, true) : 0;
            pc += 7;
            break;
          case 44: // load
            loadShape(i32, f32, base + code[pc + 6], shapes[code[pc + 7]], reads ? view : null, offset);
            pc += 8;
            break;
          case 45: // store-word
            if (writes) view.setInt32(offset, i32[base + code[pc + 6]], true);
            pc += 7;
            break;
          case 46: // store
            if (writes) storeShape(i32, f32, base, slotLists[code[pc + 6]], shapes[code[pc + 7]], view, offset);
            pc += 8;
            break;
          case 47: {
            // atomic
            const operation = code[pc + 7];
            const old = (operation === 0 ? reads : writes) ? view.getInt32(offset, true) : 0;
            const operand = i32[base + code[pc + 8]];
            i32[base + code[pc + 6]] = old;
            if (operation !== 0 && writes) view.setInt32(offset, atomicResult(operation, old, operand), true);
            pc += 9;
            break;
          }
          case 48: {
            // compare-exchange
            const old = writes ? view.getInt32(offset, true) : 0;
            const exchanged = writes && old === i32[base + code[pc + 7]] && !execution.failsSpuriously();
            if (exchanged) view.setInt32(offset, i32[base + code[pc + 8]], true);
            i32[base + code[pc + 6]] = old;
            i32[base + code[pc + 6] + 1] = exchanged ? 1 : 0;
            pc += 9;
            break;
          }
          default:
            throw new Error(`internal: opcode ${code[pc]} at ${pc}`);
        }
        if (probe !== null) probe.leave();
      }
    }
  }
  execution.fuel = fuel;
  execution.accesses = accesses;
  workgroup.positions[local] = pc;
  return stop;
}

/** What an atomic read-modify-write function leaves in memory; numbers as in `ATOMICS`. spec: #atomic-rmw */
function atomicResult(operation: number, old: number, operand: number): number {
  switch (operation) {
    case 2: // add
      return old + operand;
    case 3: // sub
      return old - operand;
    case 4: // and
      return old & operand;
    case 5: // or
      return old | operand;
    case 6: // xor
      return old ^ operand;
    case 8: // max-i32
      return Math.max(old, operand);
    case 9: // max-u32
      return Math.max(old >>> 0, operand >>> 0);
    case 10: // min-i32
      return Math.min(old, operand);
    case 11: // min-u32
      return Math.min(old >>> 0, operand >>> 0);
    default: // store, exchange
      return operand;
  }
}

/** Loads a composite scalar by scalar into consecutive slots; zeros where `view` is null. */
function loadShape(
  i32: Int32Array,
  f32: Float32Array,
  d: number,
  { offsets, halves }: Shape,
  view: DataView | null,
  start: number,
): void {
  for (let k = 0; k < offsets.length; k++) {
    if (view === null) i32[d + k] = 0;
    else if (halves[k] === 1) f32[d + k] = f16FromBits(view.getUint16(start + offsets[k], true));
    else i32[d + k] = view.getInt32(start + offsets[k], true);
  }
}

/** Stores a composite scalar by scalar, so that padding keeps its bytes. */
function storeShape(
  i32: Int32Array,
  f32: Float32Array,
  base: number,
  slots: Int32Array,
  { offsets, halves }: Shape,
  view: DataView,
  start: number,
): void {
  for (let k = 0; k < offsets.length; k++) {
    if (halves[k] === 1) view.setUint16(start + offsets[k], f16ToBits(f32[base + slots[k]]), true);
    else view.setInt32(start + offsets[k], i32[base + slots[k]], true);
  }
}
