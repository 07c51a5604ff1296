/// The catalogue of German texts, compiled into the programs: they are single files and read no resources.

#ifndef PARLANCE_CATALOGUE_H
#define PARLANCE_CATALOGUE_H

#include <stddef.h>

/// The bytes of de.po.
const unsigned char *_Nonnull parlance_catalogue_de(void);

/// The number of these bytes.
size_t parlance_catalogue_de_size(void);

#endif
