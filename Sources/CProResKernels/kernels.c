#include "CProResKernels.h"
