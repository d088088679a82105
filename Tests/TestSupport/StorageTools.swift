import Foundation
package import Testing

/// moto, a server that behaves as Amazon S3 does, and botocore, Amazon's own client.
package enum StorageTools {
  /// Without `awscrt` moto puts another checksum in the place of CRC-64/NVME.
  package static let environment: Result<PythonEnvironment, any Error> = Result {
    try PythonEnvironment(
      "moto-5.2.1",
      packages: [
        "moto[s3]==5.2.1", "flask==3.1.3", "flask-cors==6.0.5", "awscrt==0.38.1", "boto3==1.44.5",
      ])
  }

  package static var isPresent: Bool { (try? environment.get()) != nil }
  package static let absence: Comment =
    "moto, a server of object storage, cannot be installed from PyPI"
}

/// Why a server or a client was of no use.
package struct Unusable: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// A server of moto, on a port of its own, until its owner lets go of it.
package final class MotoServer: Sendable {
  /// A request that was answered.
  package struct Request: Sendable, Hashable {
    package var method: String
    package var path: String
    package var query: String
    package var status: Int
    /// Bytes of its body, and of the answer's.
    package var received: Int
    package var sent: Int
  }

  private let process: Process
  private let folder: TemporaryFolder
  package let port: Int

  /// What was answered so far, in order.
  package var requests: [Request] {
    get throws {
      String(decoding: try folder.bytes("requests"), as: UTF8.self).split(separator: "\n")
        .compactMap {
          let words = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
          guard words.count == 6, let status = Int(words[3]), let received = Int(words[4]),
            let sent = Int(words[5])
          else { return nil }
          return Request(
            method: words[0], path: words[1], query: words[2], status: status, received: received,
            sent: sent)
        }
    }
  }

  /// How often the part or the object that was taken most often was, and how many there were.
  package var taken: (most: Int, count: Int) {
    get throws {
      var counts: [String: Int] = [:]
      for request in try requests
      where request.method == "PUT" && request.status == 200 {
        let part = request.query.split(separator: "&").first { $0.hasPrefix("partNumber=") }
        counts["\(request.path) \(part ?? "")", default: 0] += 1
      }
      return (counts.values.max() ?? 0, counts.count)
    }
  }

  /// - Parameters:
  ///   - port: The port of a server before it; nil for any that is free.
  ///   - bucket: What it begins with; Amazon's client takes half a second of a processor to make it.
  package init(port: Int? = nil, bucket: String? = nil) throws {
    let python = try StorageTools.environment.get().python
    let folder = try TemporaryFolder()
    self.folder = folder
    _ = try folder.emptyFile("requests")
    let script = """
      import http.client, sys, threading
      from werkzeug.serving import make_server
      from moto.server import DomainDispatcherApplication, create_backend_app
      app = DomainDispatcherApplication(create_backend_app)
      requests = open(sys.argv[2], 'a', buffering=1)
      def counted(environ, start_response):
          status, sent = ['0'], 0
          def start(line, headers, exc_info=None):
              status[0] = line[:3]
              return start_response(line, headers, exc_info)
          for piece in app(environ, start):
              sent += len(piece)
              yield piece
          requests.write('\\t'.join([environ['REQUEST_METHOD'], environ['PATH_INFO'],
              environ['QUERY_STRING'], status[0], environ.get('CONTENT_LENGTH') or '0', str(sent)])
              + '\\n')
      server = make_server('127.0.0.1', int(sys.argv[1]), counted, threaded=True)
      def begin():
          for bucket in sys.argv[3:]:
              connection = http.client.HTTPConnection('127.0.0.1', server.port)
              connection.request('PUT', '/' + bucket)
              connection.getresponse().read()
          print(server.port, flush=True)
      threading.Thread(target=begin, daemon=True).start()
      def watch():
          sys.stdin.read()
          server.shutdown()
      threading.Thread(target=watch, daemon=True).start()
      server.serve_forever()
      """
    process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments =
      ["-c", script, "\(port ?? 0)", folder.path("requests")] + (bucket.map { [$0] } ?? [])
    // It ends with the test, however that ends.
    process.standardInput = Pipe()
    process.standardOutput = try FileHandle(forWritingTo: folder.emptyFile("port"))
    process.standardError = try FileHandle(forWritingTo: folder.emptyFile("log"))
    let process = process
    try Command.withSignalsUnblocked { try process.run() }
    var found: Int?
    try waitUntil("a port of moto") {
      found = Int(
        String(decoding: try folder.bytes("port"), as: UTF8.self)
          .trimmingCharacters(in: .whitespacesAndNewlines))
      return found != nil || !process.isRunning
    }
    guard let found else {
      throw Unusable(
        description: "moto: " + String(decoding: try folder.bytes("log"), as: UTF8.self))
    }
    self.port = found
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  package var environment: [String: String] {
    [
      "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)", "AWS_ACCESS_KEY_ID": "test",
      "AWS_SECRET_ACCESS_KEY": "hush", "AWS_REGION": "us-east-1",
    ]
  }

  /// Asks the server by Amazon's own client; what the script prints.
  @discardableResult
  package func boto(_ script: String) throws -> String {
    let begin = """
      import boto3, botocore
      s3 = boto3.client('s3', endpoint_url='http://127.0.0.1:\(port)', region_name='us-east-1',
        aws_access_key_id='test', aws_secret_access_key='hush')

      """
    let answer = try StorageTools.environment.get().run(["-c", begin + script])
    guard answer.status == 0 else { throw Unusable(description: answer.errors) }
    return answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
