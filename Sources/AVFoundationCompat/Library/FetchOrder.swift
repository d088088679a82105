public import Foundation

/// A value that objects of a library are put in order by: nothing comes before anything.
enum SortValue: Comparable {
  case nothing
  case number(Double)
  case text(String)

  /// A value as ``PHAsset`` and ``PHAssetCollection`` give it by a key.
  init(_ value: Any?) {
    switch value {
    case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
    case let text as String: self = .text(text)
    case let value?: self = FetchPredicate.number(value).map(Self.number) ?? .nothing
    case nil: self = .nothing
    }
  }
}

/// What a sort descriptor compares that was made with a key: an object by its values.
struct SortSubject {
  let read: (String) -> SortValue
  subscript(key: String) -> SortValue { read(key) }
}

extension NSSortDescriptor {
  /// An order by a key of assets or albums. With a key that those do not have, for which Apple's stops the
  /// program, a fetch finds nothing, and its result has an `error`.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \SortSubject.[key ?? ""], ascending: ascending)
  }

  /// The key that the descriptor was made with; nil for one with a key path.
  fileprivate var namedKey: String? {
    guard let path = keyPath as? KeyPath<SortSubject, SortValue>,
      case .text(let key) = SortSubject(read: { .text($0) })[keyPath: path]
    else { return nil }
    return key
  }
}

extension [NSSortDescriptor] {
  /// Why objects of a type, with these keys, cannot be put in this order; nil where they can.
  func mistake(among keys: [String], of objects: String, _ type: Any.Type) -> PHPhotosError? {
    for descriptor in self {
      if let key = descriptor.namedKey {
        guard !keys.contains(key) else { continue }
        return PHPhotosError(
          .internalError,
          "a sort descriptor asks for '\(key)', which \(objects) do not have; they have "
            + keys.joined(separator: ", "))
      }
      // Of another type's objects a key path stops the program.
      guard Swift.type(of: descriptor.keyPath).rootType == type else {
        return PHPhotosError(
          .internalError,
          "a sort descriptor is for other objects than \(objects); name a key, or a key path of \(type)"
        )
      }
    }
    return nil
  }
}

extension Array {
  /// In the order of descriptors, the first before the second; those that are alike stay as they are.
  ///
  /// - Parameter value: The value of an object by a key.
  func sorted(
    by order: [NSSortDescriptor], _ value: (Element, String) -> Any?
  ) -> [Element] {
    guard !order.isEmpty else { return self }
    let keys = order.compactMap(\.namedKey)
    let isNamed = order.map { $0.namedKey != nil }
    // Each value is asked for once: that of an album may be a look into the library.
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
