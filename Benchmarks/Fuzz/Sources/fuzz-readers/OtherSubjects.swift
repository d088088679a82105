import AssetReader
import MediaCore
import ProRes
import VideoRecorder

/// The bitstream of a ProRes frame, decoded slice by slice.
struct FrameSubject: Subject {
  let name = "frame"
  let share = 0.2
  private let seeds: [([UInt8], Mutation)]
  private let checker = FrameChecker(decodesSlices: true)

  init(seeds: [[UInt8]]) {
    // Headers and the table of slices matter more than what slices hold.
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

/// Y4M, from its header to its end.
struct Y4MSubject: Subject {
  let name = "y4m"
  let share = 0.1
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
  let share = 0.098
  private let file: ScratchFile
  private let library: PresetLibrary
  private let seeds: [[UInt8]]

  init() throws {
    file = try ScratchFile("take.toml")
    library = PresetLibrary(userFolder: "/nonexistent")
    let library = library
    seeds = library.entries.compactMap { entry in
      (try? library.text(named: entry.name)).map { text in
        // Comments are no structure.
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
