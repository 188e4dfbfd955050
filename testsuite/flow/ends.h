// SPDX-License-Identifier: GPL-3.0-or-later
/* What the three files of the program share. */
extern int way;
extern volatile int zero;
void note (int);
void middle (int);
void deep (int);
