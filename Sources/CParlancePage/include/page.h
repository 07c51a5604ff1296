#ifndef PARLANCE_PAGE_H
#define PARLANCE_PAGE_H

#include <stddef.h>

/// A file of the local page.
struct parlance_page_asset {
    const char *name;
    const unsigned char *bytes;
    size_t size;
};

size_t parlance_page_count(void);

/// `index` is less than the count.
struct parlance_page_asset parlance_page_asset(size_t index);

#endif
