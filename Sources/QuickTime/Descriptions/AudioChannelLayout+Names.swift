extension AudioChannelLayout {
  /// A layout that has a name and a tag: left and right come first, then center, low frequencies, and
  /// what stands at the sides and behind, as most recorders and embedders have them.
  private struct Named {
    let name: String
    let tag: UInt32
    let labels: [UInt32]
  }

  private static let named = [
    Named(name: "quad", tag: 108 << 16 | 4, labels: [1, 2, 5, 6]),
    Named(name: "3.0", tag: 113 << 16 | 3, labels: [1, 2, 3]),
    Named(name: "4.0", tag: 115 << 16 | 4, labels: [1, 2, 3, 9]),
    Named(name: "5.0", tag: 117 << 16 | 5, labels: [1, 2, 3, 5, 6]),
    Named(name: "5.1", tag: 121 << 16 | 6, labels: [1, 2, 3, 4, 5, 6]),
    Named(name: "7.1", tag: 128 << 16 | 8, labels: [1, 2, 3, 4, 5, 6, 33, 34]),
  ]

  private static let letters: [(name: String, label: Label)] = [
    ("L", .left), ("R", .right), ("C", .center), ("LFE", .lowFrequency), ("Ls", .leftSurround),
    ("Rs", .rightSurround), ("Lc", Label(rawValue: 7)), ("Rc", Label(rawValue: 8)),
    ("Cs", Label(rawValue: 9)), ("Rls", Label(rawValue: 33)), ("Rrs", Label(rawValue: 34)),
    ("M", .mono),
  ]

  /// The names that ``init(name:)`` takes.
  public static let names = ["mono", "stereo"] + named.map(\.name)

  /// A layout by its name, or by the purposes of its channels.
  ///
  /// - Parameter name: One of ``names``, or the channels in their order with commas between them:
  ///   `L,R,C,LFE,Ls,Rs,Lc,Rc,Cs,Rls,Rrs,M`, `-` for one without a purpose. Nil for anything else.
  public init?(name: String) {
    switch name.lowercased() {
    case "mono": self = .mono
    case "stereo": self = .stereo
    case let lower:
      if let found = Self.named.first(where: { $0.name == lower }) {
        self = .tag(found.tag)
        return
      }
      var labels: [Label] = []
      for (index, part) in name.split(separator: ",", omittingEmptySubsequences: false).enumerated()
      {
        if part == "-" {
          labels.append(.discrete(UInt16(clamping: index)))
          continue
        }
        guard let letter = Self.letters.first(where: { $0.name.lowercased() == part.lowercased() })
        else { return nil }
        labels.append(letter.label)
      }
      guard labels.count <= 16 else { return nil }
      self.init(coreAudioLabels: labels.map(\.rawValue))
    }
  }

  /// The layout of channels whose purposes are known, by Core Audio's `AudioChannelLabel`: by a tag where
  /// there is one. The center alone is mono.
  package init(coreAudioLabels labels: [UInt32]) {
    switch labels {
    case [42], [3]: self = .mono
    case [1, 2]: self = .stereo
    default:
      self =
        Self.named.first { $0.labels == labels }.map { .tag($0.tag) }
        ?? .labels(labels.map(Label.init(rawValue:)))
    }
  }

  /// The name, as ``init(name:)`` takes it; nil for channels without a purpose, and tags without one.
  public var name: String? {
    switch self {
    case .mono: "mono"
    case .stereo: "stereo"
    case .discrete: nil
    case .tag(let tag): Self.named.first { $0.tag == tag }?.name
    case .labels(let labels):
      labels.map { label in Self.letters.first { $0.label == label }?.name ?? "-" }
        .joined(separator: ",")
    }
  }

  /// What the channels of a tag are for; nil for tags that are not known here.
  static func labels(ofTag tag: UInt32) -> [Label]? {
    named.first { $0.tag == tag }?.labels.map(Label.init(rawValue:))
  }
}
