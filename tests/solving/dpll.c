/* A small solver with the command line of kissat: [-OPTION]... CNF [PROOF]. It searches without learning, and its proof has the
   negated decisions of each branch that fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int variables, clauses, *literals, *ends, value[1000], decisions[1000], depth;
static FILE *proof;

static void fail(void) {
  if (!proof) return;
  for (int i = 0; i < depth; i++) fprintf(proof, "%d ", -decisions[i]);
  fputs("0\n", proof);
}

static int is(int literal) { return literal > 0 ? value[literal] : -value[-literal]; }

static void set(int literal) { value[abs(literal)] = literal > 0 ? 1 : -1; }

/* -1 for a conflict, else a literal to decide on, or 0 if all clauses hold */
static int propagate(void) {
  int again = 1, open = 0;
  while (again) {
    again = open = 0;
    for (int c = 0, at = 0; c < clauses; at = ends[c++]) {
      int holds = 0, undecided = 0, last = 0;
      for (int i = at; i < ends[c]; i++) {
        if (is(literals[i]) > 0) holds = 1;
        if (is(literals[i]) == 0) undecided++, last = literals[i];
      }
      if (holds) continue;
      if (!undecided) return -1;
      if (undecided == 1) set(last), again = 1;
      open = abs(last);
    }
  }
  return open;
}

static int solve(void) {
  int before[1000], next = propagate();
  if (next == 0) return 1;
  if (next > 0) {
    memcpy(before, value, sizeof value);
    for (int sign = 1; sign >= -1; sign -= 2) {
      decisions[depth++] = sign * next;
      set(sign * next);
      if (solve()) return 1;
      depth--;
      memcpy(value, before, sizeof value);
    }
  }
  fail();
  return 0;
}

int main(int count, char **words) {
  FILE *cnf = NULL;
  if (count == 2 && !strcmp(words[1], "--version")) return !puts("c a small solver, version 4.0.4, for tests");
  for (int i = 1; i < count; i++) {
    if (*words[i] == '-') continue;
    else if (!cnf) cnf = fopen(words[i], "r");
    else proof = fopen(words[i], "w");
  }
  char line[10000];
  while (cnf && fgets(line, sizeof line, cnf) && sscanf(line, "p cnf %d %d", &variables, &clauses) != 2);
  literals = calloc(1000000, sizeof(int));
  ends = calloc(clauses + 1, sizeof(int));
  for (int c = 0, size = 0, literal; c < clauses && fscanf(cnf, "%d", &literal) == 1;)
    if (literal) literals[size++] = literal;
    else ends[c++] = size;
  int found = solve();
  if (proof) fclose(proof);
  puts(found ? "s SATISFIABLE" : "s UNSATISFIABLE");
  for (int v = 1; found && v <= variables; v++) printf("v %d\n", value[v] < 0 ? -v : v);
  if (found) puts("v 0");
  return found ? 10 : 20;
}
