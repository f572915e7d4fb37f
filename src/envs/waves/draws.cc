#include "src/envs/waves/draws.h"

namespace dray::waves {

std::vector<Request> Arrivals(const Instance& instance, int epoch, const Draws& draws) {
  std::vector<Request> arrived;
  for (size_t i = 0; i < draws.places.size(); ++i) {
    const Stop& window = instance.customers[draws.windows[i]];
    const Request request{.place = instance.customers[draws.places[i]].place,
                          .opens = window.opens,
                          .closes = window.closes,
                          .service = instance.customers[draws.services[i]].service,
                          .load = instance.customers[draws.loads[i]].load,
                          .epoch = epoch};
    if (instance.CanServe(request, instance.Departure(epoch))) arrived.push_back(request);
  }
  return arrived;
}

}  // namespace dray::waves
