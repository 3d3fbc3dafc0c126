// SPDX-License-Identifier: Apache-2.0
// From --input to a network's inputs.
#pragma once
#include "tools/tenon/Array.h"

namespace tenon::cli {

/// Reads a file for each input of \p package. An item of \p files is FILE, taken in the model's
/// order, or NAME=FILE; a file ending in .npy holds the tensor, any other is a picture. Fails,
/// naming the file or the input, if one is missing, left over, or of another type or shape.
Expected<std::vector<Array>> readInputs(const package::Package &package,
                                        const std::vector<std::string> &files);

/// Values for each input that depend on \p seed alone: any byte for integers, [-1, 1) for floats.
std::vector<Array> randomInputs(const package::Package &package, uint64_t seed);

} // namespace tenon::cli
