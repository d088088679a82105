/// The tone curve for files that have none.
///
/// DNG leaves it to the reader. To give photos the look that photographers expect, it follows what Adobe's
/// readers make of a gray ramp: the knots were fitted by least squares to a ramp of 65,536 grays rendered by DNG
/// SDK 1.7.1 with exposure and shadows at 0. In sRGB's curve the mean difference is 0.5 of 65535, the greatest 21.
enum DefaultToneCurve {
  static let spline = CubicSpline(knots)

  private static let knots: [SIMD2<Double>] = [
    SIMD2(0, 0), SIMD2(0.0007, 0.00056), SIMD2(0.0026, 0.00214),
    SIMD2(0.0059, 0.00463), SIMD2(0.0105, 0.00881), SIMD2(0.0164, 0.01588),
    SIMD2(0.0237, 0.02686), SIMD2(0.0322, 0.04177), SIMD2(0.0421, 0.06085),
    SIMD2(0.0533, 0.08411), SIMD2(0.0657, 0.11156), SIMD2(0.0796, 0.14416),
    SIMD2(0.0947, 0.18138), SIMD2(0.1111, 0.22379), SIMD2(0.1289, 0.26945),
    SIMD2(0.1479, 0.31576), SIMD2(0.1683, 0.36261), SIMD2(0.19, 0.40907),
    SIMD2(0.213, 0.45468), SIMD2(0.2373, 0.499), SIMD2(0.263, 0.5419),
    SIMD2(0.2899, 0.58281), SIMD2(0.3182, 0.62195), SIMD2(0.3478, 0.65914),
    SIMD2(0.3787, 0.69439), SIMD2(0.4109, 0.72771), SIMD2(0.4444, 0.75911),
    SIMD2(0.4793, 0.78868), SIMD2(0.5155, 0.81636), SIMD2(0.5529, 0.84208),
    SIMD2(0.5917, 0.86601), SIMD2(0.6318, 0.88809), SIMD2(0.6732, 0.90834),
    SIMD2(0.716, 0.92681), SIMD2(0.76, 0.94344), SIMD2(0.8054, 0.95829),
    SIMD2(0.8521, 0.97138), SIMD2(0.9001, 0.98266), SIMD2(0.9494, 0.99224),
    SIMD2(1, 1),
  ]
}
