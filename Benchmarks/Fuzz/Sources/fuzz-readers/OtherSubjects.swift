import AssetReader
import MediaCore
import ProRes
import Takes
import VideoRecorder

/// The bitstream of a ProRes frame, decoded slice by slice.
struct FrameSubject: Subject {
  let name = "frame"
  let share = 0.02
  private let seeds: [([UInt8], Mutation)]
  private let checker = FrameChecker(decodesSlices: true)

  init(seeds: [[UInt8]]) {
    // Headers and the slice table matter more than the slices' contents.
    self.seeds = seeds.map {
      let head = min(220, $0.count)
      return ($0, Mutation(places: [0..<head, 0..<head, 0..<$0.count], numberSizes: [1, 2, 4]))
    }
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let (bytes, mutation) = seeds.randomElement(using: &random) else { return [] }
    return mutation.apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool { checker.check(input).isValid }
}

/// Y4M, from beginning to end.
struct Y4MSubject: Subject {
  let name = "y4m"
  let share = 0.05
  private let file: ScratchFile
  private let seeds: [[UInt8]]

  init() throws {
    file = try ScratchFile("take.y4m")
    seeds = [
      ("YUV4MPEG2 W16 H8 F30000:1001 Ip A1:1 C422p10 XCOLORRANGE=LIMITED", 16 * 8 * 4),
      ("YUV4MPEG2 W16 H8 F25:1 It A0:0 C420jpeg", 16 * 8 * 3 / 2),
      ("YUV4MPEG2 W16 H8 F24:1 C444p12", 16 * 8 * 6), ("YUV4MPEG2 W16 H8 F24:1 Cmono", 16 * 8),
    ].map { header, size in
      let frame = [UInt8]("FRAME\n".utf8) + [UInt8](repeating: 1, count: size)
      return [UInt8]((header + "\n").utf8) + frame + frame
    }
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let bytes = seeds.randomElement(using: &random) else { return [] }
    let header = 0..<(bytes.firstIndex(of: 10) ?? 0) + 7
    return Mutation(places: [header, header, 0..<bytes.count], numberSizes: [1, 2])
      .apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    file.fill(input)
    do {
      let reader = try AssetReader(AssetLocation(path: file.path))
      while try reader.nextSample() != nil {}
      return true
    } catch {
      return false
    }
  }
}

/// Presets.
struct PresetSubject: Subject {
  let name = "preset"
  let share = 0.06
  private let file: ScratchFile
  private let library: PresetLibrary
  private let seeds: [[UInt8]]

  init() throws {
    file = try ScratchFile("take.toml")
    library = PresetLibrary(userFolder: "/nonexistent")
    let library = library
    seeds = library.entries.compactMap { entry in
      (try? library.text(named: entry.name)).map { text in
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return [UInt8](lines.joined(separator: "\n").utf8)
      }
    }
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let bytes = seeds.randomElement(using: &random) else { return [] }
    return Mutation(whole: bytes).apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    file.fill(input)
    return (try? library.preset(named: file.path)) != nil
  }
}

/// Raw video files, in the format that their location states.
struct RawSubject: Subject {
  let name = "raw"
  let share = 0.01
  private let file: ScratchFile
  private static let seeds = [
    "size=16x8&rate=25&format=v210", "size=64x2&rate=59.94&format=uyvy&color=pq&range=full",
    "size=8x8&rate=30000/1001&format=yuv444p12&fields=tff", "size=640x360&rate=24&format=nv12",
  ].map { [UInt8]($0.utf8) }

  init() throws {
    file = try ScratchFile("take.raw")
    file.fill([UInt8](repeating: 128, count: 10_000))
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let bytes = Self.seeds.randomElement(using: &random) else { return [] }
    return Mutation(whole: bytes).apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    var images = 0
    do {
      let text = "\(file.path)?\(String(decoding: input, as: UTF8.self))"
      let reader = try AssetReader(AssetLocation(text))
      while images < 100, try reader.nextSample() != nil { images += 1 }
    } catch {}
    // Few sizes divide the file without a remainder: one frame is enough.
    return images > 0
  }
}

/// What users write for devices, durations, limits and names.
struct OptionSubject: Subject {
  let name = "options"
  let share = 0.046
  private static let seeds = [
    "pattern:bars?pace=none&drop=0.001&damage=0.01&stall=100,2.5&signal=3,2&unplug=9&ppm=-100&seed=7",
    "tone?ppm=100&drop=0.01&rate=29.97&pace=pattern&seed=7", "file:/nonexistent?loop=yes&pace=none",
    "1m30s", "300f", "90.5s", "500MB", "4GB", "30000/1001", "59.94", "01:00:00;00", "23:59:59:29",
    "{reel}_{scene}-{take}_{date}-{time}_{counter}.mov", "3840x2160",
  ].map { [UInt8]($0.utf8) }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let bytes = Self.seeds.randomElement(using: &random) else { return [] }
    return Mutation(whole: bytes).apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    let text = String(decoding: input, as: UTF8.self)
    var isKnown = false
    // Skips devices that would be searched for in the machine, which must not happen a million times.
    if text.hasPrefix("pattern") || text.hasPrefix("tone") || text.hasPrefix("file:/nonexistent") {
      isKnown = (try? CaptureDevice.device(identifier: text)) != nil
    }
    if let duration = RecordingDuration(text) {
      isKnown = true
      _ = duration.frameCount(at: .fps59_94)
      _ = duration.time(at: .fps23_976)
    }
    isKnown = isKnown || SegmentLimit(text) != nil || VideoDimensions(text) != nil
    for rate in [FrameRate(text), .fps29_97, .fps25].compactMap(\.self) {
      guard let timecode = Timecode(text, frameRate: rate) else { continue }
      isKnown = true
      _ = timecode.advanced(by: 1 << 40).description
    }
    guard let name = try? MovieName(text) else { return isKnown }
    return (try? name.path(MovieName.Values()) { _ in false }) != nil
  }
}
