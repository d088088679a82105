import Foundation
import MediaCore
import ProRes
import QuickTime

/// Kills recorders at random moments.
struct Kills {
  let material: Material
  let number: Int
  let folder: String

  /// Frames of a whole take: the last kills happen while it finishes, or later.
  static let frameCount = 50
  /// How much faster than real time a take is recorded: fragments are closed by media time.
  static let speed = 4.0

  func run(_ random: inout SplitMix64, _ trials: Int) throws -> Tally {
    var tally = Tally()
    let path = "\(folder)/killed.mov"
    let counter = try Counter(path: "\(folder)/counter")
    for trial in 0..<trials {
      counter.value = 0
      let child = Process()
      child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      child.arguments = ["child", folder, "\(number)"]
      try child.run()
      // The child counts from 1 when it is ready.
      while counter.value == 0 && child.isRunning { usleep(200) }
      let length = Double(Self.frameCount) / Material.rate.framesPerSecond / Self.speed
      usleep(UInt32(Double.random(in: 0...(length * 1.15), using: &random) * 1e6))
      kill(child.processIdentifier, SIGKILL)
      child.waitUntilExit()
      let appended = max(Int(counter.value) - 1, 0)
      try judge(path, appended: appended, "kill \(trial)", &tally)
    }
    return tally
  }

  private func judge(
    _ path: String, appended: Int, _ what: String, _ tally: inout Tally
  ) throws {
    let asItIs = Remainder(path, material)
    let began = DispatchTime.now().uptimeNanoseconds
    do throws(QuickTimeError) {
      let outcome = try MovieRecovery.recover(path: path)
      tally.slowest = max(tally.slowest, DispatchTime.now().uptimeNanoseconds - began)
      if !outcome.wasRecovered { tally.finished += 1 }
    } catch {
      guard error.code == .nothingRecorded || error.code == .notAMovie else {
        tally.faults.append("\(what): \(error)")
        return
      }
      tally.empty += 1
      tally.add(lost: appended)
      return
    }
    let recovered = Remainder(path, material, decodes: tally.isToDecode)
    tally.add(lost: max(appended - recovered.frames, 0))
    tally.add(recovered, hasAudio: material.hasAudio)
    if !recovered.fault.isEmpty { tally.faults.append("\(what): \(recovered.fault)") }
    // A reader of the unrecovered file must see at least as much.
    if asItIs.frames < recovered.frames {
      tally.faults.append("\(what): \(asItIs.frames) frames before, \(recovered.frames) after")
    }
  }

  /// Records in the child process until it is killed.
  static func child(_ folder: String, _ number: Int) throws {
    let material = try Material.load(from: folder, number)
    let memory = material.alignedFrames()
    let counter = try Counter(path: "\(folder)/counter")
    let (writer, tracks) = try material.begin("\(folder)/killed.mov")
    counter.value = 1
    let clock = ContinuousClock()
    let start = clock.now
    for frame in 0..<frameCount {
      // Counted before the frame is handed over, so that a frame in progress counts as lost.
      counter.value = UInt64(frame) + 2
      try material.append(frame, memory, to: writer, tracks)
      let due = Double(frame + 1) / Material.rate.framesPerSecond / speed
      let ahead = .seconds(due) - start.duration(to: clock.now)
      if ahead > .zero { usleep(UInt32(ahead / .microseconds(1))) }
    }
    _ = try writer.finish()
  }
}

/// A number shared by two processes.
final class Counter {
  private let memory: UnsafeMutablePointer<UInt64>

  init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, 4096) == 0,
      let mapped = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      mapped != MAP_FAILED
    else { throw Failure(message: "\(path): cannot be shared") }
    close(descriptor)
    memory = mapped.assumingMemoryBound(to: UInt64.self)
  }

  deinit { munmap(memory, 4096) }

  var value: UInt64 {
    get { memory.pointee }
    set { memory.pointee = newValue }
  }
}

extension Material {
  /// Leaves the frames for the recording processes.
  func save(to folder: String, _ number: Int) throws {
    var data = Data()
    for frame in frames {
      withUnsafeBytes(of: UInt32(frame.count)) { data.append(contentsOf: $0) }
      data.append(contentsOf: frame)
    }
    let facts = "\(width) \(height) \(hasAudio) \(profile == .hq)"
    try facts.write(toFile: "\(folder)/facts-\(number)", atomically: true, encoding: .utf8)
    try data.write(to: URL(fileURLWithPath: "\(folder)/frames-\(number)"))
  }

  static func load(from folder: String, _ number: Int) throws -> Material {
    let facts = try String(contentsOfFile: "\(folder)/facts-\(number)", encoding: .utf8)
      .split(separator: " ").map(String.init)
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/frames-\(number)")))
    var frames: [[UInt8]] = []
    var offset = 0
    while offset + 4 <= data.count {
      let size = data.withUnsafeBytes {
        Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      }
      frames.append(Array(data[(offset + 4)..<(offset + 4 + size)]))
      offset += 4 + size
    }
    return Material(
      name: "", profile: facts[3] == "true" ? .hq : .proxy, width: Int(facts[0]) ?? 0,
      height: Int(facts[1]) ?? 0, hasAudio: facts[2] == "true", frames: frames)
  }
}
