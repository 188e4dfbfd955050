/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constant parts of the page of `bbprof timeline --html': page/, put together when bbprof is
   built. */
#ifndef BBPROF_WEB_PAGE_H
#define BBPROF_WEB_PAGE_H

extern const char web_page_html[]; /* inside the body */
extern const char web_page_css[];
extern const char web_page_js[];

#endif
