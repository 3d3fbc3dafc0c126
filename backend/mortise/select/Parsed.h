// SPDX-License-Identifier: Apache-2.0
// What this backend uses of backend/patterns.
#pragma once
#include "backend/patterns/Parsed.h"

namespace tenon::mortise {

using patterns::AddParse;
using patterns::constantOf;
using patterns::ConvolutionKind;
using patterns::ConvolutionParse;
using patterns::CopyParse;
using patterns::EdgeCastParse;
using patterns::ElementwiseParse;
using patterns::Extents;
using patterns::extentsOf;
using patterns::Fusion;
using patterns::isConstant;
using patterns::isInteger;
using patterns::MeanParse;
using patterns::Parsed;
using patterns::perChannelOf;
using patterns::PoolParse;
using patterns::readClamp;
using patterns::readRescale;
using patterns::RescaleParse;
using patterns::ReshapeParse;
using patterns::shapeOf;
using patterns::SoftmaxParse;
using patterns::splatOf;

} // namespace tenon::mortise
