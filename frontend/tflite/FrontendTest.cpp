// SPDX-License-Identifier: Apache-2.0
// The reader against damage, refusals in words, and the arithmetic of scales.
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "frontend/tflite/Import.h"
#include "frontend/tflite/Model.h"
#include "frontend/tflite/Numerics.h"
#include "ir/TenonDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace tenon::tflite {
namespace {

Bytes load(const std::string &name) {
  std::ifstream file(std::string(TEST_MODELS) + "/" + name, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

Expected<mlir::OwningOpRef<mlir::ModuleOp>> import(mlir::MLIRContext &context, ByteSpan bytes) {
  context.loadDialect<ir::TenonDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                      mlir::tensor::TensorDialect, mlir::tosa::TosaDialect>();
  return importTflite(context, bytes);
}

std::string errorOf(ByteSpan bytes) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = import(context, bytes);
  return module ? "" : module.error().message;
}

/// A model of one operator between two int8[1,4] tensors.
Bytes oneOperator(BuiltinOperator code, int version, const char *custom = nullptr) {
  flatbuffers::FlatBufferBuilder b;
  const std::vector<int32_t> shape = {1, 4}, in = {0}, out = {1};
  std::vector<flatbuffers::Offset<fbs::Tensor>> tensors;
  for (const char *name : {"input_1", "result"})
    tensors.push_back(fbs::CreateTensorDirect(b, &shape, TensorType::INT8, 0, name));
  std::vector<flatbuffers::Offset<fbs::Operator>> operators = {
      fbs::CreateOperatorDirect(b, 0, &in, &out)};
  std::vector<flatbuffers::Offset<fbs::SubGraph>> graphs = {
      fbs::CreateSubGraphDirect(b, &tensors, &in, &out, &operators)};
  std::vector<flatbuffers::Offset<fbs::OperatorCode>> codes = {fbs::CreateOperatorCodeDirect(
      b, int8_t(std::min(int32_t(code), 127)), custom, version, code)};
  std::vector<flatbuffers::Offset<fbs::Buffer>> buffers = {fbs::CreateBuffer(b)};
  b.Finish(fbs::CreateModelDirect(b, 3, &codes, &graphs, nullptr, &buffers), "TFL3");
  return Bytes(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
}

TEST(Frontend, NamesAnOperatorItDoesNotKnow) {
  const std::string error = errorOf(oneOperator(BuiltinOperator::HARD_SWISH, 7));
  for (const char *part : {"operator 0 \"result\"", "HARD_SWISH", "version 7", "\"input_1\""})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Frontend, NamesACustomOperator) {
  const std::string error = errorOf(oneOperator(BuiltinOperator::CUSTOM, 1, "MyOp"));
  EXPECT_NE(error.find("CUSTOM MyOp"), std::string::npos) << error;
}

TEST(Frontend, RefusesAVersionOfTheFuture) {
  const std::string error = errorOf(oneOperator(BuiltinOperator::RELU, 99));
  EXPECT_NE(error.find("version 99 is newer than"), std::string::npos) << error;
}

TEST(Frontend, TranspositionNeedsAConstantOrder) {
  const std::string error = errorOf(oneOperator(BuiltinOperator::TRANSPOSE, 1));
  EXPECT_NE(error.find("(TRANSPOSE): input 1 must be a constant"), std::string::npos) << error;
}

TEST(Frontend, SaysWhatIsNoModel) {
  EXPECT_NE(errorOf(Bytes{1, 2, 3}).find("not a TFLite file"), std::string::npos);
}

class Damage : public testing::TestWithParam<const char *> {};

TEST_P(Damage, NeverCrashes) {
  const Bytes model = load(GetParam());
  ASSERT_FALSE(model.empty()) << GetParam();
  ASSERT_EQ(errorOf(model), "");
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 700; ++i) {
    Bytes damaged = model;
    if (i % 4 == 0)
      damaged.resize(random() % damaged.size());
    else
      for (uint32_t flips = 1 + random() % 4; flips; --flips)
        damaged[random() % damaged.size()] ^= uint8_t(1 << random() % 8);
    const std::string error = errorOf(damaged);
    refused += !error.empty();
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
  EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(Models, Damage,
                         testing::Values("networks/kws_ds_cnn_int8.tflite",
                                         "networks/resnet8_int8.tflite",
                                         "networks/mobilenet_v1_0.25_128_quant.tflite"));

TEST(Numerics, MultiplierIsA31BitFraction) {
  EXPECT_EQ(quantizeMultiplier(0.5).value, 1 << 30);
  EXPECT_EQ(quantizeMultiplier(0.5).shift, 31);
  EXPECT_EQ(quantizeMultiplier(1.0).value, 1 << 30);
  EXPECT_EQ(quantizeMultiplier(1.0).shift, 30);
  EXPECT_EQ(quantizeMultiplier(0.75).value, 3 << 29);
  EXPECT_EQ(quantizeMultiplier(0).value, 0);
}

TEST(Numerics, ActivationBoundsAreInTheOutputsSteps) {
  const Bounds six = activationBounds(fbs::Activation::RELU6, 0.05f, -100);
  EXPECT_EQ(six.low, -100);
  EXPECT_EQ(six.high, 20);
  EXPECT_TRUE(activationBounds(fbs::Activation::NONE, 0.05f, 0).all());
  EXPECT_EQ(activationBounds(fbs::Activation::RELU_N1_TO_1, 0.1f, 0).low, -10);
}

TEST(Numerics, SoftmaxTableIsExp) {
  // beta * scale = 1/16: entry d is exp(-d / 16) with 31 fraction bits.
  const auto table = softmaxTable(1, 1.0 / 16);
  EXPECT_EQ(table[0], INT32_MAX);
  for (int d = 1; d < 256; ++d)
    EXPECT_NEAR(table[size_t(d)] / 2147483648.0, std::exp(-d / 16.0), 1e-6) << d;
}

} // namespace
} // namespace tenon::tflite
