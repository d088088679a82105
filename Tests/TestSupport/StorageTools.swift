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
  private let process: Process
  package let port: Int

  /// - Parameter port: The port of a server before it; nil for any that is free.
  package init(port: Int? = nil) throws {
    let python = try StorageTools.environment.get().python
    let folder = try TemporaryFolder()
    let script = """
      import sys, threading
      from werkzeug.serving import make_server
      from moto.server import DomainDispatcherApplication, create_backend_app
      app = DomainDispatcherApplication(create_backend_app)
      server = make_server('127.0.0.1', int(sys.argv[1]), app, threaded=True)
      print(server.port, flush=True)
      def watch():
          sys.stdin.read()
          server.shutdown()
      threading.Thread(target=watch, daemon=True).start()
      server.serve_forever()
      """
    process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-c", script, "\(port ?? 0)"]
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
