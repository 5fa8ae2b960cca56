/**
 * What declarations declare. A large module has thousands, which hold on to its tree: they are of classes so that they die
 * young with it, see `listOf`. The classes have no base in common, which would initialize objects of too many shapes to do so
 * quickly.
 */
import type * as ast from "../syntax/ast.ts";
import type { AccessMode, AddressSpace, StructType, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { AliasInfo, OverrideInfo, ParameterInfo, StructInfo, ValueInfo, VariableInfo } from "./program.ts";

export class ValueEntity implements ValueInfo {
  readonly kind = "value";
  readonly declaration: ast.LetDecl | ast.ConstDecl;
  readonly name: string;
  readonly type: Type;
  readonly value: ConstValue | null;

  constructor(declaration: ast.LetDecl | ast.ConstDecl, type: Type, value: ConstValue | null) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
    this.value = value;
  }
}

export class VariableEntity implements VariableInfo {
  readonly kind = "variable";
  readonly declaration: ast.VarDecl;
  readonly name: string;
  readonly type: Type;
  readonly scope: "module" | "function";
  readonly space: AddressSpace;
  readonly access: AccessMode;
  readonly group: number | null;
  readonly binding: number | null;

  constructor(
    declaration: ast.VarDecl,
    type: Type,
    scope: "module" | "function",
    space: AddressSpace,
    access: AccessMode,
    group: number | null = null,
    binding: number | null = null,
  ) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
    this.scope = scope;
    this.space = space;
    this.access = access;
    this.group = group;
    this.binding = binding;
  }
}

export class OverrideEntity implements OverrideInfo {
  readonly kind = "override";
  readonly declaration: ast.OverrideDecl;
  readonly name: string;
  readonly type: Type;
  readonly pipelineId: number | null;
  readonly defaultValue: ConstValue | null;

  constructor(declaration: ast.OverrideDecl, type: Type, pipelineId: number | null, defaultValue: ConstValue | null) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
    this.pipelineId = pipelineId;
    this.defaultValue = defaultValue;
  }
}

export class ParameterEntity implements ParameterInfo {
  readonly kind = "parameter";
  readonly declaration: ast.Param;
  readonly name: string;
  readonly type: Type;
  readonly index: number;
  readonly builtin: string | null;

  constructor(declaration: ast.Param, type: Type, index: number, builtin: string | null) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
    this.index = index;
    this.builtin = builtin;
  }
}

export class AliasEntity implements AliasInfo {
  readonly kind = "alias";
  readonly declaration: ast.AliasDecl;
  readonly name: string;
  readonly type: Type;

  constructor(declaration: ast.AliasDecl, type: Type) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
  }
}

export class StructEntity implements StructInfo {
  readonly kind = "struct";
  readonly declaration: ast.StructDecl;
  readonly name: string;
  readonly type: StructType;

  constructor(declaration: ast.StructDecl, type: StructType) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
  }
}
