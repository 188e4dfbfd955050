/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of some files: how often each comes, and which of the rare ones may be a misspelt
   frequent one.  A small program that does something useful, for when no other program's source can
   be had.  Some functions are kept as they are (not inlined, not cloned), so that a profile has
   calls to show.

     words FILE...  */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define LONGEST 63
#define SHOWN 12
#define KEPT __attribute__((noipa))

struct word {
  struct word *next; /* in the same bucket */
  unsigned long count;
  size_t length;
  char text[];
};

struct dictionary {
  struct word *bucket[BUCKETS];
  size_t words;
  unsigned long occurrences;
};

/* FNV-1a.  */
static unsigned hash(const char *text, size_t length)
{
  unsigned h = 2166136261u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h % BUCKETS;
}

static KEPT void count_word(struct dictionary *dictionary, const char *text, size_t length)
{
  struct word **place = &dictionary->bucket[hash(text, length)];
  struct word *word;
  dictionary->occurrences++;
  for (word = *place; word; word = word->next)
    if (word->length == length && memcmp(word->text, text, length) == 0) {
      word->count++;
      return;
    }
  word = malloc(sizeof *word + length + 1);
  if (!word) {
    perror("words");
    exit(1);
  }
  word->next = *place;
  word->count = 1;
  word->length = length;
  memcpy(word->text, text, length);
  word->text[length] = 0;
  *place = word;
  dictionary->words++;
}

static KEPT void read_words(struct dictionary *dictionary, FILE *file)
{
  char text[LONGEST];
  size_t length = 0;
  int c;
  do {
    c = getc(file);
    if (c != EOF && isalpha(c)) {
      if (length < LONGEST)
        text[length++] = (char)tolower(c);
    } else if (length) {
      count_word(dictionary, text, length);
      length = 0;
    }
  } while (c != EOF);
}

static int more_frequent(const void *a, const void *b)
{
  const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
  if (x->count != y->count)
    return x->count < y->count ? 1 : -1;
  return strcmp(x->text, y->text);
}

static struct word **sorted(const struct dictionary *dictionary)
{
  struct word **list = malloc((dictionary->words + 1) * sizeof *list);
  size_t n = 0;
  if (!list) {
    perror("words");
    exit(1);
  }
  for (int i = 0; i < BUCKETS; i++)
    for (struct word *word = dictionary->bucket[i]; word; word = word->next)
      list[n++] = word;
  qsort(list, n, sizeof *list, more_frequent);
  return list;
}

static int least(int a, int b, int c)
{
  int m = a < b ? a : b;
  return m < c ? m : c;
}

/* Levenshtein's distance: insertions, deletions and replacements from one word to the other.  */
static KEPT int distance(const struct word *a, const struct word *b)
{
  int row[LONGEST + 1];
  for (size_t j = 0; j <= b->length; j++)
    row[j] = (int)j;
  for (size_t i = 1; i <= a->length; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= b->length; j++) {
      int above = row[j];
      row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a->text[i - 1] != b->text[j - 1]));
      diagonal = above;
    }
  }
  return row[b->length];
}

static KEPT int similar(const struct word *a, const struct word *b)
{
  size_t difference = a->length > b->length ? a->length - b->length : b->length - a->length;
  return difference <= 1 && a->length > 4 && distance(a, b) == 1;
}

static KEPT void suspects(struct word **list, size_t n)
{
  unsigned long found = 0;
  for (size_t rare = n; rare > 0 && list[rare - 1]->count == 1; rare--)
    for (size_t i = 0; i < n && list[i]->count > 20; i++)
      if (similar(list[rare - 1], list[i])) {
        if (found++ < SHOWN)
          printf("%s: %s?\n", list[rare - 1]->text, list[i]->text);
        break;
      }
  printf("%lu rare words look like a frequent one\n", found);
}

int main(int argc, char **argv)
{
  static struct dictionary dictionary;
  struct word **list;
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "r");
    if (!file) {
      perror(argv[i]);
      return 1;
    }
    read_words(&dictionary, file);
    fclose(file);
  }
  list = sorted(&dictionary);
  printf("%lu words, %zu different\n", dictionary.occurrences, dictionary.words);
  for (size_t i = 0; i < SHOWN && i < dictionary.words; i++)
    printf("%7lu %s\n", list[i]->count, list[i]->text);
  suspects(list, dictionary.words);
  return 0;
}
