// SPDX-License-Identifier: Apache-2.0
// Runs tests that need the device for tests.
#include <gtest/gtest.h>

#include "runtime/testing/TestNetwork.h"

int main(int argc, char **argv) {
  tenon::runtime::useFakeDevice();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
