#pragma once

namespace dray {

// From now on the first SIGINT or SIGTERM asks for an orderly end; a second one, of either kind,
// ends the process as it would have anyway.
void CatchInterruptions();

// Whether one has come.
bool Interrupted();

}  // namespace dray
