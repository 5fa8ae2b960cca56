import { expect, test } from "vitest";
import { Source } from "../text/source.ts";
import { parse } from "./parser.ts";
import { printModule } from "./print.ts";

test("the canonical form", () => {
  const text = `enable f16,subgroups;diagnostic(off,a.b,);
    struct S{@align(16)a:i32,b:array<vec2<f32>,4>}
    @group(0)@binding(1)var<storage,read_write>s:S;override o:f32;@id(1)override p=2.5;alias T=u32;const_assert(1<2);
    @compute@workgroup_size(8,8,)fn f(@builtin(local_invocation_id)i:vec3u,)->@location(0)f32@diagnostic(off,a){
      let x:i32=- -1+(2)*3;var<function>y=.5f+1e30+0x10+7h;if x==1{return;}else if(x>2){}else{discard;}
      switch x{case 1,default:{break;}case 2{}}for(var i=0u;i<4;i++){continue;}for(;;){}while x<4@a{}
      loop{f();continuing{x+=1;break if x>4;}}{_=&s;}s.b[1].x>>=2u;*p=~1;;
    }`;
  expect(printModule(parse(new Source(text)).module)).toBe(`enable f16, subgroups;
diagnostic(off, a.b);
struct S {
  @align(16) a: i32,
  b: array<vec2<f32>, 4>,
}
@group(0) @binding(1) var<storage, read_write> s: S;
override o: f32;
@id(1) override p = 2.5;
alias T = u32;
const_assert (1 < 2);
@compute @workgroup_size(8, 8) fn f(@builtin(local_invocation_id) i: vec3u) -> @location(0) f32 @diagnostic(off, a) {
  let x: i32 = - -1 + (2) * 3;
  var<function> y = 0.5f + 1e+30 + 16 + 7h;
  if x == 1 {
    return;
  } else if (x > 2) {
  } else {
    discard;
  }
  switch x {
    case 1, default {
      break;
    }
    case 2 {
    }
  }
  for (var i = 0u; i < 4; i++) {
    continue;
  }
  for (;;) {
  }
  while x < 4 @a {
  }
  loop {
    f();
    continuing {
      x += 1;
      break if x > 4;
    }
  }
  {
    _ = &s;
  }
  s.b[1].x >>= 2u;
  *p = ~1;
  ;
}
`);
});

test("of parentheses the first are kept", () => {
  const print = (text: string) => printModule(parse(new Source(text)).module);
  const text = "const x = (-(a)).b + (c * (d + 1))[(e)] * f((g < h), (i > j));\n";
  expect(print(text)).toBe(text);
  expect(print("const x = ((a) + ((b)));")).toBe("const x = ((a) + (b));\n");
});
