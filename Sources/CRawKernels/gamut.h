#ifndef RAW_GAMUT_H
#define RAW_GAMUT_H

#include "CRawDevelop.h"

// Multiplies chroma, at the same lightness and hue. Colors of a quarter of Oklab's unit are strong.
void raw_saturate(const raw_develop *plan, float *r, float *g, float *b, size_t count);

// Brings colors into the gamut: at the same hue in Oklab, but for blue, where the gamut is so hollow along
// equal hue and lightness that colors just beyond its edge would lose most of their chroma at once.
void raw_map_gamut(const raw_develop *plan, float *r, float *g, float *b, size_t count);

#endif
