#include "src/envs/cage2/frame.h"

#include "src/base/bytes.h"

namespace dray::cage2 {

std::string Frame::ToBytes() const {
  ByteWriter out;
  out.Put(*this);
  return out.Take();
}

Frame Frame::FromBytes(std::string_view bytes) {
  ByteReader in(bytes, "a frame of cage2");
  const Frame frame = in.Get<Frame>();
  in.ExpectEnd();
  return frame;
}

}  // namespace dray::cage2
