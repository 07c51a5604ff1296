#pragma once

/// The environment of this program, ended by a null pointer; null if there is none, as after clearenv(3).
char **parlance_environment(void);

/// How many arguments the program was given, with its name.
int parlance_argument_count(void);

/// An argument, as the bytes that were given; null from the count on.
const char *parlance_argument(int index);
