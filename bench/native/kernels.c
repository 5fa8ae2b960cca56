/* The loops of some kernels as C, one thread: what a compiler makes of them at -O3. Data made as cheaply as possible. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT (1u << 20)
#define SIZE 1024u

static uint32_t *words(size_t count) { return calloc(count, 4); }

static uint32_t state = 1;
static uint32_t next(void) {
  state = state * 747796405u + 2891336453u;
  uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

static uint32_t *a, *b, *c;

static void histogram(void) {
  for (uint32_t i = 0; i < COUNT; i++) b[a[i] % 16u]++;
}

static uint32_t alive(uint32_t x, uint32_t y) { return a[(y % SIZE) * SIZE + x % SIZE] & 1u; }

static void game_of_life(void) {
  for (uint32_t j = 0; j < SIZE; j++)
    for (uint32_t i = 0; i < SIZE; i++) {
      uint32_t x = i + SIZE, y = j + SIZE;
      uint32_t n = alive(x - 1, y - 1) + alive(x, y - 1) + alive(x + 1, y - 1) + alive(x - 1, y) + alive(x + 1, y) +
                   alive(x - 1, y + 1) + alive(x, y + 1) + alive(x + 1, y + 1);
      b[j * SIZE + i] = n == 3u || (n == 2u && alive(x, y) == 1u);
    }
}

static void mandelbrot(void) {
  for (uint32_t i = 0; i < COUNT; i++) {
    float atx = (float)(i % SIZE) / (float)SIZE, aty = (float)(i / SIZE) / (float)SIZE;
    float cx = atx * 3.0f - 2.0f, cy = aty * 2.0f - 1.0f, zx = 0, zy = 0;
    uint32_t n = 0;
    while (n < 64u && zx * zx + zy * zy < 4.0f) {
      float x = zx * zx - zy * zy + cx;
      zy = 2.0f * zx * zy + cy;
      zx = x;
      n++;
    }
    b[i] = n;
  }
}

#define SIDE 64
static int at_least(int x, int low) { return x > low ? x : low; }
static int at_most(int x, int high) { return x < high ? x : high; }

static void neighbour_count(void) {
  const float *positions = (const float *)a;
  for (uint32_t i = 0; i < COUNT; i++) {
    const float *own = positions + 4 * (size_t)i;
    int at = (int)(i / 4u), cx = at % SIDE, cy = (at / SIDE) % SIDE, cz = at / (SIDE * SIDE);
    uint32_t found = 0;
    for (int z = at_least(cz - 1, 0); z <= at_most(cz + 1, SIDE - 1); z++)
      for (int y = at_least(cy - 1, 0); y <= at_most(cy + 1, SIDE - 1); y++)
        for (int x = at_least(cx - 1, 0); x <= at_most(cx + 1, SIDE - 1); x++) {
          uint32_t near = (uint32_t)((z * SIDE + y) * SIDE + x);
          for (uint32_t k = 0; k < (c[near] < 4u ? c[near] : 4u); k++) {
            const float *other = positions + 4 * (size_t)(near * 4u + k);
            float dx = other[0] - own[0], dy = other[1] - own[1], dz = other[2] - own[2];
            if (dx * dx + dy * dy + dz * dz < 0.25f) found++;
          }
        }
    b[i] = found;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int ascending(const void *x, const void *y) {
  double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

/* kernels NAME RUNS: the median of its CPU times in milliseconds */
int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const char *name = argv[1];
  int runs = atoi(argv[2]);
  a = words(4 * (size_t)COUNT);
  b = words(COUNT);
  c = words(SIDE * SIDE * SIDE);
  int floats = !strcmp(name, "neighbour_count");
  for (size_t i = 0; i < 4 * (size_t)COUNT; i++) {
    float value = (float)(next() >> 8) / 16777216.0f;
    uint32_t word = next();
    if (floats) memcpy(&a[i], &value, 4);
    else a[i] = word;
  }
  for (size_t i = 0; i < SIDE * SIDE * SIDE; i++) c[i] = next() % 5u;
  void (*run)(void) = !strcmp(name, "histogram") ? histogram
                      : !strcmp(name, "game_of_life") ? game_of_life
                      : !strcmp(name, "mandelbrot") ? mandelbrot
                      : !strcmp(name, "neighbour_count") ? neighbour_count : 0;
  if (!run || runs < 1) return 2;
  double *times = calloc(runs, sizeof(double));
  for (int i = 0; i < runs; i++) {
    double start = now();
    run();
    times[i] = now() - start;
  }
  qsort(times, runs, sizeof(double), ascending);
  uint32_t sum = 0;
  for (size_t i = 0; i < COUNT; i++) sum += b[i];
  printf("%f %u\n", times[runs / 2], sum);
  return 0;
}
