#pragma once

// What the programs that check kernels share: random numbers, and guarded memory.

#define _DEFAULT_SOURCE

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WALL = 256, WALL_BYTE = 0xA5 };

static uint64_t state;
static long checks, failures;

static uint64_t draw(void) {
  uint64_t v = (state += 0x9E3779B97F4A7C15);
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
  v = (v ^ v >> 27) * 0x94D049BB133111EB;
  return v ^ v >> 31;
}

static int between(int low, int high) {
  return low + (int)(draw() % (uint64_t)(high - low + 1));
}

static void *allocate(size_t size) {
  void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  if (!memory) abort();
  return memory;
}

static void expect(int holds, const char *table, const char *what, const char *detail) {
  checks++;
  if (holds) return;
  if (failures++ < 20) printf("%s: %s differs: %s\n", table, what, detail);
}

// Output between walls of known bytes.
typedef struct walled {
  uint8_t *memory, *inside;
  size_t size;
} walled;

static walled walled_make(size_t size) {
  walled w = {allocate(size + 2 * WALL), NULL, size};
  memset(w.memory, WALL_BYTE, size + 2 * WALL);
  w.inside = w.memory + WALL;
  return w;
}

static int walls_stand(const walled *w) {
  for (int i = 0; i < WALL; i++) {
    if (w->memory[i] != WALL_BYTE || w->inside[w->size + i] != WALL_BYTE) return 0;
  }
  return 1;
}

// Input that ends right before an unreadable page.
typedef struct fenced {
  uint8_t *pages, *start;
  size_t length;
} fenced;

static fenced fenced_make(size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (size + page - 1) / page * page;
  fenced f = {mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
              NULL, whole + page};
  if (f.pages == MAP_FAILED || mprotect(f.pages + whole, page, PROT_NONE)) abort();
  f.start = f.pages + whole - size;
  for (size_t i = 0; i < size; i++) f.start[i] = (uint8_t)draw();
  return f;
}

static void fenced_free(fenced *f) { munmap(f->pages, f->length); }
