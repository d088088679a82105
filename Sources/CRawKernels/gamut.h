#ifndef RAW_GAMUT_H
#define RAW_GAMUT_H

#include "CRawDevelop.h"

// Multiplies chroma, at the same lightness and hue. A chroma of a quarter of Oklab's unit counts as
// strong.
void raw_saturate(const raw_develop *plan, float *r, float *g, float *b, size_t count);

// Maps colors into the gamut at the same hue in Oklab, except for blue, where the gamut's surface
// at equal hue and lightness is so concave that colors just outside would suddenly lose most of
// their chroma.
void raw_map_gamut(const raw_develop *plan, float *r, float *g, float *b, size_t count);

#endif
