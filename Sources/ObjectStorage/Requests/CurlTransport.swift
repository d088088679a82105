import CCurl
import Glibc
import MediaCore
import Synchronization

/// Sends requests with libcurl, which is loaded on demand, over persistent connections.
package final class CurlTransport: ObjectTransport {
  /// A connection.
  ///
  /// Unchecked because of the pointer: only one thread uses it at a time, because it is taken out
  /// of ``idle`` first.
  private struct Connection: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let idle = Mutex<[Connection]>([])
  private let authorities: String?
  private static let connectSeconds = 15
  /// The largest response in bytes, except for an object's content. No store sends more.
  private static let largestAnswer = 16 << 20

  /// - Parameter authorities: A file of certificates; nil for the system's.
  /// - Throws: ``ObjectStorageError/Code/unsupported`` if libcurl cannot be loaded.
  package init(authorities: String?) throws(ObjectStorageError) {
    self.authorities = authorities
    guard let reason = transfer_library_load() else { return }
    throw ObjectStorageError(
      .unsupported,
      "object storage needs libcurl, which cannot be loaded (\(String(cString: reason))); install "
        + "libcurl4")
  }

  deinit { idle.withLock { for connection in $0 { transfer_connection_free(connection.pointer) } } }

  package func send(
    _ request: StorageRequest, isCancelled: @Sendable () -> Bool
  ) throws(TransportFailure) -> StorageAnswer {
    let pooled = idle.withLock { $0.popLast() }
    guard let connection = pooled ?? transfer_connection_make().map({ Connection(pointer: $0) })
    else { throw TransportFailure(.impossible, "no memory for a connection") }
    defer { idle.withLock { $0.append(connection) } }
    return try withoutActuallyEscaping(isCancelled) { isCancelled throws(TransportFailure) in
      let exchange = Exchange(request, isCancelled, limit: Self.largestAnswer)
      let result = perform(exchange, over: connection)
      return try exchange.answer(result)
    }
  }

  private func perform(_ exchange: Exchange, over connection: Connection) -> transfer_result {
    let request = exchange.request
    // Lines without a value suppress headers that libcurl would add by default.
    let lines =
      request.headers.map { "\($0.0): \($0.1)" } + ["Expect:", "Accept:"]
      + (request.headers.contains { $0.0.lowercased() == "content-type" } ? [] : ["Content-Type:"])
    var pointers = lines.map { UnsafePointer<CChar>(strdup($0)) }
    defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
    pointers.append(nil)
    var result = transfer_result()
    let hasBody =
      switch request.body {
      case .none: false
      case .bytes, .file: true
      }
    pointers.withUnsafeBufferPointer { headers in
      request.method.withCString { method in
        request.url.withCString { url in
          withOptionalCString(authorities) { authorities in
            var call = transfer_request()
            (call.method, call.url, call.headers) = (method, url, headers.baseAddress)
            call.body_size = hasBody ? request.body.count : -1
            call.context = Unmanaged.passUnretained(exchange).toOpaque()
            call.read = { context, buffer, room in
              Exchange.of(context)?.read(UnsafeMutableRawBufferPointer(start: buffer, count: room))
                ?? -1
            }
            call.header = { context, line, length in
              Exchange.of(context)?.header(UnsafeRawBufferPointer(start: line, count: length))
            }
            call.write = { context, bytes, length in
              let isTaken = Exchange.of(context)?
                .write(UnsafeRawBufferPointer(start: bytes, count: length))
              return isTaken == true ? 0 : 1
            }
            call.is_cancelled = { Exchange.of($0)?.isCancelled() == true ? 1 : 0 }
            (call.connect_seconds, call.silent_seconds) = (Self.connectSeconds, request.patience)
            call.authorities = authorities
            transfer_perform(connection.pointer, &call, &result)
          }
        }
      }
    }
    return result
  }

  private func withOptionalCString(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Void
  ) {
    if let text { text.withCString { body($0) } } else { body(nil) }
  }
}
