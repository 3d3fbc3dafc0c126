# SPDX-License-Identifier: Apache-2.0
# What all lit tests share; tenon_lit_tests writes the file that loads this one.
import os

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.environment["PATH"] = os.pathsep.join(config.tools + [os.environ.get("PATH", "")])
