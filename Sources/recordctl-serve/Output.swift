import Foundation
import MediaCore
import RecorderService

/// What is printed.
enum Output {
  static func print(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

  static func note(_ text: String) {
    FileHandle.standardError.write(Data(("recordctl: " + text + "\n").utf8))
  }

  static func complain(_ text: String) {
    note(text.split(separator: "\n").joined(separator: " "))
  }

  /// Prints where the page is: for who operates, and for who only looks.
  static func tellLinks(_ gateway: Gateway, port: Int, hasTokens: Bool) {
    let address = gateway.configuration.address
    if let fingerprint = gateway.fingerprint {
      print(
        "The certificate's fingerprint (SHA-256), to be compared in the browser:\n\(fingerprint)")
    }
    var host: String?
    if ["0.0.0.0", "::"].contains(address.host) { host = Machine.addresses.first }
    if hasTokens {
      let link = gateway.link(for: nil, host: host, port: port)
      return print("\(link)\nUse the tokens from the configuration.")
    }
    let operate = gateway.link(for: .operate, host: host, port: port)
    print("To operate: \(operate)\nTo view:    \(gateway.link(for: .view, host: host, port: port))")
    if !address.isLoopback {
      if gateway.configuration.certificate == nil {
        note("without a TLS certificate, others on the network can read everything")
      }
      if isatty(1) == 1 { printQRCode(operate) }
    }
  }

  /// A code that a phone's camera reads, where `qrencode` is installed.
  private static func printQRCode(_ text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/qrencode")
    process.arguments = ["-t", "ANSIUTF8", "-r", "/dev/stdin"]
    let pipe = Pipe()
    process.standardInput = pipe
    guard (try? process.run()) != nil else { return }
    // Not on its command line, which other users of the machine could read.
    pipe.fileHandleForWriting.write(Data(text.utf8))
    try? pipe.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
