// SPDX-License-Identifier: Apache-2.0
// Several threads, on sessions of their own and on one together; meant for the tsan preset.
#include <thread>

#include <gtest/gtest.h>

#include "runtime/api/tenon.hpp"
#include "runtime/testing/TestNetwork.h"

namespace tenon::runtime {
namespace {

constexpr int kThreads = 4, kRuns = 50;

template <typename Body> void inThreads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Threads, SessionsOfTheirOwn) {
  RuntimePackage package = RuntimePackage::open(*package::write(makeNetwork()));
  inThreads([&](int thread) {
    RuntimeSession session(package);
    for (int i = 0; i < kRuns; ++i) {
      auto *in = static_cast<uint8_t *>(session.input(0));
      std::fill_n(in, 48, static_cast<uint8_t>(thread * 30 + i % 20));
      session.run();
      EXPECT_EQ(static_cast<int8_t *>(session.output(0))[47],
                static_cast<int8_t>(thread * 30 + i % 20 - 128 + 105));
    }
  });
}

TEST(Threads, OneSessionTogether) {
  RuntimePackage package = RuntimePackage::open(*package::write(makeNetwork()));
  RuntimeSession session(package);
  inThreads([&](int) {
    for (int i = 0; i < kRuns; ++i) {
      session.run();
      EXPECT_EQ(session.profile()[1].cycles, 20u);
    }
  });
  EXPECT_EQ(static_cast<int8_t *>(session.output(0))[0], -23);
}

TEST(Threads, PackagesOpenedAndClosed) {
  Bytes bytes = *package::write(makeNetwork());
  inThreads([&](int) {
    for (int i = 0; i < 10; ++i)
      RuntimeSession(RuntimePackage::open(bytes)).run();
  });
}

TEST(Wrapper, ThrowsWhatTheRuntimeSays) {
  try {
    RuntimePackage::open("/nowhere.tenon");
    FAIL();
  } catch (const RuntimeError &error) {
    EXPECT_EQ(error.status, TENON_INVALID_ARGUMENT);
    EXPECT_NE(std::string(error.what()).find("/nowhere.tenon"), std::string::npos);
  }
}

} // namespace
} // namespace tenon::runtime
