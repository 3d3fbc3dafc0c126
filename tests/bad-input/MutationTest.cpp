// SPDX-License-Identifier: Apache-2.0
// Damaged model files through the whole program: cut short and with flipped bits, by a fixed seed.
// Each is compiled and run on NPU and host, whose bits must agree, or compiled to a file, in a
// forked child that may take 10 s and 2 GiB. It must succeed in silence or fail with one line that
// names the file, and leave no half package.
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/Files.h"
#include "tools/tenon/CommandLine.h"
#include "tools/tenon/Commands.h"

using namespace tenon;
namespace fs = std::filesystem;

namespace {

constexpr unsigned kTimeLimitSeconds = 10;
constexpr rlim_t kMemoryLimitBytes = rlim_t(2) << 30;
constexpr uint64_t kSeed = 20260711;
/// Three models: over 2,000 files. TENON_MUTATIONS asks for another number a model.
constexpr int kMutationsPerModel = 700;

struct Outcome {
  int status = 0; ///< of waitpid
  std::string err;
};

std::string readBack(int fd) {
  std::string text(size_t(lseek(fd, 0, SEEK_END)), '\0');
  const ssize_t n = pread(fd, text.data(), text.size(), 0);
  text.resize(n < 0 ? 0 : size_t(n));
  return text;
}

[[noreturn]] void runChild(const std::vector<const char *> &arguments, int err) {
  const rlimit memory{kMemoryLimitBytes, kMemoryLimitBytes}, noCore{0, 0};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &noCore);
  alarm(kTimeLimitSeconds);
  dup2(err, STDERR_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  const int code = cli::runCommandLine(int(arguments.size()), arguments.data());
  _exit(code);
}

Outcome runProgram(const std::vector<const char *> &arguments) {
  const int err = memfd_create("stderr", MFD_CLOEXEC);
  const pid_t child = fork();
  if (child == 0)
    runChild(arguments, err);
  Outcome outcome;
  waitpid(child, &outcome.status, 0);
  outcome.err = readBack(err);
  close(err);
  return outcome;
}

/// Little-endian words whose value is small are mostly offsets, sizes and counts of the file's
/// structure; weights rarely are.
bool looksStructural(const Bytes &bytes, size_t at) {
  const size_t word = at & ~size_t(3);
  return word + 4 <= bytes.size() && bytes[word + 3] == bytes[word + 2] &&
         (bytes[word + 3] == 0 || bytes[word + 3] == 0xFF);
}

size_t pickByte(const Bytes &bytes, bool structural, std::mt19937_64 &dice) {
  size_t at = dice() % bytes.size();
  for (int tries = 0; structural && tries < 10000 && !looksStructural(bytes, at); ++tries)
    at = dice() % bytes.size();
  return at;
}

/// A third cut short, a third one bit flipped anywhere, a third one to eight bits of structure.
Bytes mutate(Bytes bytes, int kind, std::mt19937_64 &dice) {
  if (kind == 0) {
    bytes.resize(dice() % bytes.size());
    return bytes;
  }
  const int flips = kind == 1 ? 1 : 1 + int(dice() % 8);
  for (int i = 0; i < flips; ++i)
    bytes[pickByte(bytes, kind == 2, dice)] ^= uint8_t(1u << (dice() % 8));
  return bytes;
}

/// Why \p outcome is not how the program may end; empty if it is.
std::string complaint(const Outcome &outcome, const std::string &name) {
  if (WIFSIGNALED(outcome.status))
    return "ended by signal " + std::to_string(WTERMSIG(outcome.status));
  const int code = WEXITSTATUS(outcome.status);
  if (code == cli::kDone)
    return outcome.err.empty() ? "" : "success, yet said: " + outcome.err;
  if (code != cli::kFailed)
    return "exit code " + std::to_string(code);
  const bool oneLine = !outcome.err.empty() && outcome.err.find('\n') == outcome.err.size() - 1;
  if (!oneLine || !outcome.err.starts_with("tenon: "))
    return "not one line: " + outcome.err;
  return outcome.err.find(name) == std::string::npos ? "does not name the file: " + outcome.err
                                                     : "";
}

int mutationsPerModel() {
  const char *wanted = std::getenv("TENON_MUTATIONS");
  return wanted ? std::atoi(wanted) : kMutationsPerModel;
}

class Mutation : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("tenon-mutation-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_P(Mutation, EndsWithOneLineOrWell) {
  const std::string name = "damaged.tflite", path = folder / name, package = folder / "p.tenon";
  auto whole = readFile(std::string(TENON_NETWORKS "/") + GetParam() + ".tflite");
  ASSERT_TRUE(whole) << whole.error().message;
  std::mt19937_64 dice(kSeed);
  int refused = 0, complaints = 0;
  const int count = mutationsPerModel();
  for (int i = 0; i < count; ++i) {
    const Bytes damaged = mutate(*whole, i % 3, dice);
    ASSERT_TRUE(writeFile(path, damaged));
    const auto outcome =
        i % 2 ? runProgram({"tenon", "compare", path.c_str()})
              : runProgram({"tenon", "compile", path.c_str(), "-o", package.c_str()});
    const std::string said = complaint(outcome, name);
    EXPECT_EQ(said, "") << "mutation " << i << " of " << GetParam();
    refused += WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == cli::kFailed;
    if (WEXITSTATUS(outcome.status) != cli::kDone || WIFSIGNALED(outcome.status))
      EXPECT_FALSE(fs::exists(package)) << "mutation " << i;
    fs::remove(package);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
    ASSERT_LT(complaints += !said.empty(), 10) << "giving up";
  }
  std::printf("%s: %d damaged files, %d refused, %d taken\n", GetParam(), count, refused,
              count - refused);
}

INSTANTIATE_TEST_SUITE_P(Models, Mutation,
                         testing::Values("kws_ds_cnn_int8", "resnet8_int8",
                                         "mobilenet_v1_0.25_128_quant"),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
