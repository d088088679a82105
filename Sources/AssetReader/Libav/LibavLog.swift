import CFFmpeg
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Keeps libav's log off standard error and sorts it into journals.
///
/// A message belongs to the codec or format context that logs it, which carries its journal's
/// number in `opaque` (libavcodec copies it to the contexts of its threads). Contexts that libav
/// creates internally have none: their messages go to the journal of the calling thread's current
/// call.
enum LibavLog {
  /// The registration whose call a thread is in.
  private struct Listener {
    var number: UInt
    /// True if errors of contexts that libav created internally count as errors.
    var countsGuests: Bool
    /// The last error logged on the calling thread, not on a decoder's threads.
    var lastError: String?
  }

  private struct State {
    var next: UInt = 1
    var journals: [UInt: LibavMessageLog] = [:]
    var present: [pthread_t: Listener] = [:]
  }

  private static let state = Mutex(State())
  private static let installation: Void = av_log_set_callback { context, level, format, arguments in
    LibavLog.receive(context, level, format, arguments)
  }

  /// An entry in the registry, kept while contexts may log.
  final class Registration: Sendable {
    let number: UInt
    let journal: LibavMessageLog

    init(_ journal: LibavMessageLog) {
      _ = LibavLog.installation
      self.journal = journal
      number = LibavLog.state.withLock { state in
        defer { state.next += 1 }
        state.journals[state.next] = journal
        return state.next
      }
    }

    deinit {
      let number = number
      LibavLog.state.withLock { $0.journals[number] = nil }
    }

    /// The value for a context's `opaque`. It is a number, never dereferenced as a pointer.
    var opaque: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: number) }

    /// Runs `body` and sends libav's messages on this thread to the journal.
    ///
    /// - Parameter countsGuests: False if messages of contexts that libav creates internally are
    ///   harmless, like those of its probing decoders.
    func listen<Result, Failure: Error>(
      countsGuests: Bool = true, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let thread = pthread_self()
      let listener = Listener(number: number, countsGuests: countsGuests)
      let before = LibavLog.state.withLock { state in
        defer { state.present[thread] = listener }
        return state.present[thread]
      }
      defer { LibavLog.state.withLock { $0.present[thread] = before } }
      return try body()
    }

    /// The last error logged during the current call of ``listen(countsGuests:_:)``; nil if none.
    var errorOfCall: String? {
      LibavLog.state.withLock { $0.present[pthread_self()]?.lastError }
    }
  }

  private static func receive(
    _ context: UnsafeMutableRawPointer?, _ level: Int32, _ format: UnsafePointer<CChar>?,
    _ arguments: CVaListPointer?
  ) {
    guard level <= AV_LOG_WARNING, let format, let arguments else { return }
    let owner = owner(of: context)
    let (journal, counts) = state.withLock { state -> (LibavMessageLog?, Bool) in
      if let owner { return (state.journals[owner], true) }
      let guest = state.present[pthread_self()]
      return (guest.flatMap { state.journals[$0.number] }, guest?.countsGuests ?? false)
    }
    guard let journal else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      guard let base = buffer.baseAddress, vsnprintf(base, buffer.count, format, arguments) > 0
      else { return "" }
      return String(cString: base)
    }
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    guard !line.isEmpty else { return }
    let isError = counts && level <= AV_LOG_ERROR
    journal.note(line, isError: isError)
    if isError { state.withLock { $0.present[pthread_self()]?.lastError = line } }
  }

  private static func owner(of context: UnsafeMutableRawPointer?) -> UInt? {
    var present = context
    // A context, its parent, and so on: libav nests three deep at most.
    for _ in 0..<4 {
      guard let context = present,
        let type = context.load(as: UnsafePointer<AVClass>?.self)
      else { return nil }
      var opaque: UnsafeMutableRawPointer?
      if type == avcodec_get_class() {
        opaque = context.assumingMemoryBound(to: AVCodecContext.self).pointee.opaque
      } else if type == avformat_get_class() {
        opaque = context.assumingMemoryBound(to: AVFormatContext.self).pointee.opaque
      }
      if let opaque { return UInt(bitPattern: opaque) }
      let offset = Int(type.pointee.parent_log_context_offset)
      guard offset > 0 else { return nil }
      present = (context + offset).load(as: UnsafeMutableRawPointer?.self)
    }
    return nil
  }
}
