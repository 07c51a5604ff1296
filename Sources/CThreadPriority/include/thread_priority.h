#pragma once

// Nothing is called by name: thread_priority.c takes the place of a function of the C library.
