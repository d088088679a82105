public import Foundation

/// A value that objects are sorted by. `nothing` sorts first.
enum SortValue: Comparable {
  case nothing
  case number(Double)
  case text(String)

  /// A value returned by ``PHAsset`` or ``PHAssetCollection`` for a key.
  init(_ value: Any?) {
    switch value {
    case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
    case let text as String: self = .text(text)
    case let value?: self = FetchPredicate.number(value).map(Self.number) ?? .nothing
    case nil: self = .nothing
    }
  }
}

/// What a sort descriptor made with a key compares: an object, through its values.
struct SortSubject {
  let read: (String) -> SortValue
  subscript(key: String) -> SortValue { read(key) }
}

extension NSSortDescriptor {
  /// Sorts by a key of assets or albums. If they do not have the key, a fetch finds nothing and its result has an
  /// `error`; Apple's framework stops the program.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \SortSubject.[key ?? ""], ascending: ascending)
  }

  /// The key that the descriptor was made with; nil for one made with a key path.
  fileprivate var namedKey: String? {
    guard let path = keyPath as? KeyPath<SortSubject, SortValue>,
      case .text(let key) = SortSubject(read: { .text($0) })[keyPath: path]
    else { return nil }
    return key
  }
}

extension [NSSortDescriptor] {
  /// Why objects of a type, with these keys, cannot be sorted this way; nil if they can.
  func mistake(among keys: [String], of objects: String, _ type: Any.Type) -> PHPhotosError? {
    for descriptor in self {
      if let key = descriptor.namedKey {
        guard !keys.contains(key) else { continue }
        return PHPhotosError(
          .internalError,
          "a sort descriptor asks for '\(key)', which \(objects) do not have; they have "
            + keys.joined(separator: ", "))
      }
      // A key path of another type would trap.
      guard Swift.type(of: descriptor.keyPath).rootType == type else {
        return PHPhotosError(
          .internalError,
          "a sort descriptor does not apply to \(objects); name a key, or a key path of \(type)"
        )
      }
    }
    return nil
  }
}

extension Array {
  /// Sorted by the descriptors, the first one taking precedence. The sort is stable.
  ///
  /// - Parameter value: Returns the value of an object for a key.
  func sorted(
    by order: [NSSortDescriptor], _ value: (Element, String) -> Any?
  ) -> [Element] {
    guard !order.isEmpty else { return self }
    let keys = order.compactMap(\.namedKey)
    let isNamed = order.map { $0.namedKey != nil }
    // Each value is read once, because an album's value may need a query of the library.
    let subjects = map { element in
      let values = Dictionary(keys.map { ($0, SortValue(value(element, $0))) }) { first, _ in first
      }
      return SortSubject { values[$0] ?? .nothing }
    }
    return indices.sorted { first, second in
      for (descriptor, isNamed) in zip(order, isNamed) {
        let result =
          isNamed
          ? descriptor.compare(subjects[first], to: subjects[second])
          : descriptor.compare(self[first], to: self[second])
        guard result == .orderedSame else { return result == .orderedAscending }
      }
      return first < second
    }.map { self[$0] }
  }
}
