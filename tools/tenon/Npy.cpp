// SPDX-License-Identifier: Apache-2.0
// Reads and writes .npy: magic, version, a header that is a Python dictionary, then the data.
#include "tools/tenon/Npy.h"

#include <charconv>

namespace tenon::cli {
namespace {

using package::ElementType;

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kHeaderAlignment = 64;
/// The longest header taken; NumPy's own limit.
constexpr size_t kMaxHeaderBytes = 10000;

struct TypeName {
  ElementType type;
  std::string_view text;
};
constexpr TypeName kTypes[] = {
    {ElementType::I8, "|i1"},  {ElementType::U8, "|u1"},  {ElementType::Bool, "|b1"},
    {ElementType::I16, "<i2"}, {ElementType::I32, "<i4"}, {ElementType::I64, "<i8"},
    {ElementType::F16, "<f2"}, {ElementType::F32, "<f4"}, {ElementType::F64, "<f8"}};

/// The text after `'key':`, without leading spaces; empty if the key is not there.
std::string_view after(std::string_view text, std::string_view key) {
  const std::string quoted = fmt::format("'{}':", key);
  const size_t at = text.find(quoted);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + quoted.size());
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

/// What stands between \p open at the start of \p text and the next \p close.
std::string_view enclosed(std::string_view text, char open, char close) {
  if (text.empty() || text.front() != open)
    return {};
  const size_t end = text.find(close, 1);
  return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
}

Expected<ElementType> parseType(std::string_view header) {
  const std::string_view name = enclosed(after(header, "descr"), '\'', '\'');
  for (const TypeName &row : kTypes)
    if (row.text == name)
      return row.type;
  return fail("element type '{}' is not one of int8, uint8, bool, int16, int32, int64, float16, "
              "float32, float64 in little endian; convert it with astype",
              name);
}

Expected<std::vector<int64_t>> parseShape(std::string_view header) {
  const std::string_view value = after(header, "shape");
  if (value.empty() || value.front() != '(' || value.find(')') == std::string_view::npos)
    return fail("the header has no shape");
  std::string_view text = enclosed(value, '(', ')');
  std::vector<int64_t> shape;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (!item.empty() && item.front() == ' ')
      item.remove_prefix(1);
    if (item.empty() && text.empty())
      break; // "(3,)"
    int64_t dim = -1;
    auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), dim);
    if (error != std::errc() || end != item.data() + item.size() || dim < 0)
      return fail("dimension {} of the shape is '{}'", shape.size(), item);
    shape.push_back(dim);
    if (shape.size() > package::kMaxRank)
      return fail("the shape has more than {} dimensions", package::kMaxRank);
  }
  return shape;
}

/// The header's text, and where the data begins.
Expected<std::pair<std::string_view, size_t>> findHeader(ByteSpan bytes) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic))
    return fail("byte 0: not an .npy file");
  auto version = readAt<uint8_t>(bytes, kMagic.size());
  if (!version || *version < 1 || *version > 3)
    return fail("byte 6: .npy version {} is not 1, 2 or 3", version ? *version : 0);
  const size_t lengthBytes = *version == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < lengthBytes; ++i) {
    auto byte = readAt<uint8_t>(bytes, 8 + i);
    if (!byte)
      return tl::unexpected(byte.error());
    length |= size_t(*byte) << (8 * i);
  }
  const size_t begin = 8 + lengthBytes;
  if (length > kMaxHeaderBytes || length > bytes.size() - begin)
    return fail("byte 8: a header of {} bytes does not fit", length);
  return std::pair(text.substr(begin, length), begin + length);
}

} // namespace

Expected<Array> parseNpy(ByteSpan bytes) {
  auto header = findHeader(bytes);
  if (!header)
    return tl::unexpected(header.error());
  auto type = parseType(header->first);
  if (!type)
    return tl::unexpected(type.error());
  if (!after(header->first, "fortran_order").starts_with("False"))
    return fail("the array is in Fortran order; store it with numpy.ascontiguousarray");
  auto shape = parseShape(header->first);
  if (!shape)
    return tl::unexpected(shape.error());
  auto size = byteSizeOf(*type, *shape);
  const size_t rest = bytes.size() - header->second;
  if (!size || *size != rest)
    return fail("byte {}: {} takes {} bytes, the file has {}", header->second,
                describe(*type, *shape), size ? fmt::to_string(*size) : "too many", rest);
  const ByteSpan data = bytes.subspan(header->second);
  return Array{*type, std::move(*shape), Bytes(data.begin(), data.end())};
}

Bytes formatNpy(const Array &array) {
  std::string_view type;
  for (const TypeName &row : kTypes)
    if (row.type == array.type)
      type = row.text;
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                  fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  const size_t prefix = kMagic.size() + 4;
  while ((prefix + header.size() + 1) % kHeaderAlignment)
    header += ' ';
  header += '\n';
  Bytes bytes(kMagic.begin(), kMagic.end());
  bytes.push_back(1);
  bytes.push_back(0);
  append(bytes, uint16_t(header.size()));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), array.data.begin(), array.data.end());
  return bytes;
}

} // namespace tenon::cli
