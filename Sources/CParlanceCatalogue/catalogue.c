#include "catalogue.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "de.po"
};

const unsigned char *parlance_catalogue_de(void) { return german; }

size_t parlance_catalogue_de_size(void) { return sizeof german; }
