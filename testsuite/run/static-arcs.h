// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" {
void library_leaf ();
void library_calls ();                        // library_leaf once
void library_calls_back (void (*function) ()); // once
}
