/**
 * What declarations declare. A large module has thousands, which hold on to its tree: they are of classes so that they die
 * young with it, see `listOf`.
 */
import type * as ast from "../syntax/ast.ts";
import type { AccessMode, AddressSpace, Type } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { AliasInfo, OverrideInfo, ParameterInfo, StructInfo, ValueInfo, VariableInfo } from "./program.ts";

abstract class DeclaredEntity<Node extends { readonly name: ast.Name }, T extends Type = Type> {
  readonly declaration: Node;
  readonly name: string;
  readonly type: T;

  constructor(declaration: Node, type: T) {
    this.declaration = declaration;
    this.name = declaration.name.text;
    this.type = type;
  }
}

export class ValueEntity extends DeclaredEntity<ast.LetDecl | ast.ConstDecl> implements ValueInfo {
  readonly kind = "value";
  readonly value: ConstValue | null;

  constructor(declaration: ast.LetDecl | ast.ConstDecl, type: Type, value: ConstValue | null) {
    super(declaration, type);
    this.value = value;
  }
}

export class VariableEntity extends DeclaredEntity<ast.VarDecl> implements VariableInfo {
  readonly kind = "variable";
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
    super(declaration, type);
    this.scope = scope;
    this.space = space;
    this.access = access;
    this.group = group;
    this.binding = binding;
  }
}

export class OverrideEntity extends DeclaredEntity<ast.OverrideDecl> implements OverrideInfo {
  readonly kind = "override";
  readonly pipelineId: number | null;
  readonly defaultValue: ConstValue | null;

  constructor(declaration: ast.OverrideDecl, type: Type, pipelineId: number | null, defaultValue: ConstValue | null) {
    super(declaration, type);
    this.pipelineId = pipelineId;
    this.defaultValue = defaultValue;
  }
}

export class ParameterEntity extends DeclaredEntity<ast.Param> implements ParameterInfo {
  readonly kind = "parameter";
  readonly index: number;
  readonly builtin: string | null;

  constructor(declaration: ast.Param, type: Type, index: number, builtin: string | null) {
    super(declaration, type);
    this.index = index;
    this.builtin = builtin;
  }
}

export class AliasEntity extends DeclaredEntity<ast.AliasDecl> implements AliasInfo {
  readonly kind = "alias";
}

export class StructEntity extends DeclaredEntity<ast.StructDecl, StructInfo["type"]> implements StructInfo {
  readonly kind = "struct";
}
