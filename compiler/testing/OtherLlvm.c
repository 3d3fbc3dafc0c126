// SPDX-License-Identifier: Apache-2.0
// Stands for another version of a library that a process must hold only once.
int other_llvm(void) { return 0; }
