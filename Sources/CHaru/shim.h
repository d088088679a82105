#pragma once
#include <hpdf.h>
