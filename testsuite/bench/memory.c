/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the memory of a program of SQLite's size.  `memory busy|idle THREADS': each of
   THREADS threads does some of every kind of work with a database of its own, or nothing, and
   waits.  Prints the memory of the process (PSS, KiB) meanwhile, and the time that a dump of the
   profile takes then (ms; 0 without one). */

#define BBPROF_OPTIONAL
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <bbprof.h>
#include <sqlite3.h>

static pthread_barrier_t done, measured;

static const char statements[]
    = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value REAL); CREATE INDEX i ON t (name);"
      "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)"
      " INSERT INTO t SELECT n, 'name' || n % 50, n * 1.5 FROM c;"
      "SELECT name, count (*), avg (value) FROM t WHERE id % 3 GROUP BY name HAVING count (*) > 2 "
      "ORDER BY 3 DESC;"
      "SELECT a.id FROM t a JOIN t b ON a.name = b.name WHERE a.id < b.id LIMIT 99;"
      "UPDATE t SET value = value + 1 WHERE name LIKE '%7%'; DELETE FROM t WHERE id BETWEEN 20 AND "
      "60;"
      "BEGIN; SELECT json_group_array (name) FROM t; SELECT upper (substr (name, 2)) FROM t; "
      "COMMIT;";

static void use_database(void)
{
  sqlite3 *database;
  if (sqlite3_open(":memory:", &database) != SQLITE_OK
      || sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK)
    exit(1);
  sqlite3_close(database);
}

static void *work(void *busy)
{
  if (busy)
    use_database();
  pthread_barrier_wait(&done);
  pthread_barrier_wait(&measured);
  return NULL;
}

static long pss(void)
{
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "Pss: %ld", &kib) != 1)
    ;
  if (file)
    fclose(file);
  return kib;
}

static double dump(void)
{
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  if (bbprof_dump && bbprof_dump())
    exit(1);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6;
}

int main(int argc, char **argv)
{
  int n = argc == 3 ? atoi(argv[2]) : 0;
  bool busy = n && strcmp(argv[1], "busy") == 0;
  pthread_t thread[1000];
  if (n < 1 || n > 1000)
    return 2;
  pthread_barrier_init(&done, NULL, (unsigned)n + 1);
  pthread_barrier_init(&measured, NULL, (unsigned)n + 1);
  for (int i = 0; i < n; i++)
    if (pthread_create(&thread[i], NULL, work, busy ? thread : NULL))
      return 1;
  pthread_barrier_wait(&done);
  printf("%ld ", pss());
  printf("%.3f\n", dump());
  pthread_barrier_wait(&measured);
  for (int i = 0; i < n; i++)
    pthread_join(thread[i], NULL);
  return 0;
}
