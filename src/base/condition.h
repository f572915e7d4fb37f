#pragma once

#include <condition_variable>

// GCC 12 gave std::condition_variable::wait a new symbol version, which would be all that the
// engine needs beyond the library of GCC 11. The version before, which every newer library has as
// well, lets the wheel run with the C++ library of RHEL 9 and Ubuntu 22.04.
#ifdef __GLIBCXX__
__asm__(
    ".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE,"
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
#endif
