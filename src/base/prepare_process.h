#pragma once

namespace dray {

// Makes it safe for this process to write files. Call it before opening any.
//  - Opens closed standard descriptors (`train >&-`) on /dev/null. Otherwise the next files opened
//    would get their numbers, and console output would go into those files.
//  - Ignores SIGXFSZ, so that reaching the file size limit (`ulimit -f`) makes a write fail like a
//    full disk instead of ending the process.
void PrepareProcess();

}  // namespace dray
