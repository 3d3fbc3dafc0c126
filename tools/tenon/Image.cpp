// SPDX-License-Identifier: Apache-2.0
// Decodes, resizes and casts pictures.
#include "tools/tenon/Image.h"

#include <memory>

#define STBI_NO_STDIO
#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

namespace tenon::cli {
namespace {

using package::ElementType;

constexpr int64_t kMaxPixels = int64_t(1) << 25;

struct Pixels {
  int width = 0, height = 0;
  std::unique_ptr<uint8_t, void (*)(void *)> data{nullptr, stbi_image_free};
};

struct Extent {
  int64_t height, width, channels;
};

Expected<Extent> extentOf(ElementType type, const std::vector<int64_t> &shape) {
  std::vector<int64_t> dims = shape;
  if (dims.size() == 4 && dims[0] == 1)
    dims.erase(dims.begin());
  const bool taken = dims.size() == 3 && (dims[2] == 1 || dims[2] == 3) && dims[0] > 0 &&
                     dims[1] > 0 && dims[0] <= kMaxPixels && dims[1] <= kMaxPixels / dims[0];
  if (!taken)
    return fail("a picture fills only [1,H,W,1] and [1,H,W,3], the input is {}; give an .npy file",
                describe(type, shape));
  return Extent{dims[0], dims[1], dims[2]};
}

Expected<Pixels> decode(ByteSpan file, int channels) {
  int width = 0, height = 0, inFile = 0;
  const int size = int(std::min(file.size(), size_t(INT32_MAX)));
  if (!stbi_info_from_memory(file.data(), size, &width, &height, &inFile))
    return fail("neither an .npy file nor a picture that can be read ({})", stbi_failure_reason());
  if (width <= 0 || height <= 0 || int64_t(width) * height > kMaxPixels)
    return fail("the picture has {} x {} pixels; 1 to {} are taken", width, height, kMaxPixels);
  Pixels pixels;
  pixels.data.reset(
      stbi_load_from_memory(file.data(), size, &pixels.width, &pixels.height, &inFile, channels));
  if (!pixels.data)
    return fail("the picture cannot be read ({})", stbi_failure_reason());
  if (pixels.width != width || pixels.height != height)
    return fail("the picture's header contradicts itself");
  return pixels;
}

Expected<Bytes> resize(const Pixels &from, const Extent &to) {
  Bytes out(size_t(to.height * to.width * to.channels));
  const int done = stbir_resize_uint8_generic(
      from.data.get(), from.width, from.height, 0, out.data(), int(to.width), int(to.height), 0,
      int(to.channels), STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE,
      STBIR_COLORSPACE_LINEAR, nullptr);
  if (!done)
    return fail("out of memory while resizing the picture");
  return out;
}

Expected<Bytes> cast(Bytes pixels, ElementType type) {
  switch (type) {
  case ElementType::U8:
    return pixels;
  case ElementType::I8:
    for (uint8_t &pixel : pixels)
      pixel ^= 0x80;
    return pixels;
  case ElementType::F32: {
    Bytes wide;
    wide.reserve(pixels.size() * sizeof(float));
    for (uint8_t pixel : pixels)
      append(wide, float(pixel));
    return wide;
  }
  default:
    return fail("a picture fills only int8, uint8 and float32 inputs, this is {}; give an .npy "
                "file",
                package::nameOf(type));
  }
}

} // namespace

Expected<Array> imageAsInput(ByteSpan file, ElementType type, const std::vector<int64_t> &shape) {
  auto extent = extentOf(type, shape);
  if (!extent)
    return tl::unexpected(extent.error());
  auto pixels = decode(file, int(extent->channels));
  if (!pixels)
    return tl::unexpected(pixels.error());
  auto data =
      resize(*pixels, *extent).and_then([&](Bytes raw) { return cast(std::move(raw), type); });
  if (!data)
    return tl::unexpected(data.error());
  return Array{type, shape, std::move(*data)};
}

} // namespace tenon::cli
