#pragma once
#include <jxl/encode.h>
