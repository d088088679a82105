#pragma once

#include "CLateCalls.h"

extern late_library libav_format, libav_codec;
