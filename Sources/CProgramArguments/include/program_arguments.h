#pragma once

/// How many arguments the program was given, with its name.
int parlance_argument_count(void);

/// An argument, as the bytes that were given; null from the count on.
const char *parlance_argument(int index);
