import CCurl
import Glibc
import MediaCore

/// The state of a request for libcurl's callbacks, which all come on one thread.
final class Exchange {
  let request: StorageRequest
  let isCancelled: @Sendable () -> Bool
  private let limit: Int
  private var sent: Int64 = 0
  private var status = 0
  private var headers: [String: String] = [:]
  private var body: [UInt8] = []
  private var isOverlong = false
  /// True if the request is for a range that does not start at the object's beginning.
  private let wantsRest: Bool
  private var isRefusedRange = false
  private var sourceFailure: ObjectStorageError?

  init(_ request: StorageRequest, _ isCancelled: @escaping @Sendable () -> Bool, limit: Int) {
    (self.request, self.isCancelled, self.limit) = (request, isCancelled, limit)
    wantsRest = request.headers.contains { $0.0 == "range" && !$0.1.hasPrefix("bytes=0-") }
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Provides bytes of the body, delayed by the speed limit, if any.
  func read(_ whole: UnsafeMutableRawBufferPointer) -> Int64 {
    let room = min(whole.count, request.speedLimit?.chunk ?? whole.count)
    let buffer = UnsafeMutableRawBufferPointer(rebasing: whole[..<room])
    let count: Int
    switch request.body {
    case .none: return 0
    case .bytes(let bytes):
      count = min(buffer.count, bytes.count - Int(sent))
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(sent)..<Int(sent) + count]))
      }
    case .file(let file, let range):
      let place = range.lowerBound + sent
      let room = min(buffer.count, Int(range.upperBound - place))
      if room == 0 { return 0 }
      do throws(ObjectStorageError) {
        count = try file.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]), at: place)
        if count == 0 { throw .changed(file.name) }
      } catch {
        sourceFailure = error
        return -1
      }
    }
    request.speedLimit?.wait(for: count, isCancelled: isCancelled)
    sent += Int64(count)
    request.onSent?(count)
    return Int64(count)
  }

  func header(_ line: UnsafeRawBufferPointer) {
    let text = String(decoding: line, as: UTF8.self)
    // Another response (after 100 Continue) starts over.
    if text.hasPrefix("HTTP/") {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return headers.removeAll()
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    let end = value.lastIndex { !$0.isWhitespace }.map { value.index(after: $0) }
    headers[text[..<colon].lowercased()] = String(value[..<(end ?? value.startIndex)])
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    request.speedLimit?.wait(for: bytes.count, isCancelled: isCancelled)
    // A server without range support starts from the beginning.
    if request.sink != nil, wantsRest, status == 200 {
      isRefusedRange = true
      return false
    }
    // The body of an error response is not part of the object.
    if let sink = request.sink, (200..<300).contains(status) { return sink(bytes) }
    guard body.count + bytes.count <= limit else {
      isOverlong = true
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// The response, once libcurl is done.
  func answer(_ result: transfer_result) throws(TransportFailure) -> StorageAnswer {
    if let sourceFailure { throw TransportFailure(.source(sourceFailure), sourceFailure.message) }
    let message = withUnsafeBytes(of: result.message) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    switch result.outcome {
    case transfer_answered:
      return StorageAnswer(status: Int(result.status), headers: headers, body: body)
    case transfer_unreachable: throw TransportFailure(.unreachable, message)
    case transfer_untrusted: throw TransportFailure(.untrusted, message)
    case transfer_ended_by_caller where isCancelled():
      throw TransportFailure(.cancelled, "interrupted")
    case transfer_ended_by_caller where isRefusedRange:
      throw TransportFailure(
        .impossible,
        "it sends the whole object instead of the requested part, so it cannot be continued")
    case transfer_ended_by_caller where isOverlong:
      throw TransportFailure(
        .impossible, "it answers with more than \(limit) bytes, which no store does")
    case transfer_impossible: throw TransportFailure(.impossible, message)
    default: throw TransportFailure(.broken, message)
    }
  }
}
