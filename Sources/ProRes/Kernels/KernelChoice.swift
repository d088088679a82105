import CProResKernels
import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Which implementation of the hot loops an encoder uses. All write the same bytes.
public enum KernelChoice: String, Sendable, Hashable, CaseIterable {
  /// The plain Swift version that the others are checked against. Slow.
  case reference
  /// Portable C, for any processor.
  case c
  /// x86 with AVX2 and BMI2.
  case avx2
  /// x86 with AVX-512 (F, BW, VL, DQ, CD) and VNNI: Cascade Lake, Ice Lake, Zen 4 and later.
  case avx512
  /// 64-bit Arm.
  case neon

  /// The environment variable that forces a choice: `PRORES_KERNELS=c`.
  public static let environmentVariable = "PRORES_KERNELS"

  /// What the environment forces, else the fastest that this processor can run.
  ///
  /// - Throws: ``ProResError/Code/invalidConfiguration`` where the environment names something
  ///   unknown, or one that this processor or build does not support.
  public static func automatic() throws(ProResError) -> KernelChoice {
    guard let forced = getenv(environmentVariable).map({ String(cString: $0) }), !forced.isEmpty
    else { return available.last ?? .c }
    guard let choice = KernelChoice(rawValue: forced), choice.isAvailable else {
      throw ProResError(
        .invalidConfiguration,
        "\(environmentVariable)=\(forced) is not one of "
          + available.map(\.rawValue).joined(separator: ", ") + " on this machine")
    }
    return choice
  }

  /// What this processor and build can run, slowest first.
  public static var available: [KernelChoice] { allCases.filter(\.isAvailable) }

  /// True where this processor and build can run it.
  public var isAvailable: Bool { table != nil }

  /// The functions, for the life of the process.
  var table: UnsafePointer<prores_kernels>? {
    switch self {
    case .reference: ReferenceKernels.table
    case .c: prores_kernels_portable()
    case .avx2: prores_kernels_avx2()
    case .avx512: prores_kernels_avx512()
    case .neon: prores_kernels_neon()
    }
  }

  /// The decoder's functions, for the life of the process.
  var decoderTable: UnsafePointer<prores_decoder_kernels>? {
    switch self {
    case .reference: ReferenceDecoderKernels.table
    case .c: prores_decoder_kernels_portable()
    case .avx2: prores_decoder_kernels_avx2()
    case .avx512: prores_decoder_kernels_avx512()
    case .neon: prores_decoder_kernels_neon()
    }
  }
}
