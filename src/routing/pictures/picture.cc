#include "src/routing/pictures/picture.h"

#include "src/base/file.h"

namespace dray {

PicturePaths WritePictures(const std::string& folder, const std::string& name,
                           const Problem& problem, const Plan& plan, const PictureText& text,
                           std::span<const AskedWindow> asked) {
  const PicturePaths paths = {folder + "/" + name + "_routes.svg",
                              folder + "/" + name + "_gantt.svg"};
  constexpr char kFlag[] = "--render";
  MakeWritableFolder(folder, kFlag);
  WriteFileAtomically(paths.routes, RoutesSvg(problem, plan, text), kFlag);
  WriteFileAtomically(paths.gantt, GanttSvg(problem, plan, text, asked), kFlag);
  return paths;
}

}  // namespace dray
