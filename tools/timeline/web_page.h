/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in the page of `bbprof timeline --html' whatever the run was: page/, put together
   when bbprof is built. */
#ifndef BBPROF_WEB_PAGE_H
#define BBPROF_WEB_PAGE_H

extern const char web_page_html[]; /* inside of the body */
extern const char web_page_css[];
extern const char web_page_js[];

#endif
