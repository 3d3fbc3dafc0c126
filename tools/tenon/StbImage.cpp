// SPDX-License-Identifier: Apache-2.0
// The one place that compiles stb's decoders and resizer.
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
// The decoders that hold against a fuzzer; 16-bit PNM and GIF do not.
#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include <stb/stb_image_resize.h>
