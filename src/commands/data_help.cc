#include "src/commands/data_help.h"

namespace dray {

std::string_view DataHelp() {
  return R"(Your own data: CSV files in UTF-8. Values are separated by , or ; or tabs; with ; or tabs a number
may be 10,5. Times are minutes since midnight (540) or HH:MM (09:00). Examples of all files are
in configs/examples; `dray examples` copies them; docs/own_data.md describes them in full.

Riders' trips, one line each: env.dvrptw.trips (train, evaluate)
  rider,origin,destination,pickup_early,pickup_late,dropoff_early,dropoff_late,flexibility
  ann,home_north,clinic,08:00,08:30,08:10,09:00,early_pickup
  flexibility: late_dropoff, early_pickup, none or both; empty or no such column: drawn, 1/4 each.
  The number of riders follows from the file. Trips need places, travel times or both:

Places, by degrees or by x,y in kilometres: env.dvrptw.places, with env.dvrptw.speed_kmh [30 km/h]
  place,lat,lon
  depot,52.5200,13.4050
  Travel is along great circles at that speed. The first is the depot, or see env.dvrptw.depot.

Travel times in minutes, without column names: env.dvrptw.travel, --travel (solve)
  0,12.5,11
  12.5,0,17
  11,17,0
  One line and one column for each place. Without a file of places, trips name them 0, 1, 2, ...

Stops to be served, the depot first: --instance (solve), env.dvrptw_offer.instance
  id,lat,lon,demand,opens,closes,service
  1,52.5640,13.3920,2,09:00,12:00,5
  Or x,y instead of lat,lon, in the unit of the times: a distance of 1 takes a time of 1.
  An optional column delivery_of has the id of the pickup that a row delivers.

Orders of past days: env.waves.orders, waves_serve --orders
  day,ordered,place,opens,closes,service,load
  mon,07:20,home_north,09:00,12:00,5,1
  With places, travel times or both, as for trips.
)";
}

}  // namespace dray
