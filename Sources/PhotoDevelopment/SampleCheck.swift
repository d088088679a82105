import DNG
import Synchronization

/// Checks a photo's samples when they are decoded for its image; only once, because an image may be rendered
/// several times.
final class SampleCheck: Sendable {
  private struct Findings {
    /// Samples that are infinite or NaN.
    let notFiniteCount: Int
    /// True if the samples do not match the file's digest; false without a digest, or with one that is not
    /// understood.
    let disagreesWithDigest: Bool
  }

  private let file: DNGFile
  private let findings = Mutex<Findings?>(nil)

  init(_ file: DNGFile) { self.file = file }

  /// Counts non-finite samples and checks the digest, which is that of the sensor's samples.
  func look(at samples: DNGSamples, of role: DNGFile.Role) {
    findings.withLock { findings in
      guard findings == nil else { return }
      findings = Findings(
        notFiniteCount: Self.notFiniteCount(samples),
        disagreesWithDigest: role == .raw && (try? file.verifyDigest(of: samples)) == false)
    }
  }

  private static func notFiniteCount(_ samples: DNGSamples) -> Int {
    guard case .floats(let image) = samples else { return 0 }
    return image.samples.withUnsafeBufferPointer { samples in
      var count = 0
      for sample in samples where !sample.isFinite { count += 1 }
      return count
    }
  }

  var notFiniteCount: Int { findings.withLock { $0?.notFiniteCount ?? 0 } }

  var disagreesWithDigest: Bool { findings.withLock { $0?.disagreesWithDigest ?? false } }
}
