// SPDX-License-Identifier: GPL-3.0-or-later
/* Shared by the three files of the program. */
extern int way;
extern volatile int zero;
void note (int);
void middle (int);
void deep (int);
