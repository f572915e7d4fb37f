#pragma once

namespace dray {

// Makes it safe for this process to write files; to be called before it opens any.
//   - Closed standard descriptors (`train >&-`) are opened on /dev/null. The next files opened
//   would
//     otherwise take their numbers, and the console's output would go into them.
//   - A file that reaches the limit of file sizes (`ulimit -f`) makes a write fail, as a full disk
//     does, instead of ending the process (SIGXFSZ).
void PrepareProcess();

}  // namespace dray
