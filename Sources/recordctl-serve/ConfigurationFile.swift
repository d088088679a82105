import ArgumentParser
import MediaCore
import RecorderService

/// The gateway's configuration, as often as it is read.
struct ConfigurationFile: Sendable {
  var path: String?
  /// What the command line has in the place of `listen`.
  var listen: String?

  /// Reads it; nil where there is none.
  func read() throws -> ServiceConfiguration? {
    guard let path else { return nil }
    var settings = try ServiceConfiguration(path: path)
    try override(&settings)
    return settings
  }

  /// Puts what the command line has in its place.
  func override(_ settings: inout ServiceConfiguration) throws {
    guard let listen else { return }
    guard let address = ServiceConfiguration.Address(listen) else {
      throw ValidationError(
        "invalid address '\(listen)'; write 127.0.0.1:8437, 0.0.0.0:8437 or [::1]:8437")
    }
    try settings.listen(on: address)
  }

  /// Has a gateway take it as it is now. A fault changes nothing.
  func reload(_ gateway: Gateway) async {
    ServiceManager.present.notifyReload()
    defer { ServiceManager.present.notifyReady() }
    do {
      guard let settings = try read() else {
        return Output.note("there is no configuration file to reload; name one with --config")
      }
      if settings.channels.contains(where: { $0.socketPath == nil }) {
        _ = try RecorderProgram.find()
      }
      for line in try await gateway.reload(settings) { Output.note("\(path ?? ""): \(line)") }
    } catch let error as ServiceError {
      Output.complain("\(error.message); nothing has changed")
    } catch {
      Output.complain("\(error); nothing has changed")
    }
  }
}
