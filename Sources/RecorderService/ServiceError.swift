public import MediaCore

/// An error of the gateway.
public struct ServiceError: CodedError {
  /// The kind of failure.
  public struct Code: ErrorCode {
    public let name: String

    /// The configuration does not follow its schema.
    public static let invalidConfiguration = Self(name: "invalidConfiguration")
    /// The address cannot be listened on.
    public static let cannotListen = Self(name: "cannotListen")
    /// The certificate or its key cannot be used.
    public static let invalidCertificate = Self(name: "invalidCertificate")
    /// The folder for sockets and tokens cannot be used.
    public static let runtimeFolderFailed = Self(name: "runtimeFolderFailed")
    /// The recorder of a channel cannot be started.
    public static let launchFailed = Self(name: "launchFailed")
    /// No such channel, or nothing of that name.
    public static let notFound = Self(name: "notFound")
    /// The channel's recorder is away.
    public static let notConnected = Self(name: "notConnected")
    /// Another take is recorded than the request meant.
    public static let anotherTake = Self(name: "anotherTake")
    /// The request cannot be understood.
    public static let invalidRequest = Self(name: "invalidRequest")
    /// No token, or a wrong one.
    public static let notAuthenticated = Self(name: "notAuthenticated")
    /// The token's role does not permit it, or the request comes from another site.
    public static let notPermitted = Self(name: "notPermitted")
    /// Too many requests at the same time: a second later there is room.
    public static let tooFast = Self(name: "tooFast")
    /// Too many wrong tokens, or too many clients.
    public static let tooMany = Self(name: "tooMany")
    /// The request is too long.
    public static let tooLong = Self(name: "tooLong")
    /// A frame cannot be compressed.
    public static let encodingFailed = Self(name: "encodingFailed")
    /// A program or a part is missing on this machine.
    public static let notAvailable = Self(name: "notAvailable")
  }

  public let core: ErrorCore<Code>

  public init(core: ErrorCore<Code>) { self.core = core }
}
