import Foundation
import Synchronization

/// Judges' answers about unchanged files, and the sources they generated. Starting such a program
/// takes a tenth of a second of processor time, and tests ask the same again and again.
enum JudgeMemory {
  private struct Question: Hashable {
    var program: String
    var arguments: [String]
    var inode: UInt
    var size: Int
    var changes: [Int]
  }

  private static let answers = Mutex<[Question: Command.Result]>([:])
  private static let sources = Mutex<[[String]: Data]>([:])
  /// Programs whose answer depends only on their arguments and on the file named by the last
  /// argument.
  private static let readers: Set = ["ffprobe", "mediainfo", "exiftool"]
  /// Larger sources are not kept.
  private static let largestSource = 4 << 20

  /// The answer to a question about a file, asked once.
  static func answer(
    _ program: String, _ arguments: [String], asking: () throws -> Command.Result
  ) rethrows -> Command.Result {
    guard let question = question(program, arguments) else { return try asking() }
    if let known = answers.withLock({ $0[question] }) { return known }
    let result = try asking()
    answers.withLock { $0[question] = result }
    return result
  }

  private static func question(_ program: String, _ arguments: [String]) -> Question? {
    guard readers.contains(program), let path = arguments.last else { return nil }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Question(
      program: program, arguments: arguments, inode: UInt(facts.st_ino), size: Int(facts.st_size),
      changes: [
        facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, facts.st_ctim.tv_sec, facts.st_ctim.tv_nsec,
      ])
  }

  /// Makes ffmpeg write a file from generators alone, or writes its earlier result for the same
  /// ones.
  ///
  /// - Returns: False if the arguments are of another kind and nothing was done.
  static func source(_ arguments: [String], making: () throws -> Void) throws -> Bool {
    guard let path = arguments.last, path.hasPrefix("/"), !path.contains("%"),
      isGenerated(arguments)
    else { return false }
    let file = URL(filePath: path)
    let recipe: [String] = arguments.dropLast() + [file.pathExtension]
    if let known = sources.withLock({ $0[recipe] }) {
      try known.write(to: file)
      return true
    }
    try making()
    if let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size < largestSource {
      let data = try Data(contentsOf: file)
      sources.withLock { $0[recipe] = data }
    }
    return true
  }

  /// True if every input is a generator of libavfilter, and no option names a file.
  private static func isGenerated(_ arguments: [String]) -> Bool {
    let inputs = arguments.indices.filter { arguments[$0] == "-i" }
    let others = arguments.dropLast().filter { $0.hasPrefix("/") || $0.contains("=/") }
    return !inputs.isEmpty && others.isEmpty
      && inputs.allSatisfy { $0 >= 2 && arguments[($0 - 2)..<$0].elementsEqual(["-f", "lavfi"]) }
  }
}
