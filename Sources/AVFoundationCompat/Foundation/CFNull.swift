// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// A null value in a dictionary.
public typealias CFNull = NSNull
/// Core Foundation's error type.
public typealias CFError = NSError

/// A null value in a dictionary: removes the property for a key from an image file.
public let kCFNull: CFNull? = NSNull()
