/// Where the user's own settings lie.
package enum UserConfiguration {
  /// The folder of the program's settings, by the XDG specification.
  ///
  /// - Parameters:
  ///   - configuration: The value of `XDG_CONFIG_HOME`; ignored where it is no absolute path.
  ///   - home: The value of `HOME`.
  package static func folder(_ configuration: String?, home: String?) -> String {
    if let configuration, configuration.hasPrefix("/") { return configuration + "/recordctl" }
    return (home ?? "") + "/.config/recordctl"
  }
}
