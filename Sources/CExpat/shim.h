#pragma once
#include <expat.h>

// Newer versions of expat have a replacement for this function, which older ones lack.
static inline unsigned long cexpat_line(XML_Parser parser) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return (unsigned long)XML_GetCurrentLineNumber(parser);
#pragma GCC diagnostic pop
}
