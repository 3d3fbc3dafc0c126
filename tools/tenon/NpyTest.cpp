// SPDX-License-Identifier: Apache-2.0
// .npy files: a file NumPy wrote, round trips, and every way to be wrong.
#include "tools/tenon/Npy.h"

#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::cli;
using package::ElementType;

namespace {

Bytes bytesOf(std::string_view text) { return Bytes(text.begin(), text.end()); }

/// Version 1 with \p header as it stands.
Bytes file(std::string header, size_t dataBytes) {
  Bytes bytes = bytesOf("\x93NUMPY");
  bytes.push_back(1);
  bytes.push_back(0);
  append(bytes, uint16_t(header.size()));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.resize(bytes.size() + dataBytes);
  return bytes;
}

std::string errorOf(const Bytes &bytes) {
  auto array = parseNpy(bytes);
  return array ? "no error" : array.error().message;
}

// numpy.save of numpy.array([[1, -2, 3]], dtype=numpy.int16), NumPy 2.3.
TEST(Npy, ReadsWhatNumpyWrote) {
  Bytes bytes = bytesOf("\x93NUMPY");
  for (uint8_t byte : {1, 0, 0x76, 0})
    bytes.push_back(byte);
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }";
  header.resize(0x75, ' ');
  header += '\n';
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (uint8_t byte : {1, 0, 0xFE, 0xFF, 3, 0})
    bytes.push_back(byte);
  auto array = parseNpy(bytes);
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(describe(array->type, array->shape), "int16[1,3]");
  EXPECT_EQ(valueAt(*array, 1), -2);
  EXPECT_EQ(formatNpy(*array), bytes);
}

TEST(Npy, RoundTripsEveryTypeAndRank) {
  for (auto type :
       {ElementType::I8, ElementType::U8, ElementType::I16, ElementType::I32, ElementType::I64,
        ElementType::F16, ElementType::F32, ElementType::F64, ElementType::Bool})
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {4}, {2, 3}, {0, 5}, {1, 1, 2, 1, 1}}) {
      Array array{type, shape, Bytes(*byteSizeOf(type, shape), 1)};
      auto back = parseNpy(formatNpy(array));
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->data, array.data);
    }
}

TEST(Npy, RefusesWhatItCannotRead) {
  const std::string good = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }";
  EXPECT_EQ(errorOf(file(good, 2)), "no error");
  EXPECT_EQ(errorOf({}), "byte 0: not an .npy file");
  EXPECT_EQ(errorOf(bytesOf("\x93NUMPY\x07")), "byte 6: .npy version 7 is not 1, 2 or 3");
  EXPECT_NE(errorOf(bytesOf("\x93NUMPY\x01")), "no error");
  EXPECT_EQ(errorOf(file(good, 1)), "byte 67: uint8[2] takes 2 bytes, the file has 1");
  EXPECT_EQ(errorOf(file(good, 3)), "byte 67: uint8[2] takes 2 bytes, the file has 3");
  EXPECT_NE(errorOf(file("{'descr': '>i2', 'fortran_order': False, 'shape': (), }", 2)).find(">i2"),
            std::string::npos);
  EXPECT_NE(
      errorOf(file("{'descr': '|u1', 'fortran_order': True, 'shape': (1,), }", 1)).find("Fortran"),
      std::string::npos);
  EXPECT_EQ(errorOf(file("{'descr': '|u1', 'fortran_order': False}", 1)),
            "the header has no shape");
  EXPECT_EQ(errorOf(file("{'descr': '|u1', 'fortran_order': False, 'shape': (-1,), }", 1)),
            "dimension 0 of the shape is '-1'");
  EXPECT_EQ(errorOf(file("{'descr': '|u1', 'fortran_order': False, "
                         "'shape': (9223372036854775807, 9223372036854775807), }",
                         1))
                .find("byte "),
            0u);
}

TEST(Npy, NoPrefixCrashes) {
  const Bytes whole = formatNpy(Array{ElementType::F32, {3, 2}, Bytes(24)});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(parseNpy(ByteSpan(whole).first(size))) << size;
}

} // namespace
