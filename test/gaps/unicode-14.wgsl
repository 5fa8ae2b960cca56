// right: reject
const 𞓐 = 1;
